import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// The example of docs/file-format.md for relationships: a real file has this form, and the queries
/// return the rows of the objects.
@Suite("The file format, as documented")
struct FileFormatQueriesTests {
  let folder: TestFolder
  let document: Document

  enum Kennel {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var favourite: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var nicknames: MutableSet<String>
      @Persisted var dogsByRole: Map<String, Dog?>
      @Persisted var address: Address?
      @Persisted var note: AnyRealmValue
    }
    class Dog: Object {
      @Persisted var name = ""
      @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    }
    class Address: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
    }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
  }

  /// The same with an address that several people may share.
  enum Shared {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var address: Address?
    }
    class Address: Object {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
    }
    static let types: [ObjectBase.Type] = [Person.self, Address.self]
  }

  init() throws {
    folder = try TestFolder()
    document = try Document("docs/file-format.md")
  }

  private func fill(_ realm: Realm) throws {
    try realm.write {
      let names = ["Rex", "Bello", "Luna"]
      let dogs = names.map { realm.create(Kennel.Dog.self, value: ["name": $0]) }
      let quay = ["street": "7 Quay Street", "city": "Porto"]
      let ada = realm.create(
        Kennel.Person.self, value: ["name": "Ada", "address": quay] as [String: Any])
      let bob = realm.create(
        Kennel.Person.self,
        value: ["name": "Bob", "address": ["street": "7 Quay Street", "city": "Faro"]])
      realm.create(Kennel.Person.self, value: ["name": "Carl"])
      ada.dogs.append(objectsIn: [dogs[2], dogs[0], dogs[1]])
      bob.dogs.append(objectsIn: [dogs[1], dogs[1]])
      ada.note = .object(dogs[0])
      ada.dogsByRole["guard"] = dogs[0]
      ada.favourite = dogs[0]
    }
  }

  private func rows(_ heading: String) throws -> [String] {
    let blocks = document.blocks(under: heading, language: "sql")
    expectEqual(blocks.count, 1, "there is one query under '\(heading)'")
    return try folder.sql { db in
      try Row.fetchAll(db, sql: blocks.first ?? "").map { row in
        row.databaseValues.map { String.fromDatabaseValue($0) ?? "NULL" }.joined(separator: " ")
      }
    }
  }

  @Test func `The documented schema is that of a file`() throws {
    try folder.open(Kennel.types) { _ in }
    let statements = try folder.texts(
      """
      SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
      AND tbl_name NOT LIKE 'sqlite%' AND tbl_name NOT LIKE 'grdb%' AND tbl_name NOT LIKE 'strata%'
      """)
    let shown = document.blocks(under: "With relationships", language: "console").joined()
      .replacing("IF NOT EXISTS ", with: "")
    for statement in statements {
      expectTrue(shown.contains(statement + ";"), "\(statement) is not in the document")
    }
    let count = shown.components(separatedBy: "\nCREATE ").count - 1
    expectEqual(count, statements.count, "the document shows \(count)")
  }

  @Test func `A query finds the dogs of each person, in order`() throws {
    let heading = "Which dogs does each person have, in order"
    try folder.open(Kennel.types) { realm in
      try fill(realm)
      try expectEqual(
        rows(heading), ["Ada Luna", "Ada Rex", "Ada Bello", "Bob Bello", "Bob Bello"])
      let ada = try #require(realm.objects(Kennel.Person.self).first)
      try realm.write {
        ada.dogs.move(from: 2, to: 0)
        ada.dogs.remove(at: 1)
        ada.dogs.insert(ada.dogs[0], at: 1)
      }
      let people = realm.objects(Kennel.Person.self)
      let expected = people.flatMap { person in
        person.dogs.map { "\(person.name) \($0.name)" }
      }
      try expectEqual(rows(heading), expected)
      expectEqual(expected.prefix(3), ["Ada Bello", "Ada Bello", "Ada Rex"])
    }
  }

  @Test func `A query finds the residents of an embedded address`() throws {
    try folder.open(Kennel.types) { realm in
      try fill(realm)
      try expectEqual(rows("Who lives at this address"), ["Ada"])
      let residents = realm.objects(Kennel.Person.self).first?.address?.residents
      expectEqual(residents?.map(\.name), ["Ada"])
    }
  }

  @Test func `A query finds the residents of an address that several people link to`() throws {
    try folder.open(Shared.types) { realm in
      try realm.write {
        let address = Shared.Address(value: ["street": "7 Quay Street", "city": "Porto"])
        for name in ["Ada", "Bob"] {
          realm.create(Shared.Person.self, value: ["name": name]).address = address
        }
        realm.create(Shared.Person.self, value: ["name": "Carl"])
      }
      try expectEqual(rows("Who lives at this address"), ["Ada", "Bob"])
      expectEqual(realm.objects(Shared.Address.self).first?.residents.count, 2)
    }
  }

  @Test func `Rows that another program deletes leave nothing behind`() throws {
    try folder.open(Kennel.types) { realm in try fill(realm) }
    try folder.execute(
      """
      PRAGMA foreign_keys = OFF;
      DELETE FROM "Dog" WHERE "name" = 'Rex';
      DELETE FROM "Person" WHERE "name" = 'Bob';
      """)
    try expectEqual(
      rows("Which dogs does each person have, in order"), ["Ada Luna", "Ada Bello"])
    try folder.open(Kennel.types) { realm in
      let ada = try #require(realm.objects(Kennel.Person.self).first)
      expectTrue(ada.favourite == nil && ada.note == .none)
      expectTrue(ada.dogsByRole.keys == ["guard"] && ada.dogsByRole["guard"] == .some(nil))
    }
    try expectEqual(
      folder.texts("SELECT city FROM Address"), ["Porto"])
    try expectTrue(folder.isSound())
  }
}

/// A document of this package, and the blocks of code in it.
struct Document {
  private let lines: [Substring]

  init(_ path: String, sourceFile: String = #filePath) throws {
    var folder = URL(fileURLWithPath: sourceFile)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The blocks of a language between a heading and the next one.
  func blocks(under heading: String, language: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring] = []
    var fence: Substring?
    var isFound = false
    for line in lines {
      if line.hasPrefix("```") {
        if isFound, fence == "```\(language)" { blocks.append(block.joined(separator: "\n")) }
        fence = fence == nil ? line : nil
        block = []
      } else if fence != nil {
        block.append(line)
      } else if line.hasPrefix("#") {
        isFound = line.drop { $0 == "#" }.dropFirst() == heading
      }
    }
    return blocks
  }
}
