import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/observing.md: it equals `ObservingGuide.swift`, and works as the text says.
@Suite struct ObservingGuideTests {
  @Test func `The guide shows what is compiled`() throws {
    try CompiledGuide("observing.md", "ObservingGuide.swift").expectCompiled(atLeast: 6)
  }

  @Test func `An actor follows`() async throws {
    let file = try TestFile()
    let configuration = file.configuration([Member.self, MembersDog.self])
    let roster = Roster()
    try await roster.follow(configuration)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Member(value: ["name": "Bob"]))
      realm.add(Member(value: ["name": "Ada"]))
    }
    var names: [String] = []
    let limit = ContinuousClock.now + .seconds(1_200)
    while names != ["Ada", "Bob"], ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(2))
      names = await roster.names
    }
    expectEqual(names, ["Ada", "Bob"])
  }

  @Test func `Cards show members`() throws {
    let file = try TestFile()
    let realm = try Realm(configuration: file.configuration([Member.self, MembersDog.self]))
    try realm.write {
      realm.create(Member.self, value: ["name": "Ada", "dogs": [["name": "Rex"]]])
    }
    let card = try #require(realm.objects(MemberCard.self).first)
    expectTrue(card.title == "ADA" && Array(card.dogNames) == ["Rex"])
    let token = watchCards(realm)
    expectTrue(token.invalidate())
  }

  @MainActor @Test func `A list is drawn as it is`() async throws {
    let file = try TestFile()
    let realm = try Realm(configuration: file.configuration([Member.self, MembersDog.self]))
    let list = MemberList(realm)
    try realm.write { for name in ["c", "a", "b"] { realm.add(Member(value: ["name": name])) } }
    await expectTrue(eventually { list.rows == ["a", "b", "c"] })
    try realm.write { list.members[0].name = "d" }
    await expectTrue(eventually { list.rows == ["b", "c", "d"] })
    try list.rename(0, to: "bb")
    try realm.write { realm.delete(list.members[1]) }
    await expectTrue(eventually { list.rows == ["b", "d"] })
    expectEqual(list.members.map(\.name), ["bb", "d"])
  }

  @MainActor @Test func `A heading is computed of what it reads`() async throws {
    let file = try TestFile()
    let configuration = file.configuration([Member.self, MembersDog.self])
    let heading = Heading(try Realm(configuration: configuration))
    expectEqual(heading.text, "0 members, the oldest is unknown")
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.create(Member.self, value: ["name": "Ada", "age": 36])
        realm.create(Member.self, value: ["name": "Bob", "age": 12])
      }
    }.value
    await expectTrue(eventually { heading.text == "2 members, the oldest is Ada" })
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.objects(Member.self).first?.age = 1 }
    await expectTrue(eventually { heading.text == "2 members, the oldest is Bob" })
  }
}
