import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Houses.Person

/// Projections of collections to the values of a property, as in RealmSwift.
@Suite struct ProjectedCollectionTests {
  private final class GuestList: Projection<Houses.House> {
    @Projected(\Houses.House.members.projectTo.firstName)
    var members: ProjectedCollection<String>
    @Projected(\Houses.House.guests.projectTo.firstName) var guests: ProjectedCollection<String>
  }

  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm
  private let collections: [ProjectedCollection<String>]

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Houses.types)
    let realm = try Realm(configuration: configuration)
    self.realm = realm
    try Houses.fill(realm)
    let house = try realm.write {
      realm.add(Houses.person("Tyrion", "Lannister", city: "Casterly Rock", born: 20))
      let people = realm.objects(Person.self)
      return realm.create(
        Houses.House.self, value: ["members": Array(people), "guests": Array(people)])
    }
    let list = GuestList(projecting: house)
    collections = [list.members, list.guests]
  }

  @Test func `A description has the first hundred values`() throws {
    let house = try realm.write {
      let people = (0..<102).map { Houses.person("\($0)", "Stark", city: "Winterfell", born: 0) }
      return realm.create(Houses.House.self, value: ["members": people])
    }
    let text = GuestList(projecting: house).members.description
    expectTrue(text.hasSuffix("\t[99] 99\n\t... 2 more\n}"))
  }

  @Test func `It has the values in order`() {
    for names in collections {
      expectTrue(names.count == 3 && !names.isEmpty)
      expectTrue(names[0] == names.first && names[2] == names.last)
      expectTrue(names.firstIndex(of: "Arya") == nil && names.index(of: "Daenerys") == 1)
      expectEqual(names.index(matching: NSPredicate(format: "lastName == %@", "Lannister")), 2)
      expectEqual(names.filter { $0 == "Daenerys" }.count, 1)
      expectEqual(names.sorted { $0 > $1 }, ["Tyrion", "John", "Daenerys"])
      expectEqual(Array(names), ["John", "Daenerys", "Tyrion"])
      expectEqual(
        names.description,
        "ProjectedCollection<String> {\n\t[0] John\n\t[1] Daenerys\n\t[2] Tyrion\n}")
    }
  }

  @Test func `Setting a value changes its object`() throws {
    for (number, names) in collections.enumerated() {
      try realm.write { names[0] = "Name \(number)" }
      expectEqual(names.first, "Name \(number)")
      expectEqual(realm.objects(Person.self).filter("firstName == 'Name \(number)'").count, 1)
    }
    let house = try #require(realm.objects(HouseProjection.self).first)
    try expectIssue("KeyPath is not writable") { try realm.write { house.people[0] = "x" } }
  }

  @Test func `It is frozen and thawed`() throws {
    for names in collections {
      let frozen = names.freeze()
      expectTrue(!names.isFrozen && frozen.isFrozen && names.realm == realm)
      #expect(throws: Realm.Error.self) { try frozen.realm?.write {} }
      nonisolated(unsafe) let sent = frozen
      let found = Box<[String]>([])
      try inThread { found.value = sent.filter { $0 != "John" } }
      expectEqual(found.value, ["Daenerys", "Tyrion"])
      expectEqual(frozen.thaw().map { !$0.isFrozen && $0.count == 3 }, true)
    }
    let all = collections.map { $0.freeze() }
    let live = all.compactMap { $0.thaw() }
    try realm.write { realm.delete(realm.objects(Houses.House.self)) }
    expectTrue(live.count == 2 && live.allSatisfy { $0.isInvalidated && $0.isEmpty })
    expectTrue(all.allSatisfy { $0.count == 3 && !$0.isInvalidated && $0.thaw() == nil })
    let john = try #require(realm.objects(PersonProjection.self).first)
    expectTrue(john.freeze().firstFriendsName.isFrozen && !john.isFrozen)
  }

  @Test func `It is invalid after its realm was invalidated`() {
    expectTrue(collections.allSatisfy { !$0.isInvalidated })
    realm.invalidate()
    expectTrue(collections.allSatisfy { $0.isInvalidated })
  }

  @Test func `Its observers hear of values that come, go and change`() throws {
    for (number, names) in collections.enumerated() {
      let heard = Box<[String]>([])
      func handler(_ change: RealmCollectionChange<ProjectedCollection<String>>) {
        switch change {
        case .initial(let names): heard.append("initial \(names.count)")
        case .update(let names, let deletions, let insertions, let modifications):
          heard.append("\(names.count) \(deletions) \(insertions) \(modifications)")
        case .error(let error): heard.append("\(error)")
        }
      }
      let token = names.observe { handler($0) }
      let silent = names.observe(keyPaths: ["firstName"]) { handler($0) }
      realm.refresh()
      expectEqual(heard.value, ["initial 3", "initial 3"])
      heard.value = []
      let john = try #require(realm.objects(Person.self).first)
      // Another property, and another object.
      try realm.write {
        john.age += 1
        realm.add(Person())
      }
      realm.refresh()
      expectEqual(heard.value, [])
      try realm.write { john.firstName = "Jon \(number)" }
      realm.refresh()
      expectEqual(heard.value, ["3 [] [] [0]", "3 [] [] [0]"])
      heard.value = []
      try realm.write(withoutNotifying: [silent]) { names[1] = "Dany \(number)" }
      realm.refresh()
      expectEqual(heard.value, ["3 [] [] [1]"])
      token.invalidate()
      silent.invalidate()
      expectIssue("Frozen Realms do not change and do not have change notifications.") {
        expectFalse(names.freeze().observe { _ in }.invalidate())
      }
    }
  }

  @Test func `A queue, an actor and a sequence observe it`() async throws {
    let heard = Box<[String]>([])
    @Sendable func hear(
      _ place: String, _ change: RealmCollectionChange<ProjectedCollection<String>>
    ) {
      // Commits before the first call are included in it.
      switch change {
      case .initial(let names), .update(let names, _, _, _): heard.append("\(place) \(names[0])")
      case .error(let error): heard.append("\(error)")
      }
    }
    let token = collections[0].observe(on: DispatchQueue(label: "names")) { hear("queue", $0) }
    let other = await collections[0].observe(on: MainActor.shared) { _, change in
      MainActor.assertIsolated()
      hear("main", change)
    }
    var changes = collections[0].changes().makeAsyncIterator()
    if let first = try await changes.next() { hear("first", first) }
    try realm.write { collections[0][0] = "Jon" }
    if let next = try await changes.next() { hear("next", next) }
    await expectTrue(
      eventually { Set(heard.value).isSuperset(of: ["queue Jon", "main Jon", "next Jon"]) })
    expectFalse(heard.value.contains("first Jon"))
    token.invalidate()
    other.invalidate()
  }
}
