import Foundation
import GRDB
import StrataQuery
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

/// Values of properties that are read without objects.
@Suite struct ObjectValuesTests {
  enum Kind: String, PersistableEnum {
    case small, large
  }

  struct Distance: CustomPersistable, Hashable {
    var meters: Double
    init(meters: Double) { self.meters = meters }
    init(persistedValue: Double) { meters = persistedValue }
    var persistableValue: Double { meters }
  }

  final class Company: Object {
    @Persisted var name = ""
    @Persisted var owner: Person?
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var age = 0
    @Persisted var name = ""
    @Persisted var nickname: String?
    @Persisted var kind = Kind.small
    @Persisted var maybe: Kind?
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var bytes = Data()
    @Persisted var key = UUID()
    @Persisted var objectId = ObjectId("507f1f77bcf86cd799439011")
    @Persisted var price = Decimal128(0)
    @Persisted var any = AnyRealmValue.none
    @Persisted var way = Distance(meters: 0)
    @Persisted var detour: Distance?
    @Persisted var company: Company?
    @Persisted var friends: List<Person>
    @Persisted var scores: List<Int>

    var initial: String { String(name.prefix(1)) }
  }

  private func withPeople(
    _ count: Int = 5, _ body: (TestFolder, Realm, Results<Person>) throws -> Void
  ) throws {
    let folder = try TestFolder()
    try folder.open([Person.self, Company.self]) { realm in
      try realm.write {
        let company = Company(value: ["name": "Acme"])
        for number in 0..<count {
          let person = Person()
          person.id = number
          person.age = number * 10
          person.name = "n\(number)"
          person.nickname = number.isMultiple(of: 2) ? "even" : nil
          person.company = number > 2 ? company : nil
          realm.add(person)
          if number == 0 { company.owner = person }
        }
      }
      try body(folder, realm, realm.objects(Person.self))
    }
  }

  @Test func `Values come as tuples, in the order of the objects`() throws {
    try withPeople { _, _, people in
      var seen: [String] = []
      for (name, age) in people.where({ $0.age > 10 }).sorted(by: \.age, ascending: false)
        .values(\.name, \.age)
      {
        seen.append("\(name) \(age)")
      }
      expectEqual(seen, ["n4 40", "n3 30", "n2 20"])
      let names: [String] = people.values(\.name).all()
      expectEqual(names, ["n0", "n1", "n2", "n3", "n4"])
      expectEqual(people.limit(2, offset: 1).values(\.id).all(), [1, 2])
      expectEqual(people.distinct(by: ["nickname"]).values(\.id).all(), [0, 1])
      expectEqual(people.where { $0.age > 1_000 }.values(\.id).all(), [])
    }
  }

  @Test func `Values of each type are those of the objects`() throws {
    try withPeople { _, realm, people in
      try realm.write {
        let person = people[3]
        person.kind = .large
        person.maybe = .large
        person.date = Date(timeIntervalSince1970: 12_345.678)
        person.bytes = Data([1, 2, 3])
        person.price = "12.50"
        person.any = .string("a")
        person.way = Distance(meters: 4)
        person.detour = Distance(meters: 5)
        people[2].any = AnyRealmValue.fromArray([.int(1)])
        people[4].any = .fromDictionary(["a": .fromArray([.bool(true), .none])])
        people[1].any = .object(people[0])
      }
      for (person, values) in zip(
        people,
        people.values(\.kind, \.maybe, \.date, \.bytes, \.key, \.objectId, \.price, \.nickname))
      {
        expectEqual(values.0, person.kind)
        expectEqual(values.1, person.maybe)
        expectEqual(values.2, person.date)
        expectEqual(values.3, person.bytes)
        expectEqual(values.4, person.key)
        expectEqual(values.5, person.objectId)
        expectEqual(values.6, person.price)
        expectEqual(values.7, person.nickname)
      }
      for (person, values) in zip(people, people.values(\.way, \.detour)) {
        expectEqual(values.0, person.way)
        expectEqual(values.1, person.detour)
      }
      let anything = people.values(\.any).all()
      expectEqual(anything[0], AnyRealmValue.none)
      expectEqual(anything[1], AnyRealmValue.none)
      expectEqual(anything[2].listValue.map { $0.map { $0 } }, [.int(1)])
      expectEqual(anything[3], .string("a"))
      let nested = anything[4].dictionaryValue?["a"]?.listValue.map { $0.map { $0 } }
      expectEqual(nested, [.bool(true), .none])
    }
  }

  @Test func `Paths lead through links`() throws {
    try withPeople { _, _, people in
      let companies = people.values(\.id, \.company?.name, \.company?.owner?.name).all()
      expectEqual(companies.map(\.0), [0, 1, 2, 3, 4])
      expectEqual(companies.map(\.1), [nil, nil, nil, "Acme", "Acme"])
      expectEqual(companies.map(\.2), [nil, nil, nil, "n0", "n0"])
      // A limit and a condition on the same link share its join.
      let some = people.where { $0.company.name == "Acme" }.limit(1).values(\.company?.name).all()
      expectEqual(some, ["Acme"])
    }
  }

  @Test func `Lists, sets of values in memory, and objects in no realm have values`() throws {
    try withPeople { _, realm, people in
      try realm.write {
        people[0].friends.append(objectsIn: [people[4], people[2], people[4]])
      }
      expectEqual(people[0].friends.values(\.name).all(), ["n4", "n2", "n4"])
      expectEqual(people[0].friends.where { $0.age > 20 }.values(\.id).all(), [4, 4])
      let loose = Person()
      loose.friends.append(Person(value: ["name": "x", "age": 3]))
      let values = loose.friends.values(\.name, \.age).all()
      expectEqual(values.map(\.0), ["x"])
      expectEqual(values.map(\.1), [3])
    }
  }

  @Test func `A transaction has its changes, and a loop what was there at its beginning`() throws {
    try withPeople { _, realm, people in
      try realm.write {
        people[1].age = 99
        realm.add(Person(value: ["id": 9, "age": 1]))
        expectEqual(people.values(\.age).all(), [0, 99, 20, 30, 40, 1])
        var seen: [Int] = []
        for id in people.values(\.id) {
          seen.append(id)
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id + 1) {
            realm.delete(person)
          }
          realm.add(Person(value: ["id": 100 + id]))
        }
        expectEqual(seen, [0, 1, 2, 3, 4, 9])
      }
    }
  }

  @MainActor
  @Test func `Frozen results have the values of then, on any thread`() async throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Person.self, Company.self]))
    try realm.write { for id in 0..<300 { realm.create(Person.self, value: ["id": id]) } }
    let people = realm.objects(Person.self)
    let frozen = try people.frozen()
    try await expectEqual(people.values(\.id).load(), Array(0..<300))
    let pairs = try await people.values(\.id, \.age).load()
    expectEqual(pairs.count, 300)
    try folder.execute("DELETE FROM Person WHERE id < 200")
    let read = await Task.detached { frozen.read { $0.values(\.id).all() } }.value
    expectEqual(read, Array(0..<300))
    realm.refresh()
    try await expectEqual(people.values(\.id).load().count, 100)
    await #expect(throws: Realm.Error.self) { try await people.values(\.initial).load() }
    realm.invalidate()
    expectEqual(people.values(\.id).all(), [])
    try await expectEqual(people.values(\.id).load(), [])
  }

  @Test func `A key path to no single value of the file is a mistake, which gives none`() throws {
    try withPeople { _, realm, people in
      let message =
        "Cannot read values of 'Person': key path 2 leads to no property that the file has. Name "
        + "'@Persisted' properties, or go through the objects."
      expectIssue(message) { expectEqual(people.values(\.name, \.initial).all().count, 0) }
      expectError(message) {
        try realm.write { _ = people.values(\.name, \.initial).all() }
      }
      expectIssue(
        "Cannot read values on key path 'friends.name': property 'Person.friends' is of unsupported "
          + "type 'array<Person>'"
      ) { expectEqual(people.values(\.friends[0].name).all(), []) }
    }
  }

  @Test func `A value of another type is reported, and is the zero`() throws {
    try withPeople { folder, realm, people in
      try folder.execute("UPDATE Person SET kind = 'huge' WHERE id = 1")
      realm.refresh()
      expectIssue("'Person.kind' of a row holds no value of its type") {
        expectEqual(people.values(\.kind).all(), [.small, .small, .small, .small, .small])
      }
    }
  }

  @Test func `An index that has everything is all that is read`() throws {
    try withPeople { _, realm, people in
      let ages = people.where { $0.age > 10 }.sorted(by: \.age)
      expectEqual(ages.values(\.age).all(), [20, 30, 40])
      guard case .objects(let objects) = ages.source else {
        Issue.record("There are no objects in a realm.")
        return
      }
      let queryClass = try #require(objects.queryClass)
      let resolver = OrderPathResolver(
        objects.session.store.tableSet.querySchema, verb: "read values", needsOrder: false)
      let statement = try objects.query.selecting(
        [resolver.resolve("age", of: queryClass)], of: queryClass)
      let plan = try realm.withDatabase { db in
        try Row.fetchAll(
          db, sql: "EXPLAIN QUERY PLAN " + statement.sql.replacing("?1", with: "10")
        ).map { $0["detail"] as String }
      }
      expectTrue(plan.contains { $0.contains("USING COVERING INDEX") }, "\(plan)")
    }
  }
}
