import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Indexes of several properties: the queries for which SQLite uses them, and their migration.
@Suite struct CompoundIndexTests {
  enum Plain {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var city = ""
      @Persisted var age = 0
      @Persisted var score = 0.0
      @Persisted var home: Place?
    }
    class Place: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var number = 0
    }
    static let types: [ObjectBase.Type] = [Person.self, Place.self]
  }

  enum Indexed {
    class Named: Object {
      @Persisted var name = ""
      @Persisted var city = ""
      override class func compoundIndexes() -> [[String]] { [["city", "name"]] }
    }
    class Person: Named {
      @Persisted var age = 0
      @Persisted var score = 0.0
      @Persisted var home: Place?
      override class func compoundIndexes() -> [[String]] {
        super.compoundIndexes() + [["city", "age", "score"]]
      }
    }
    class Pupil: Named {
      @Persisted var form = 0
    }
    class Place: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var number = 0
      override class func compoundIndexes() -> [[String]] { [["street", "number"]] }
    }
    static let types: [ObjectBase.Type] = [Person.self, Pupil.self, Place.self]
  }

  enum Renamed {
    class Human: Object {
      @Persisted var name = ""
      @Persisted var town = ""
      @Persisted var age = ""
      @Persisted var score = 0.0
      override class func compoundIndexes() -> [[String]] {
        [["town", "name"], ["town", "age", "score"]]
      }
    }
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func makePlainFile() throws {
    try folder.write(Plain.types) { realm in
      for number in 0..<6 {
        realm.create(
          Plain.Person.self,
          value: [
            "name": "\(number)", "city": number < 4 ? "Oslo" : "Porto", "age": 10 - number,
            "score": Double(number), "home": ["street": "Quay", "number": number],
          ] as [String: Any])
      }
    }
  }

  private func indexes() throws -> [String] {
    try folder.texts(
      """
      SELECT sql FROM sqlite_schema WHERE type = 'index' AND name LIKE '%, %' ORDER BY sql
      """)
  }

  private static let all = [
    #"CREATE INDEX "Person.city, age, score" ON "Person"("city", "age", "score")"#,
    #"CREATE INDEX "Person.city, name" ON "Person"("city", "name")"#,
    #"CREATE INDEX "Place.street, number" ON "Place"("street", "number")"#,
    #"CREATE INDEX "Pupil.city, name" ON "Pupil"("city", "name")"#,
  ]

  @Test func `Indexes come and go at the same version, also by inheritance`() throws {
    try makePlainFile()
    try expectEqual(indexes(), [])
    try folder.open(Indexed.types) { realm in
      expectEqual(realm.schema["Person"]?.compoundIndexes.count, 2)
    }
    try expectEqual(indexes(), Self.all)
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
    try folder.open(Plain.types) { _ in }
    try expectEqual(
      indexes(), [Self.all[3]], "A class that the program doesn't have keeps its table.")
  }

  @Test func `A new file has the indexes at once`() throws {
    try folder.open(Indexed.types) { _ in }
    try expectEqual(indexes(), Self.all)
  }

  private func plan(_ realm: Realm, _ sql: String) throws -> String {
    try realm.withDatabase { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        .joined(separator: "; ")
    }
  }

  @Test func `Conditions, sorts under an equality and aggregates use an index`() throws {
    try makePlainFile()
    try folder.open(Indexed.types) { realm in
      let oslo = realm.objects(Indexed.Person.self).where { $0.city == "Oslo" }
      let found = oslo.where { $0.age > 8 }
      let sorted = oslo.sorted(by: \.age)
      let conditions = try plan(realm, try #require(found.sql))
      expectTrue(conditions.contains("INDEX Person.city, age, score (city=? AND age>?)"))
      let order = try plan(realm, try #require(sorted.sql))
      expectTrue(order.contains("INDEX Person.city, age, score (city=?)"))
      expectFalse(order.contains("FOR ORDER BY"))
      for results in [oslo, found] {
        let sql = try #require(results.sql)
        let rows = try #require(sql.range(of: "FROM ")).lowerBound
        let sum = "SELECT sum(t.score) \(sql[rows...].prefix { $0 != "\n" })"
        let used = try plan(realm, sum.components(separatedBy: " ORDER BY")[0])
        expectTrue(used.contains("USING COVERING INDEX Person.city, age, score"), "\(used)")
      }
      expectEqual(oslo.sum(of: \.score), 6)
      expectEqual(found.average(of: \.score), 0.5)
      expectEqual(sorted.map(\.age), [7, 8, 9, 10])
      let places = realm.objects(Indexed.Person.self).where {
        $0.home.street == "Quay" && $0.home.number == 3
      }
      expectEqual(places.map(\.name), ["3"])
    }
  }

  @Test(arguments: [false, true])
  func `An index follows the names of its class and its properties`(isRetypedBefore: Bool) throws {
    try makePlainFile()
    try folder.open(Indexed.types) { _ in }
    try folder.open(
      [Renamed.Human.self], version: 1,
      { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        if isRetypedBefore {
          migration.enumerateObjects(ofType: "Human") { old, new in
            new?["age"] = (old?["age"] as Int?).map { "\($0)" }
          }
        }
        migration.renameProperty(onType: "Human", from: "city", to: "town")
        if !isRetypedBefore {
          migration.enumerateObjects(ofType: "Human") { old, new in
            new?["age"] = (old?["age"] as Int?).map { "\($0)" }
          }
        }
      }
    ) { realm in
      expectEqual(realm.objects(Renamed.Human.self).where { $0.town == "Oslo" }.count, 4)
      expectEqual(realm.objects(Renamed.Human.self).map(\.age), ["10", "9", "8", "7", "6", "5"])
    }
    try expectEqual(
      indexes(),
      [
        #"CREATE INDEX "Human.town, age, score" ON "Human"("town", "age", "score")"#,
        #"CREATE INDEX "Human.town, name" ON "Human"("town", "name")"#,
        Self.all[2], Self.all[3],
      ])
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
  }

  @Test func `An index that another program dropped is reported, and made again`() throws {
    try folder.open(Indexed.types) { _ in }
    try folder.execute(#"DROP INDEX "Person.city, name""#)
    try expectEqual(
      Realm.problems(for: folder.configuration([])).map(\.message),
      ["The index 'Person.city, name' is missing."])
    try folder.open(Indexed.types) { _ in }
    try expectEqual(indexes(), Self.all)
  }

  @Test func `A file with indexes opens for reading without them, and dynamically`() throws {
    try makePlainFile()
    var configuration = folder.configuration(Indexed.types.filter { $0 != Indexed.Pupil.self })
    configuration.readOnly = true
    do {
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(Indexed.Person.self).where { $0.city == "Oslo" }.count, 4)
    }
    try folder.open(Indexed.types) { realm in
      let people = realm.dynamicObjects("Person")
      let found = people.filter("city == 'Oslo' AND age > 8")
      expectEqual(found.map { $0["name"] as? String }, ["0", "1"])
      try realm.write { realm.dynamicCreate("Person", value: ["city": "Oslo", "age": 20]) }
      expectEqual(found.count, 3)
    }
  }

  @Test func `A mistake in a class is an error that says where`() throws {
    class Wrong: Object {
      @Persisted var city = ""
      @Persisted var tags: List<String>
      override class func compoundIndexes() -> [[String]] {
        [["city", "tags"], ["city", "gone"]]
      }
    }
    expectError(
      ending: """
        - Property 'Wrong.tags' of type 'array<string>' cannot be a part of a compound index.
        - Property 'Wrong.gone', named by 'compoundIndexes()', does not exist.
        """, code: .fail
    ) { try folder.open([Wrong.self]) { _ in } }
  }
}
