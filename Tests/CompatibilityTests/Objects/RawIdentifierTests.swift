import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class `we"ird class`: Object {
    @Persisted(primaryKey: true) var `the id`: Int
    @Persisted var `first-name` = ""
    @Persisted(indexed: true) var `1st` = 0
    @Persisted var `other one`: `we"ird class`?
    @Persisted var `all tags`: List<String>
    @Persisted var `in between`: `a part`?
    @Persisted(originProperty: "other one") var `the others`: LinkingObjects<`we"ird class`>

    override class func propertiesMapping() -> [String: String] { ["1st": "first place"] }
  }

  class `a part`: EmbeddedObject {
    @Persisted var `zip code` = ""
  }

  static let types: [ObjectBase.Type] = [`we"ird class`.self, `a part`.self]
}

private typealias Weird = V0.`we"ird class`

private class KeyByName: Object {
  @Persisted var `my key` = ""
  override class func primaryKey() -> String? { "my key" }
  override class func indexedProperties() -> [String] { ["my key"] }
}

/// Classes and properties with names in backticks.
@Suite("Raw identifiers") struct RawIdentifierTests {
  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      let first = realm.create(
        Weird.self,
        value: [
          "the id": 1, "first-name": "Ada", "1st": 2, "all tags": ["x"],
          "in between": ["zip code": "0150"],
        ] as [String: Any])
      realm.create(Weird.self, value: [2, "Bo", 1, first] as [Any])
    }
    return file
  }

  @Test func `A name is what stands between the backticks`() throws {
    expectEqual(Weird.className(), "we\"ird class")
    let schema = Weird().objectSchema
    expectEqual(
      schema.names, ["the id", "first-name", "1st", "other one", "all tags", "in between"])
    expectEqual(schema["1st"]?.columnName, "first place")
    expectEqual(schema["first-name"]?.columnName, "first-name")
    expectEqual(schema.primaryKeyProperty?.name, "the id")
    expectEqual(schema["in between"]?.objectClassName, "a part")
    expectEqual(KeyByName().objectSchema.primaryKeyProperty?.name, "my key")
  }

  @Test
  func `Subscripts, dictionaries, keys, sorting and key paths accept raw identifiers`() throws {
    let file = try filled()
    try file.open(V0.types) { realm in
      let objects = realm.objects(Weird.self)
      let ada = try #require(realm.object(ofType: Weird.self, forPrimaryKey: 1))
      expectTrue(ada["first-name"] as? String == "Ada" && ada.`in between`?.`zip code` == "0150")
      expectTrue(ada.value(forKey: "1st") as? Int == 2 && Array(ada.`all tags`) == ["x"])
      expectEqual(ada.`the others`.map(\.`first-name`), ["Bo"])
      expectEqual(objects.sorted(byKeyPath: "first-name", ascending: false).first?.`the id`, 2)
      expectEqual(objects.sorted(by: \.`1st`).first?.`the id`, 2)
      expectEqual(objects.max(of: \.`1st`), 2)
      try realm.write {
        ada["first-name"] = "Eva"
        realm.create(Weird.self, value: ["the id": 2, "first-name": "Bob"], update: .modified)
      }
      expectEqual(objects.map(\.`first-name`), ["Eva", "Bob"])
    }
  }

  @Test func `Descriptions and errors show raw identifiers`() throws {
    let part = V0.`a part`(value: ["0150"])
    expectEqual(part.description, "a part {\n\tzip code = 0150;\n}")
    expectTrue(Weird().`all tags`.description.hasPrefix("List<String>"))
    let list = List<Weird>()
    expectTrue(list.description.hasPrefix("List<we\"ird class> <"))
    expectIssue("Invalid value '1' of type 'Int' for 'string' property 'a part.zip code'.") {
      _ = V0.`a part`(value: ["zip code": 1])
    }
  }

  @Test func `Migrations use raw identifiers as names`() throws {
    let file = try filled()
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "we\"ird class") { old, new in
        new!["first-name"] = "\(old!["first-name"] as! String)!"
      }
    }
    try expectEqual(file.values("we\"ird class", "first-name"), ["Ada!", "Bo!"])
    try expectEqual(file.values("we\"ird class", "first place"), ["2", "1"])
  }
}
