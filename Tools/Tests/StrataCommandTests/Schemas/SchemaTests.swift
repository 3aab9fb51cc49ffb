import StrataRealmFile
import StrataSchema
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

/// Schemas that the tests of this folder share.
enum Examples {
  static let dog = ObjectSchema(
    className: "Dog", properties: [Property(name: "name", type: .string)])
  static let person = ObjectSchema(
    className: "Person",
    properties: [
      Property(name: "id", type: .UUID),
      Property(name: "bio", type: .string, isOptional: true, isIndexed: true, hasTextIndex: true),
      Property(name: "favourite", type: .object, objectClassName: "Dog", isOptional: true),
      Property(name: "dogs", type: .object, objectClassName: "Dog", collection: .list),
      Property(name: "roles", type: .object, objectClassName: "Dog", collection: .map),
      Property(name: "home", type: .object, objectClassName: "Address", isOptional: true),
      Property(name: "note", type: .any),
    ], primaryKey: "id")
  static let address = ObjectSchema(
    className: "Address", properties: [Property(name: "city", type: .string)], isEmbedded: true)

  static func document(_ classes: ObjectSchema...) -> SchemaDocument {
    SchemaDocument(path: "people.sqlite", version: 3, schema: Schema(classes))
  }
}

@Suite struct SwiftTypeTests {
  @Test func `Types are written as a class declares them`() {
    expectEqual(
      Examples.person.properties.map(\.swiftType),
      [
        "UUID", "String?", "Dog?", "List<Dog>", "Map<String, Dog?>", "Address?", "AnyRealmValue",
      ])
    let tags = Property(name: "tags", type: .int, collection: .set, isOptional: true)
    expectEqual(tags.swiftType, "MutableSet<Int?>")
    let values = Property(name: "values", type: .any, collection: .list, isOptional: true)
    expectEqual(values.swiftType, "List<AnyRealmValue>")
  }
}

@Suite struct SchemaTextTests {
  @Test func `Each class is a table`() {
    expectEqual(
      SchemaText.lines(Examples.document(Examples.dog, Examples.address, Examples.person)),
      [
        "Address (embedded)",
        "  property  type",
        "  --------  ------",
        "  city      String",
        "",
        "Dog",
        "  property  type",
        "  --------  ------",
        "  name      String",
        "",
        "Person",
        "  property   type               notes",
        "  ---------  -----------------  ------------------",
        "  id         UUID               primary key",
        "  bio        String?            indexed, full text",
        "  favourite  Dog?",
        "  dogs       List<Dog>",
        "  roles      Map<String, Dog?>",
        "  home       Address?",
        "  note       AnyRealmValue",
      ])
  }

  @Test func `A file without classes says so, and a class without properties too`() {
    expectEqual(SchemaText.lines(Examples.document()), ["The file has no classes."])
    let empty = ObjectSchema(className: "Empty", properties: [])
    expectEqual(SchemaText.lines(Examples.document(empty)), ["Empty", "  no properties"])
  }

  @Test func `A file of Realm has the same classes, and those that Strata has not`() {
    var document = Examples.document(Examples.dog)
    document.asymmetric = ["Dog"]
    expectEqual(SchemaText.lines(document).first, "Dog (asymmetric)")
  }

  @Test func `Only the classes that were asked for are shown`() throws {
    let document = Examples.document(Examples.dog, Examples.person)
    try expectEqual(document.restricted(to: ["Dog"]).schema.objectSchema.map(\.className), ["Dog"])
    try expectEqual(document.restricted(to: []), document)
    let error = #expect(throws: SchemaDocument.UnknownClass.self) {
      try document.restricted(to: ["Cat"])
    }
    expectEqual(error?.known, ["Dog", "Person"])
  }
}

@Suite struct SchemaJSONTests {
  @Test func `Every key is there for every property`() {
    expectEqual(
      JSONValue(Examples.document(Examples.dog)).indented,
      """
      {
        "file": "people.sqlite",
        "schemaVersion": 3,
        "classes": [
          {
            "name": "Dog",
            "kind": "object",
            "primaryKey": null,
            "properties": [
              {
                "name": "name",
                "type": "string",
                "target": null,
                "collection": null,
                "optional": false,
                "indexed": false,
                "fullText": false,
                "swiftType": "String"
              }
            ],
            "compoundIndexes": []
          }
        ],
        "renamed": [],
        "retired": [],
        "oldestReader": null,
        "oldestWriter": null
      }
      """)
  }
}

@Suite struct MermaidDiagramTests {
  @Test func `Classes have their properties, and arrows to what they lead to`() {
    let document = Examples.document(Examples.dog, Examples.address, Examples.person)
    expectEqual(
      MermaidDiagram.lines(document),
      [
        "classDiagram",
        "  class Address {",
        "    <<embedded>>",
        "    String city",
        "  }",
        "  class Dog {",
        "    String name",
        "  }",
        "  class Person {",
        "    UUID id, primary key",
        "    String? bio",
        "    Dog? favourite",
        "    List~Dog~ dogs",
        "    Map~String, Dog?~ roles",
        "    Address? home",
        "    AnyRealmValue note",
        "  }",
        "  Person --> \"0..1\" Dog : favourite",
        "  Person --> \"*\" Dog : dogs",
        "  Person --> \"*\" Dog : roles",
        "  Person *-- \"0..1\" Address : home",
      ])
  }

  @Test func `A file without classes gives a diagram without classes`() {
    expectEqual(MermaidDiagram.lines(Examples.document()), ["classDiagram"])
    let empty = ObjectSchema(className: "Empty", properties: [])
    expectEqual(MermaidDiagram.lines(Examples.document(empty)).last, "  class Empty")
  }

  @Test func `A link to a class that isn't shown has no arrow`() {
    expectEqual(MermaidDiagram.lines(Examples.document(Examples.person)).last, "  }")
  }

  @Test func `Names that Mermaid would misread become labels and codes`() {
    let odd = ObjectSchema(
      className: "a\"b]", properties: [Property(name: "x}y()*", type: .string)])
    let reserved = ObjectSchema(
      className: "class",
      properties: [Property(name: "l:k;", type: .object, objectClassName: "a\"b]")])
    let taken = ObjectSchema(className: "Class1", properties: [])
    expectEqual(
      MermaidDiagram.lines(Examples.document(odd, reserved, taken)),
      [
        "classDiagram",
        "  class Class1",
        "  class Class2[\"a#34;b#93;\"] {",
        "    String x#125;y#40;#41;#42;",
        "  }",
        "  class Class3[\"class\"] {",
        "    a#34;b#93;? l#58;k#59;",
        "  }",
        "  Class3 --> \"0..1\" Class2 : l#58;k#59;",
      ])
  }

  @Test(arguments: ["a\nb", "x}\n}\nclass Y {", "~~", "<<interface>>", "#35;", "`", "-->", "日本"])
  func `Whatever a class is called, the lines stay those of one class`(name: String) {
    let object = ObjectSchema(
      className: name, properties: [Property(name: name, type: .int)])
    let lines = MermaidDiagram.lines(Examples.document(object))
    expectEqual(lines.count, 4)
    expectFalse(lines[2].dropFirst(4).contains { "{}<>~`\n\"".contains($0) }, "\(lines)")
  }
}

@Suite struct SchemaComparisonTests {
  private let first = Schema([Examples.dog, Examples.person])

  @Test func `The same classes differ in nothing`() {
    let comparison = SchemaComparison(first, first)
    expectTrue(comparison.differences.isEmpty)
    expectEqual(comparison.count, 0)
    expectFalse(comparison.needsMigration)
    expectEqual(comparison.lines, [])
  }

  @Test func `Each difference has a line below its class`() {
    let new = ObjectSchema(
      className: "Person",
      properties: [
        Property(name: "id", type: .int),
        Property(name: "bio", type: .string),
        Property(name: "favourite", type: .object, objectClassName: "Dog", isOptional: true),
        Property(name: "dogs", type: .object, objectClassName: "Dog", collection: .set),
        Property(name: "roles", type: .object, objectClassName: "Dog", collection: .map),
        Property(name: "home", type: .object, objectClassName: "Address", isOptional: true),
        Property(name: "age", type: .int, isOptional: true),
      ], isEmbedded: true)
    let comparison = SchemaComparison(first, Schema([Examples.address, new]))
    expectEqual(
      comparison.lines,
      [
        "+ class Address",
        "  + city: String",
        "",
        "- class Dog",
        "  - name: String",
        "",
        "~ class Person",
        "  ~ id: UUID → Int",
        "  ~ bio: required now",
        "  ~ bio: no longer indexed",
        "  ~ bio: no full-text index now",
        "  ~ dogs: List<Dog> → MutableSet<Dog>",
        "  - note: AnyRealmValue",
        "  + age: Int?",
        "  ~ primary key: id → none",
        "  ~ embedded now",
      ])
    expectEqual(comparison.count, 11)
    expectTrue(comparison.needsMigration)
  }

  @Test func `New and missing classes and indexes need no migration`() {
    let indexed = ObjectSchema(
      className: "Dog", properties: [Property(name: "name", type: .string, isIndexed: true)])
    let comparison = SchemaComparison(first, Schema([indexed, Examples.address]))
    expectEqual(comparison.count, 3)
    expectFalse(comparison.needsMigration)
  }

  @Test func `Names are compared byte by byte`() {
    let composed = ObjectSchema(className: "\u{E9}", properties: [])
    let decomposed = ObjectSchema(className: "e\u{301}", properties: [])
    expectEqual(SchemaComparison(Schema([composed]), Schema([decomposed])).count, 2)
  }

  @Test func `Each kind of change has a name in JSON`() {
    let id = Property(name: "id", type: .int)
    let text = Property(name: "text", type: .string)
    let changes: [SchemaChange] = [
      .addClass(Examples.dog), .addProperty(class: "A", id), .removeProperty(class: "A", id),
      .changeType(class: "A", from: id, to: text), .makeOptional(class: "A", id),
      .makeRequired(class: "A", id), .addIndex(class: "A", id), .removeIndex(class: "A", id),
      .addTextIndex(class: "A", text), .removeTextIndex(class: "A", text),
      .addCompoundIndex(class: "A", ["id", "text"]),
      .removeCompoundIndex(class: "A", ["id", "text"]),
      .addPrimaryKey(class: "A", property: "id"), .removePrimaryKey(class: "A", property: "id"),
      .changePrimaryKey(class: "A", from: "id", to: "text"),
      .changeKind(class: "A", toEmbedded: true), .changeKind(class: "A", toEmbedded: false),
    ]
    let names = changes.map { change -> String in
      guard case .object(let members) = JSONValue(change),
        case .text(let name)? = members.first?.value
      else { return "" }
      return name
    }
    expectEqual(
      names,
      [
        "addClass", "addProperty", "removeProperty", "changeType", "makeOptional", "makeRequired",
        "addIndex", "removeIndex", "addTextIndex", "removeTextIndex", "addCompoundIndex",
        "removeCompoundIndex", "addPrimaryKey", "removePrimaryKey", "changePrimaryKey",
        "makeEmbedded", "makeTopLevel",
      ])
  }
}
