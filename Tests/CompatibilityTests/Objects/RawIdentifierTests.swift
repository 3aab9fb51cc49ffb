import Foundation
import Strata
import StrataTestKit
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

/// Classes and properties whose names stand between backticks.
@Suite("Raw identifiers") struct RawIdentifierTests {
  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.fill(V0.types) { realm in
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
    #expect(Weird.className() == "we\"ird class")
    let schema = Weird().objectSchema
    #expect(
      schema.names
        == ["the id", "first-name", "1st", "other one", "all tags", "in between"])
    #expect(schema["1st"]?.columnName == "first place")
    #expect(schema["first-name"]?.columnName == "first-name")
    #expect(schema.primaryKeyProperty?.name == "the id")
    #expect(schema["in between"]?.objectClassName == "a part")
    #expect(KeyByName().objectSchema.primaryKeyProperty?.name == "my key")
  }

  @Test
  func `Subscripts, dictionaries, keys, sorting and key paths accept raw identifiers`() throws {
    let file = try filled()
    try file.open(V0.types) { realm in
      let objects = realm.objects(Weird.self)
      let ada = try #require(realm.object(ofType: Weird.self, forPrimaryKey: 1))
      #expect(ada["first-name"] as? String == "Ada" && ada.`in between`?.`zip code` == "0150")
      #expect(ada.value(forKey: "1st") as? Int == 2 && Array(ada.`all tags`) == ["x"])
      #expect(ada.`the others`.map(\.`first-name`) == ["Bo"])
      #expect(objects.sorted(byKeyPath: "first-name", ascending: false).first?.`the id` == 2)
      #expect(objects.sorted(by: \.`1st`).first?.`the id` == 2)
      #expect(objects.max(of: \.`1st`) == 2)
      try realm.write {
        ada["first-name"] = "Eva"
        realm.create(Weird.self, value: ["the id": 2, "first-name": "Bob"], update: .modified)
      }
      #expect(objects.map(\.`first-name`) == ["Eva", "Bob"])
    }
  }

  @Test func `Descriptions and errors show raw identifiers`() throws {
    let part = V0.`a part`(value: ["0150"])
    #expect(part.description == "a part {\n\tzip code = 0150;\n}")
    #expect(Weird().`all tags`.description.hasPrefix("List<String>"))
    let list = List<Weird>()
    #expect(list.description.hasPrefix("List<we\"ird class> <"))
    withKnownIssue {
      _ = V0.`a part`(value: ["zip code": 1])
    } matching: {
      "\($0)".contains(
        "Invalid value '1' of type 'Int' for 'string' property 'a part.zip code'.")
    }
  }

  @Test func `Migrations use raw identifiers as names`() throws {
    let file = try filled()
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "we\"ird class") { old, new in
        new!["first-name"] = "\(old!["first-name"] as! String)!"
      }
    }
    #expect(try file.values("we\"ird class", "first-name") == ["Ada!", "Bo!"])
    #expect(try file.values("we\"ird class", "first place") == ["2", "1"])
  }
}
