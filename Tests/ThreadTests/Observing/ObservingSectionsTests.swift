import Dispatch
import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observation of sections.
@Suite struct ObservingSectionsTests {
  let folder: TestFolder
  let realm: Realm
  let queue = DispatchQueue(label: "observers")
  let heard = Heard<String>()

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write {
      for (id, name) in ["Ada", "Al", "Bob", "Cy"].enumerated() {
        realm.add(Observed.person(id, name))
      }
    }
  }

  private static func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial(let collection): return "initial \(collection.count)"
    case .update(
      let collection, deletions: let deletions, insertions: let insertions,
      modifications: let modifications, sectionsToInsert: let inserted,
      sectionsToDelete: let deleted):
      func text(_ paths: [IndexPath]) -> String {
        paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
      }
      return "\(collection.count) -\(text(deletions)) +\(text(insertions)) ~\(text(modifications))"
        + " sections +\(inserted.map { $0 }) -\(deleted.map { $0 })"
    }
  }

  private func hear(_ body: () throws -> Void) throws -> String? {
    let before = heard.all.count
    try realm.write(body)
    return heard.wait(for: before + 1).dropFirst(before).first
  }

  private var people: SectionedResults<String, Observed.Person> {
    realm.objects(Observed.Person.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
  }

  private func person(_ name: String) throws -> Observed.Person {
    try #require(realm.objects(Observed.Person.self).where { $0.name == name }.first)
  }

  @Test func `Elements and sections come, go and change`() throws {
    let token = people.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    expectEqual(heard.wait(for: 1), ["initial 3"])
    let al = try person("Al")
    try expectEqual(hear { al.age = 1 }, "3 - + ~0.1 sections +[] -[]")
    try expectEqual(hear { al.name = "Ab" }, "3 -0.1 +0.0 ~ sections +[] -[]")
    try expectEqual(hear { al.name = "Ca" }, "3 -0.0 +2.0 ~ sections +[] -[]")
    try expectEqual(hear { realm.delete(try person("Bob")) }, "2 - + ~ sections +[] -[1]")
    try expectEqual(
      hear { realm.add(Observed.person(9, "Bo")) }, "3 - +1.0 ~ sections +[1] -[]")
    token.invalidate()
  }

  @Test func `An actor observes sections, and a section`() async throws {
    let all = await people.observe(on: MainActor.shared) { [heard] _, change in
      MainActor.assertIsolated()
      heard.add("all " + Self.text(change))
    }
    let first = await people[0].observe(keyPaths: [\.name], on: MainActor.shared) {
      [heard] _, change in heard.add("A " + Self.text(change))
    }
    await expectTrue(eventually { Set(heard.all) == ["all initial 3", "A initial 2"] })
    let al = try person("Al")
    try realm.write { al.age = 1 }
    await expectTrue(eventually { heard.all.contains("all 3 - + ~0.1 sections +[] -[]") })
    try realm.write { al.name = "Ca" }
    await expectTrue(
      eventually {
        Set(heard.all.suffix(2))
          == ["all 3 -0.1 +2.0 ~ sections +[] -[]", "A 1 -0.1 + ~ sections +[] -[]"]
      }, "\(heard.all)")
    // The age of a person is not among the observed names.
    expectEqual(heard.all.count { $0.hasPrefix("A ") }, 2)
    all.invalidate()
    first.invalidate()
  }

  @Test func `Changes of sections, and of a section, come as a sequence`() async throws {
    var all = people.changes().makeAsyncIterator()
    var first = people[0].changes(keyPaths: ["name"]).makeAsyncIterator()
    try await expectEqual(all.next().map(Self.text), "initial 3")
    try await expectEqual(first.next().map(Self.text), "initial 2")
    let al = try person("Al")
    try realm.write { al.age = 1 }
    try await expectEqual(all.next().map(Self.text), "3 - + ~0.1 sections +[] -[]")
    try realm.write { al.name = "Ab" }
    try await expectEqual(all.next().map(Self.text), "3 -0.1 +0.0 ~ sections +[] -[]")
    // The change of the age is left out.
    try await expectEqual(first.next().map(Self.text), "2 -0.1 +0.0 ~ sections +[] -[]")
    // Each iterator observes by itself.
    var other = people.changes().makeAsyncIterator()
    try realm.write { realm.delete(try person("Bob")) }
    try await expectEqual(other.next().map(Self.text), "initial 2")
    try await expectEqual(all.next().map(Self.text), "2 - + ~ sections +[] -[1]")
    let inMemory = List<Observed.Person>().sectioned(by: \.name)
    await #expect(throws: Realm.Error.self) { for try await _ in inMemory.changes() {} }
  }

  @Test func `A section hears of its own elements`() throws {
    let section = people[0]
    let token = section.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    expectEqual(heard.wait(for: 1), ["initial 2"])
    let al = try person("Al")
    try realm.write { try person("Bob").age = 2 }
    try expectEqual(hear { al.age = 1 }, "2 - + ~0.1 sections +[] -[]")
    try expectEqual(hear { al.name = "Ca" }, "1 -0.1 + ~ sections +[] -[]")
    try expectEqual(hear { realm.delete(try person("Ada")) }, "0 - + ~ sections +[] -[0]")
    try expectEqual(hear { realm.add(Observed.person(9, "Au")) }, "1 - +0.0 ~ sections +[0] -[]")
    token.invalidate()
  }

  @Test(.needsHook)
  func `A changed object with another place leaves its section and comes into it`()
    throws
  {
    try realm.write { realm.add(Observed.person(7, "Box")) }
    let token = people.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    expectEqual(heard.wait(for: 1), ["initial 3"])
    // As in RealmSwift: the object before it is deleted.
    let box = try person("Box")
    let bog = try hear {
      realm.delete(try person("Bob"))
      box.name = "Bog"
    }
    expectEqual(bog, "3 -1.0 1.1 +1.0 ~ sections +[] -[]")
    // Another sort key, the one that it has, and a property that nothing is sorted by.
    try expectEqual(hear { box.name = "Bot" }, "3 - + ~1.0 sections +[] -[]")
    try expectEqual(hear { box.name = "Bot" }, "3 - + ~1.0 sections +[] -[]")
    try expectEqual(hear { box.age = 9 }, "3 - + ~1.0 sections +[] -[]")
    let moved = try hear {
      realm.add(Observed.person(8, "Bo"))
      box.age = 10
    }
    expectEqual(moved, "3 -1.0 +1.0 1.1 ~ sections +[] -[]")
    token.invalidate()
  }

  @Test func `Key paths say what counts for sections and for one of them`() throws {
    let (sections, section) = (Heard<String>(), Heard<String>())
    let tokens = [
      people.observe(keyPaths: [\.age], on: queue) { sections.add(Self.text($0)) },
      people[0].observe(keyPaths: [\.age, \.dog?.name], on: queue) { section.add(Self.text($0)) },
      people.observe(keyPaths: ["tags"], on: queue) { [heard] in heard.add(Self.text($0)) },
    ]
    expectTrue(sections.wait(for: 1) == ["initial 3"] && section.wait(for: 1) == ["initial 2"])
    _ = heard.wait(for: 1)
    let al = try person("Al")
    try realm.write { al.scores["chess"] = 1 }
    try realm.write { al.age = 1 }
    expectEqual(sections.wait(for: 2).last, "3 - + ~0.1 sections +[] -[]")
    expectEqual(section.wait(for: 2).last, "2 - + ~0.1 sections +[] -[]")
    try expectEqual(hear { al.tags.insert("x") }, "3 - + ~0.1 sections +[] -[]")
    queue.sync {}
    expectTrue(sections.all.count == 2 && section.all.count == 2)
    for token in tokens { token.invalidate() }
    withKnownIssue {
      let token = people.observe(keyPaths: [\.name.count], on: queue) { _ in }
      expectFalse(token.invalidate())
    }
  }

  @Test func `A file that another process migrates is reported for sections`() throws {
    // On the place of the realm, so that the report belongs to this test.
    let token = people.observe { [heard] in heard.add(Self.text($0)) }
    realm.refresh()
    expectEqual(heard.all, ["initial 3"])
    try folder.execute(
      "UPDATE strata_schema_version SET version = 7; UPDATE Person SET age = 1")
    expectIssue("Unsupported schema changes were made by another client") {
      realm.refresh()
      // Pending notifications are delivered first.
      #expect(throws: Realm.Error.self) { try realm.write {} }
    }
    expectFalse(token.invalidate())
    expectEqual(heard.all, ["initial 3"])
  }

  @Test func `Texts that look alike, and differ in bytes, have sections of their own`() throws {
    let (one, two) = ("\u{e9}", "e\u{301}")
    try realm.write {
      realm.deleteAll()
      for (id, name) in [two, one, two, one].enumerated() { realm.add(Observed.person(id, name)) }
    }
    let results = realm.objects(Observed.Person.self)
    let sections = results.sectioned(by: \.name)
    expectTrue(sections.count == 2 && results.distinct(by: ["name"]).count == 2)
    expectEqual(sections.map { $0.map(\.id) }, [[0, 2], [1, 3]])
    expectEqual(sections.allKeys.map { Array($0.utf8) }, [Array(two.utf8), Array(one.utf8)])
    expectTrue(sections[0] != sections[1] && sections[0] == sections[0])
    // Keys of other types that are texts.
    expectEqual(results.sectioned(by: { $0.name.first }, sortDescriptors: ["name"]).count, 2)
    expectEqual(results.sectioned(by: { $0.name.prefix(1) }, sortDescriptors: ["name"]).count, 2)
    expectEqual(results.sectioned(by: { Optional($0.name) }, sortDescriptors: ["name"]).count, 2)
    let token = sections.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    let second = sections[1].observe(on: queue) { [heard] in heard.add("1: " + Self.text($0)) }
    expectEqual(Set(heard.wait(for: 2)), ["initial 2", "1: initial 2"])
    try realm.write { results[0].name = one }
    expectEqual(
      Set(heard.wait(for: 4).dropFirst(2)),
      [
        "2 -0.0 +1.0 ~ sections +[] -[]", "1: 3 - +1.0 ~ sections +[] -[]",
      ])
    token.invalidate()
    second.invalidate()
  }

  @Test func `Sections of values are observed`() throws {
    let ada = try person("Ada")
    try realm.write { ada.numbers.append(objectsIn: [1, 2, 3, 4]) }
    let numbers = ada.numbers.sectioned(by: { $0 % 2 == 0 ? "even" : "odd" }, ascending: true)
    let token = numbers.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    let first = heard.wait(for: 1)
    expectEqual(first.first?.hasPrefix("initial"), true)
    try expectEqual(hear { ada.numbers.append(5) }?.contains("+"), true)
    token.invalidate()
  }
}
