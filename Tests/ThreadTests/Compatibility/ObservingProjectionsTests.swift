import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Houses.Person

/// Observers of projections, which are notified of projected properties.
@Suite struct ObservingProjectionsTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm
  private let heard = Box<[String]>([])

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Houses.types)
    realm = try Realm(configuration: configuration)
    try Houses.fill(realm)
  }

  private func john<P: ProjectionObservable>(_: P.Type) throws -> P where P.Root == Person {
    P(projecting: try #require(realm.objects(Person.self).first))
  }

  private static func text<P>(_ change: ObjectChange<P>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { "\($0.name): \(text($0.oldValue)) → \(text($0.newValue))" }
        .joined(separator: ", ")
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  private static func text(_ value: Any?) -> String {
    (value as? Person)?.firstName ?? shown(value)
  }

  /// The notifications of observers about a transaction.
  private func hear(_ body: () throws -> Void) throws -> [String] {
    heard.value = []
    try realm.write(body)
    realm.refresh()
    return heard.value
  }

  @Test func `A projection hears only of what it shows`() throws {
    let john = try john(PersonProjection.self)
    let token = john.observe { [heard] in heard.append(Self.text($0)) }
    let person = john.rootObject
    try expectEqual(hear { person.firstName = "Jon" }, ["firstName: John → Jon"])
    try expectEqual(hear { person.lastName = "Ali" }, ["lastNameCaps: SNOW → ALI"])
    try expectEqual(hear { person.age = 3 }, [])
    try expectEqual(
      hear { person.birthday = Date(timeIntervalSince1970: 20) },
      [
        "birthdayAsEpochtime: 10.0 → 20.0"
      ])
    try expectEqual(hear { person.address?.city = "The Wall" }, ["homeCity: nil → The Wall"])
    try expectEqual(hear { person.address?.country = "Westeros" }, [])
    try expectEqual(
      hear { person.friends[0].firstName = "Dany" }, ["firstFriendsName: nil → [Dany]"])
    try expectEqual(hear { person.friends[0].age = 4 }, [])
    try expectEqual(hear { person.friends.removeAll() }, ["firstFriendsName: nil → []"])
    try expectEqual(hear { realm.delete(person) }, ["deleted"])
    expectFalse(token.invalidate())
  }

  @Test func `Changes of properties of all types are told`() throws {
    let everything = Houses.Everything()
    try realm.write { realm.add(everything) }
    let projection = EverythingProjection(projecting: everything)
    let token = projection.observe { [heard] in heard.append(Self.text($0)) }
    let id = UUID()
    try expectEqual(
      hear {
        everything.bool = true
        everything.int = 1
        everything.int8 = 1
        everything.int16 = 1
        everything.int32 = 1
        everything.int64 = 1
        everything.float = 1
        everything.double = 1
        everything.string = "a"
        everything.decimal = 1
        everything.uuid = id
        everything.rank = .page
        everything.any = .int(1)
        everything.person = realm.objects(Person.self).first
        everything.optionalInt = 1
        everything.optionalString = "b"
        everything.optionalRank = .knight
      },
      [
        "bool: false → true, int: 0 → 1, int8: 0 → 1, int16: 0 → 1, int32: 0 → 1, int64: 0 → 1, "
          + "float: 0.0 → 1.0, double: 0.0 → 1.0, string:  → a, decimal: 0 → 1, "
          + "uuid: 6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD → \(id), rank: lord → page, "
          + "any: nil → 1, person: nil → John, optionalInt: nil → 1, "
          + "optionalString: nil → b, optionalRank: nil → knight"
      ])
    try expectEqual(hear { everything.optionalInt = nil }, ["optionalInt: 1 → nil"])
    try expectEqual(hear { everything.ints.append(4) }, ["ints: nil → [4]"])
    try expectEqual(hear { everything.strings.insert("x") }, ["strings: nil → [x]"])
    try expectEqual(hear { everything.scores["x"] = 1 }, ["scores: nil → [x: 1.0]"])
    token.invalidate()
  }

  @Test func `Key paths are those of the projection, or names of the object`() throws {
    let john = try john(PersonProjection.self)
    let tokens = [
      john.observe(keyPaths: ["lastName"]) { [heard] in heard.append("1 " + Self.text($0)) },
      john.observe(keyPaths: ["homeCity"]) { [heard] in heard.append("2 " + Self.text($0)) },
      john.observe(keyPaths: [\.firstName]) { [heard] in heard.append("3 " + Self.text($0)) },
      john.observe(keyPaths: [\.firstFriendsName.count]) { [heard] in
        heard.append("4 " + Self.text($0))
      },
    ]
    try inThread(configuration) { realm in
      try realm.write { realm.objects(Person.self).first?.lastName = "Targaryen" }
    }
    realm.refresh()
    expectEqual(heard.value, ["1 lastNameCaps: SNOW → TARGARYEN"])
    let person = john.rootObject
    try expectEqual(hear { person.address = nil }, ["2 homeCity: nil → nil"])
    try expectEqual(hear { person.firstName = "Jon" }, ["3 firstName: John → Jon"])
    try expectEqual(
      hear { person.friends.append(person) }, ["4 firstFriendsName: nil → [Daenerys, Jon]"])
    for token in tokens { expectTrue(token.invalidate()) }
    expectIssue("Invalid property name 'age' for class 'PersonProjection'") {
      expectFalse(john.observe(keyPaths: ["age"]) { _ in }.invalidate())
    }
    expectIssue("reads no '@Projected' property of 'PersonProjection'") {
      expectFalse(john.observe(keyPaths: [\.rootObject.age]) { _ in }.invalidate())
    }
    expectIssue("Only objects which are managed by a Realm support change notifications") {
      let unmanaged = PersonProjection(projecting: Person())
      expectFalse(unmanaged.observe { _ in }.invalidate())
    }
  }

  @Test func `What several properties show is told of each`() throws {
    let john = try john(ThriceProjection.self)
    let token = john.observe { [heard] in heard.append(Self.text($0)) }
    try expectEqual(
      hear { john.rootObject.age = 2 }, ["age1: 0 → 2, age2: 0 → 2, age3: 0 → 2"])
    token.invalidate()
  }

  @Test func `A property of several ones, and one behind a link, are told`() throws {
    let john = try john(RivalProjection.self)
    let token = john.observe { [heard] in heard.append(Self.text($0)) }
    let dany = try #require(realm.objects(Person.self).last)
    try expectEqual(
      hear { john.rootObject.firstName = "Jon" },
      [
        "name: John → Jon, fullName: John Snow → Jon Snow"
      ])
    try expectEqual(hear { john.rootObject.lastName = "S" }, ["fullName: Jon Snow → Jon S"])
    try expectEqual(
      hear { john.rootObject.rival = dany },
      [
        "rivalName: nil → Daenerys, rival: nil → Daenerys"
      ])
    try expectEqual(hear { dany.firstName = "Dany" }, ["rivalName: nil → Dany"])
    let house = try realm.write { realm.create(Houses.House.self, value: ["name": "Stark"]) }
    try expectEqual(hear { house.members.append(john.rootObject) }, ["houses: nil → [Stark]"])
    token.invalidate()
  }

  @Test func `Results hear of what is projected, and of what comes and goes`() throws {
    let people = realm.objects(NameProjection.self)
    let handler: (RealmCollectionChange<Results<NameProjection>>) -> Void = { [heard] change in
      switch change {
      case .initial(let people): heard.append("initial \(people.map(\.name))")
      case .update(let people, let deletions, let insertions, let modifications):
        heard.append("\(people.map(\.name)) \(deletions) \(insertions) \(modifications)")
      case .error(let error): heard.append("\(error)")
      }
    }
    let token = people.observe(handler)
    realm.refresh()
    expectEqual(heard.value, ["initial [\"John\", \"Daenerys\"]"])
    let john = try #require(realm.objects(Person.self).first)
    try expectEqual(hear { john.age = 1 }, [])
    try expectEqual(hear { john.friends[0].lastName = "T" }, [])
    try expectEqual(hear { john.firstName = "Jon" }, ["[\"Jon\", \"Daenerys\"] [] [] [0]"])
    try expectEqual(hear { realm.delete(john) }, ["[\"Daenerys\"] [0] [] []"])
    token.invalidate()
    let tokens = [
      people.observe(keyPaths: ["age"], handler), people.observe(keyPaths: [\.name], handler),
      people.observe(keyPaths: ["name"], handler),
    ]
    realm.refresh()
    let dany = try #require(realm.objects(Person.self).first)
    try expectEqual(hear { dany.age = 3 }.count, 1)
    try expectEqual(hear { dany.firstName = "Dany" }.count, 2)
    for token in tokens { token.invalidate() }
  }

  @Test func `A queue and an actor have projections of their own`() async throws {
    let john = try john(NameProjection.self)
    let token = john.observe(on: DispatchQueue(label: "projections")) { [heard] change in
      heard.append("queue " + Self.text(change))
    }
    let listener = Listener()
    let other = await john.observe(on: listener) { [heard] listener, change in
      listener.assertIsolated()
      heard.append("actor " + Self.text(change))
    }
    let third = await john.observe(keyPaths: [\.name], on: listener) { [heard] _, change in
      heard.append("paths " + Self.text(change))
    }
    try realm.write { john.name = "Jon" }
    await expectTrue(eventually { heard.value.count == 3 })
    expectEqual(
      heard.value.sorted(),
      [
        "actor name: John → Jon", "paths name: John → Jon", "queue name: John → Jon",
      ])
    for token in [token, other, third] { token.invalidate() }
  }

  private actor Listener {}

  @Test func `A loop gets each change of a projection`() async throws {
    let john = try john(NameProjection.self)
    var changes = john.changes().makeAsyncIterator()
    let configuration = configuration
    Task {
      // The loop observes from its first `next()` on.
      let realm = try await Realm.open(configuration: configuration)
      while realm.objects(Person.self).first?.firstName != "end" {
        try realm.write { realm.objects(Person.self).first?.firstName += "n" }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let change = try #require(try await changes.next())
    expectTrue(Self.text(change).hasPrefix("name: John"))
    try realm.write { john.name = "end" }
  }
}
