import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Validation")
struct SchemaValidatorTests {
  @Test func `Everything is found at once, names of tables first, then classes, then cycles`() {
    expectNoDifference(
      problems(
        model(
          "Z", key: "none",
          property("p", .double, indexed: true), property("p"), link("q", to: "Nobody")),
        model("sqlite_z", property("p")),
        model("B", embedded: true, link("b", to: "B")),
        model(
          "A", key: "d",
          property("d", .date), property("m", .any), property("m_type"),
          property("link", .object, to: "B", optional: false),
          property("set", .object, to: "B", .set)),
        model("B", embedded: true, link("b", to: "B")),
        model("z"),
        model("A_set", property("p"))),
      [
        "Type 'B' appears more than once in the schema.",
        "Type name 'sqlite_z' is reserved.",
        "Types 'Z' and 'z' differ only in case and would share one table. Rename one of them, or give "
          + "it another name in the file with '_realmObjectName()'.",
        "Column 'A.m_type' has the name of a column that 'A.m' needs. Give one of the properties "
          + "another column in 'propertiesMapping()'.",
        "Property 'A.d' of type 'date' cannot be made the primary key.",
        "Property 'A.link' of type 'object' must be nullable.",
        "Set property 'A.set' cannot contain embedded object type 'B'. "
          + "Set semantics are not applicable to embedded objects.",
        "Property 'p' appears more than once in the schema for type 'Z'.",
        "Specified primary key 'Z.none' does not exist.",
        "Property 'Z.p' of type 'double' cannot be indexed.",
        "Property 'Z.q' of type 'object' has unknown object type 'Nobody'",
        "No properties are defined for 'z'. "
          + "Did you remember to mark them with '@Persisted' in your model?",
        "Cycles containing embedded objects are not currently supported: 'B.b'",
      ])
  }

  @Test func `The order of the classes makes no difference`() {
    let classes = [
      model("b", property("x"), property("X")), model("B"), model("a", key: "k", property("x")),
      model("a.", property("x")),
    ]
    let expected = SchemaValidator.problems(in: classes)
    expectEqual(expected.count, 5)
    expectEqual(SchemaValidator.problems(in: Array(classes.reversed())), expected)
    expectEqual(SchemaValidator.problems(in: Schema(classes)), expected)
  }
}

@Suite("Validation beside the classes of a file")
struct ValidationBesideFileTests {
  private let p = property("p")

  private func besides(_ target: ObjectSchema, _ stored: ObjectSchema) -> [String] {
    SchemaValidator.problems(in: Schema(target), besides: Schema(stored)).map(\.description)
  }

  @Test func `A class that differs in case from one in the file is refused`() {
    expectEqual(
      besides(model("Person", p), model("person", p)),
      [
        "Type 'Person' differs only in case from 'person', which is in the file already. Keep "
          + "that name in the file: override '_realmObjectName()' to return 'person'."
      ])
    expectEqual(besides(model("Person", p), model("Person", p)), [])
    expectEqual(besides(model("É", p), model("é", p)), [])
  }

  @Test func `Two classes that differ in case get no sentences about their collections`() {
    let list = property("p", .int, .list)
    expectEqual(besides(model("Person", list), model("person", list)).count, 1)
  }
}
