import Foundation
import RealmFileKit
import StrataSchema
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmFile
@testable import StrataRealmImport

@Suite("Converted schemas")
struct ConvertedSchemaTests {
  @Test(
    arguments: [
      "all-types", "compacted", "empty-schema", "evolved", "fragmented", "integers", "links",
      "many", "mixed", "never-written", "no-objects", "older-10", "older-22", "primary-keys",
      "strings", "tombstones", "unversioned",
    ] + RealFile.upgraded)
  func `The schema of each real file can be one of SQLite`(name: String) throws {
    let file = try RealmFile(RealFile.url(name))
    let converted = ConvertedSchema(file)
    expectEqual(converted.problems, [])
    expectEqual(converted.omissions, [])
    expectEqual(converted.schema.objectSchema.count, file.classes.count)
    for item in file.classes {
      let schema = try #require(converted.schema[item.name])
      expectEqual(schema.properties.map(\.name), item.properties.map(\.name))
      expectEqual(schema.primaryKey, item.primaryKey)
      expectEqual(schema.isEmbedded, (item.kind == .embedded))
    }
  }

  @Test func `Properties keep their types, links and indexes`() throws {
    let links = try #require(ConvertedSchema(RealmFile(RealFile.url("links"))).schema["Person"])
    let types = links.properties.map { "\($0.name): \($0.typeName)\($0.isOptional ? "?" : "")" }
    expectEqual(
      types.prefix(7),
      [
        "name: string", "dog: <Dog>?", "dogs: array<Dog>", "dogSet: set<Dog>",
        "dogMap: dictionary<string, Dog>?", "friend: <Person>?", "address: <Address>?",
      ])
    let row = try #require(ConvertedSchema(RealmFile(RealFile.url("many"))).schema["Row"])
    expectEqual(row.primaryKeyProperty?.name, "_id")
    expectTrue(row.properties.contains { $0.wantsIndex && $0.name != "_id" })
    expectEqual(row.properties.filter(\.wantsTextIndex).count, 1)
  }

  @Test func `Each type has its counterpart`() {
    let names = RealmPropertyType.allCases.map { PropertyType($0).rawValue }
    expectEqual(
      names,
      [
        "int", "bool", "float", "double", "string", "data", "date", "decimal", "object id", "uuid",
        "mixed", "object",
      ])
    expectEqual(RealmCollectionKind.allCases.map { CollectionKind($0) }, [.list, .set, .map])
  }

  @Test func `What a synchronised file keeps for itself is left out`() {
    let link = RealmProperty(
      name: "user", type: .object, isOptional: true, collection: nil, target: "__User", index: nil)
    let name = RealmProperty(
      name: "name", type: .string, isOptional: false, collection: nil, target: nil, index: nil)
    let classes = [
      RealmClass(
        name: "Person", kind: .object, primaryKey: nil, properties: [name, link], count: 0),
      RealmClass(name: "__User", kind: .object, primaryKey: nil, properties: [name], count: 0),
      RealmClass(name: "Event", kind: .asymmetric, primaryKey: nil, properties: [name], count: 0),
    ]
    let converted = ConvertedSchema(classes, isSynchronised: true)
    expectEqual(converted.schema.objectSchema.map(\.className), ["Person"])
    expectEqual(converted.schema["Person"]?.properties.map(\.name), ["name"])
    expectEqual(
      converted.omissions,
      [
        ConversionFinding(.bookkeepingClass, className: "__User"),
        ConversionFinding(.asymmetricClass, className: "Event"),
        ConversionFinding(.omittedProperty, className: "Person", property: "user"),
      ])
    let local = ConvertedSchema(Array(classes.prefix(2)), isSynchronised: false)
    expectTrue(local.schema.objectSchema.count == 2 && local.omissions == [])
  }

  @Test func `Classes of permissions are left out of any file where that was chosen`() {
    let name = RealmProperty(
      name: "name", type: .string, isOptional: false, collection: nil, target: nil, index: nil)
    let names = [
      "Person", "__Class", "__Permission", "__Realm", "__Role", "__User", "__Mine",
    ]
    let classes = names.map {
      RealmClass(name: $0, kind: .object, primaryKey: nil, properties: [name], count: 0)
    }
    let local = ConvertedSchema(classes, isSynchronised: false, omitsBookkeeping: true)
    expectEqual(local.schema.objectSchema.map(\.className), ["Person", "__Mine"])
    expectEqual(
      local.omissions, names[1...5].map { ConversionFinding(.bookkeepingClass, className: $0) })
    let kept = ConvertedSchema(classes, isSynchronised: false)
    expectTrue(kept.schema.objectSchema.count == 7 && kept.omissions == [])
  }

  @Test func `A class that is named as a collection is converted beside it`() {
    // The naming of App Services: reviews of listings are objects of 'listingsAndReview_reviews'.
    let name = RealmProperty(
      name: "name", type: .string, isOptional: false, collection: nil, target: nil, index: nil)
    let reviews = RealmProperty(
      name: "reviews", type: .object, isOptional: false, collection: .list,
      target: "listingsAndReview_reviews", index: nil)
    let converted = ConvertedSchema(
      [
        RealmClass(
          name: "listingsAndReview", kind: .object, primaryKey: nil, properties: [reviews], count: 0
        ),
        RealmClass(
          name: "listingsAndReview_reviews", kind: .embedded, primaryKey: nil, properties: [name],
          count: 0),
      ], isSynchronised: true)
    expectEqual(converted.problems, [])
    expectEqual(
      converted.schema.objectSchema.flatMap(\.collectionTables).map(\.name),
      [
        "listingsAndReview_reviews_elements"
      ])
  }

  @Test func `Names that SQLite can't tell from each other are problems`() {
    let classes = ["Person", "person"].map { name in
      RealmClass(
        name: name, kind: .object, primaryKey: nil,
        properties: [
          RealmProperty(
            name: "name", type: .string, isOptional: false, collection: nil, target: nil, index: nil
          )
        ], count: 0)
    }
    expectEqual(
      ConvertedSchema(classes, isSynchronised: false).problems,
      [
        .classesDifferOnlyInCase("Person", "person")
      ])
  }
}
