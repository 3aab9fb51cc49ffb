import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Creation of objects with plain values, whose rows are written in batches.
@Suite("Creating many objects in a block", .rowsAtOnce(1_000))
struct ManyCreationsTests {
  enum V0 {
    class Person: Object { @Persisted var name = "" }
  }
  enum V1 {
    enum Kind: String, PersistableEnum { case a, b }
    class Person: Object {
      @Persisted var name = ""
      @Persisted var card: Card?
    }
    class Card: Object {
      @Persisted(primaryKey: true) var title = ""
      @Persisted var kind = Kind.b
      @Persisted var small: Int8 = 5
      @Persisted var price: Double?
      @Persisted var owner: Person?
      @Persisted var tags: List<String>
    }
    static let types: [ObjectBase.Type] = [Person.self, Card.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      for number in 0..<1_500 { realm.create(V0.Person.self, value: ["name": "p\(number)"]) }
    }
  }

  @Test func `Created objects keep their order, whatever their values need`() throws {
    try folder.open(
      V1.types, version: 1,
      { migration, _ in
        var number = 0
        migration.enumerateObjects(ofType: "Person") { old, new in
          var values: [String: Any] = ["title": "t\(number)", "price": Double(number)]
          switch number % 10 {
          case 1: values["kind"] = "a"
          case 2: values["tags"] = ["x", "y"]
          case 3: values["owner"] = new
          case 4: values["small"] = 7
          case 5: values["owner"] = ["name": "made"]
          default: break
          }
          let card = migration.create("Card", value: values)
          if number % 10 == 6 { card["price"] = nil }
          if number % 10 == 7 { expectEqual(card["title"] as? String, "t\(number)") }
          new!["card"] = card
          number += 1
        }
      }
    ) { realm in
      let people = realm.objects(V1.Person.self)
      expectEqual(people.count, 1_500 + 150)
      for (number, person) in people.prefix(1_500).enumerated() {
        let card = person.card
        expectEqual(card?.title, "t\(number)")
        expectEqual(card?.kind, (number % 10 == 1 ? .a : .b))
        expectEqual(card?.small, (number % 10 == 4 ? 7 : 5))
        expectEqual(card?.price, (number % 10 == 6 ? nil : Double(number)))
        expectEqual(card?.tags.count, (number % 10 == 2 ? 2 : 0))
        expectEqual((card?.owner?.name == person.name), (number % 10 == 3))
        expectEqual((card?.owner?.name == "made"), (number % 10 == 5))
      }
    }
    try expectEqual(
      folder.sql { try Int.fetchAll($0, sql: "SELECT _id FROM Card ORDER BY _id") },
      Array(1...1_500))
  }

  @Test(arguments: [0, 1, 1_400])
  func `Many creations refuse the values that a single one refuses`(number: Int) throws {
    let values: [(value: [String: any Sendable], message: String)] = [
      (["kind": "c"], "Invalid value 'c' of type 'String' for 'string' property 'Card.kind'."),
      (["small": 300], "Invalid value '300' of type 'Int' for 'int' property 'Card.small'."),
      (["price": "x"], "Invalid value 'x' of type 'String' for 'double?' property 'Card.price'."),
    ]
    for (value, message) in values {
      let error = try folder.expectUntouched(V1.types, version: 1) { migration, _ in
        for count in 0..<1_500 {
          var all: [String: Any] = ["title": "t\(count)"]
          if count == number { all.merge(value) { $1 } }
          migration.create("Card", value: all)
        }
      }
      expectEqual(error?.message, message)
    }
  }

  @Test(arguments: [1, 3, 700])
  func `Objects are created for each object of a loop, one or very many`(each: Int) throws {
    try folder.open(
      V1.types, version: 1,
      { migration, _ in
        var number = 0
        migration.enumerateObjects(ofType: "Person") { _, new in
          guard each < 10 || number < 5 else { return }
          for index in 0..<each {
            let title = "t\(number).\(index)"
            let card = migration.create("Card", value: ["title": title])
            if index == 0 { new!["card"] = card }
          }
          number += 1
        }
      }
    ) { realm in
      let people = Array(realm.objects(V1.Person.self).prefix(each < 10 ? 1_500 : 5))
      expectEqual(people.map { $0.card?.title }, people.indices.map { "t\($0).0" })
      let titles = people.indices.flatMap { number in (0..<each).map { "t\(number).\($0)" } }
      expectEqual(realm.objects(V1.Card.self).map(\.title), titles)
    }
  }

  @Test
  func `Creating ends with the error of a statement that failed while the closure ran`() throws {
    let folder = try TestFolder()
    try folder.write(V1.types) { realm in
      for number in 0..<2_500 { realm.create(V1.Person.self, value: ["name": "p\(number)"]) }
    }
    try folder.execute(
      """
      CREATE TRIGGER guard AFTER INSERT ON Card WHEN new.title = 't700'
      BEGIN SELECT RAISE(ABORT, 'No t700'); END
      """)
    let before = try folder.dump()
    expectError(containing: "No t700") {
      try folder.open(
        V1.types, version: 1,
        { migration, _ in
          var number = 0
          migration.enumerateObjects(ofType: "Person") { _, _ in
            migration.create("Card", value: ["title": "t\(number)"])
            number += 1
          }
          expectTrue(number < 2_500)
        }
      ) { _ in }
    }
    try expectEqual(folder.dump(), before)
  }

  @Test func `Created objects with the same key are found when the block ends`() throws {
    let error = try folder.expectUntouched(V1.types, version: 1) { migration, _ in
      for _ in 0..<2 { migration.create("Card", value: ["title": "same"]) }
    }
    expectEqual(
      error?.message.contains("Primary key property 'Card.title' has duplicate values"), true)
  }

  @Test func `Many objects of a class that has nothing but collections are created`() throws {
    let block: MigrationBlock = { migration, _ in
      migration.create("Bag")
      migration.create("Bag", value: ["words": ["a", "b"]])
    }
    try folder.open([V0.Person.self, Bag.self], version: 1, block) { realm in
      expectEqual(realm.objects(Bag.self).map { Array($0.words) }, [[], ["a", "b"]])
    }
  }

  private class Bag: Object {
    @Persisted var words: List<String>
  }
}
