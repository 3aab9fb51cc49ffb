import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Kind: String, PersistableEnum { case a, b }

private enum V0 {
  class Everything: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name = ""
    @Persisted var note: String?
    @Persisted var kind = Kind.a
    @Persisted var small: Int8
    @Persisted var anything: AnyRealmValue
    @Persisted var anythings: List<AnyRealmValue>
    @Persisted var link: Everything?
    @Persisted var part: Part?
    @Persisted var numbers: List<Int?>
    @Persisted var texts: MutableSet<String>
    @Persisted var byName: Map<String, Double>
    @Persisted var links: Map<String, Everything?>
    @Persisted(originProperty: "link") var origins: LinkingObjects<Everything>
    var plain = 0
  }

  class Part: EmbeddedObject { @Persisted var x = 0 }

  class KeyAndIndex: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var x = 0
    override class func indexedProperties() -> [String] { ["id"] }
  }

  static let types: [ObjectBase.Type] = [Everything.self, Part.self, KeyAndIndex.self]
}

/// The properties in `objectSchema` and `schema`.
@Suite("Properties of schemas") struct PropertyMetadataTests {
  private let schema = V0.Everything().objectSchema

  private func property(_ name: String) throws -> Property { try #require(schema[name]) }

  @Test func `A primary key is indexed`() throws {
    try expectTrue(property("id").isIndexed && schema.primaryKeyProperty?.isIndexed == true)
    try expectTrue(property("name").isIndexed && !property("note").isIndexed)
    let file = try TestFile()
    try file.open(V0.types) { realm in
      expectEqual(realm.schema["Everything"]?["id"]?.isIndexed, true)
      expectEqual(realm.schema["KeyAndIndex"]?["id"]?.isIndexed, true)
    }
    try expectEqual(file.storedSchema()["Everything"]?["id"]?.isIndexed, true)
  }

  @Test func `An AnyRealmValue is not optional`() throws {
    try expectTrue(!property("anything").isOptional && !property("anythings").isOptional)
    try expectEqual(property("anything").type, .any)
    let file = try TestFile()
    try file.open(V0.types) { realm in
      expectEqual(realm.schema["Everything"]?["anything"]?.isOptional, false)
    }
    try expectEqual(file.storedSchema()["Everything"]?["anything"]?.isOptional, false)
  }

  @Test func `Optionals are optional, and so are links and objects in maps`() throws {
    for name in ["note", "link", "part", "numbers", "links"] {
      try expectTrue(property(name).isOptional, "\(name)")
    }
    for name in ["id", "name", "kind", "small", "texts", "byName"] {
      try expectFalse(property(name).isOptional, "\(name)")
    }
  }

  @Test func `Collections say which they are, and what they hold`() throws {
    try expectTrue(property("numbers").isArray && property("numbers").type == .int)
    try expectTrue(property("texts").isSet && property("texts").type == .string)
    try expectTrue(property("byName").isMap && property("byName").type == .double)
    try expectTrue(!property("name").isArray && !property("name").isSet && !property("name").isMap)
    try expectEqual(property("links").objectClassName, "Everything")
    try expectTrue(property("part").objectClassName == "Part" && property("link").type == .object)
    try expectNil(property("numbers").objectClassName)
  }

  @Test
  func `Types are those of the file, with raw values of enums and one type of integers`() throws {
    try expectTrue(property("kind").type == .string && property("small").type == .int)
  }

  @Test
  func `Properties that aren't persisted are missing, and linking objects are found by name only`()
    throws
  {
    expectTrue(schema["plain"] == nil && schema["nothing"] == nil)
    expectTrue(!schema.names.contains("origins") && schema["origins"]?.type == .linkingObjects)
    expectTrue(schema.className == "Everything" && schema.names.first == "id")
  }

  @Test
  func `Equal schemas have the same content, and a schema has a line for each property`() throws {
    let file = try TestFile()
    try file.open(V0.types) { realm in
      expectTrue(realm.schema == realm.schema && realm.schema["Nothing"] == nil)
      let other = try #require(realm.schema["Part"])
      expectTrue(realm.schema["Everything"] == schema && other != schema)
      try expectTrue(schema["id"] == property("id") && schema["id"] != schema["name"])
      expectTrue(realm.schema.description.contains("name: string (indexed)"))
      expectEqual(other.description, "Part (embedded) {\n  x: int\n}")
    }
  }

  @Test func `Metadata of properties doesn't change the file`() throws {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(V0.Everything.self, value: ["id": 1, "anything": 2] as [String: Any])
      realm.create(V0.KeyAndIndex.self, value: ["a"])
    }
    let before = try Data(contentsOf: file.url)
    let problems = try Realm.problems(for: file.configuration(V0.types))
    expectTrue(problems.isEmpty)
    for _ in 0..<2 {
      try file.open(V0.types) { expectEqual($0.objects(V0.Everything.self).first?.anything, 2) }
    }
    try expectEqual(file.version, 0)
    try expectEqual(Data(contentsOf: file.url), before)
  }

  @Test func `The file keeps the metadata as it always has`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func json(_ name: String) throws -> String {
      String(decoding: try encoder.encode(try property(name)), as: UTF8.self)
    }
    try expectEqual(json("id"), #"{"name":"id","type":"int"}"#)
    try expectEqual(json("anything"), #"{"name":"anything","optional":true,"type":"mixed"}"#)
    try expectEqual(json("name"), #"{"indexed":true,"name":"name","type":"string"}"#)
  }
}
