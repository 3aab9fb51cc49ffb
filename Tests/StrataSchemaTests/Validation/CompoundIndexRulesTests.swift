import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The rules for indexes of several properties")
struct CompoundIndexRulesTests {
  private func problems(of indexes: [[String]], _ further: Property...) -> [String] {
    var schema = model(
      "Person", key: "id", indexes: indexes,
      property("id", optional: true), property("city", .string, column: "town"), property("age"),
      property("tags", .string, .set), linkingObjects("pets", from: "Dog", "owner"))
    schema.properties += further
    let dog = model("Dog", link("owner", to: "Person"))
    return SchemaValidator.problems(in: Schema(schema, dog)).map(\.description)
  }

  @Test func `Two and more properties in any order keep the rules`() {
    expectEqual(problems(of: [["city", "age"], ["age", "city"], ["id", "age", "city"]]), [])
  }

  @Test func `Each type that a condition searches in a column may be a part`() {
    let types: [PropertyType] = [
      .int, .bool, .float, .double, .string, .date, .UUID, .objectId,
    ]
    for type in types {
      expectEqual(problems(of: [["age", "x"]], property("x", type, optional: true)), [])
    }
    expectEqual(problems(of: [["x", "age"]], link("x", to: "Dog")), [])
  }

  @Test(
    arguments: [
      (property("x", .data), "data"), (property("x", .decimal128), "decimal"),
      (property("x", .any), "mixed"), (property("x", .int, .list), "array<int>"),
      (linkingObjects("x", from: "Dog", "owner"), "linking objects<Dog>"),
    ])
  func `Other types may not be a part`(property: Property, type: String) {
    var schema = model("Dog", indexes: [["age", "x"]], TestKit.property("age"))
    if property.isComputed {
      schema.computedProperties.append(property)
    } else {
      schema.properties.append(property)
    }
    let found = SchemaValidator.problems(
      in: Schema(schema, model("Other", link("owner", to: "Dog"))))
    expectEqual(
      found.map(\.description).first,
      "Property 'Dog.x' of type '\(type)' cannot be a part of a compound index.")
  }

  @Test func `Each name must be that of a property`() {
    expectEqual(
      problems(of: [["city", "agee"], ["town", "age"]]),
      [
        "Property 'Person.agee', named by 'compoundIndexes()', does not exist.",
        "Property 'Person.town', named by 'compoundIndexes()', does not exist.",
      ])
  }

  @Test func `A single property, or none, is no compound index`() {
    expectEqual(
      problems(of: [["age"], []]),
      [
        "Compound index 'age' of type 'Person' needs at least two properties. For a single one write "
          + "'@Persisted(indexed: true)'.",
        "Compound index '' of type 'Person' needs at least two properties. For a single one write "
          + "'@Persisted(indexed: true)'.",
      ])
  }

  @Test func `A property is named once, and an index is there once`() {
    expectEqual(
      problems(of: [["age", "city", "age"], ["age", "city"], ["age", "city"]]),
      [
        "Compound index 'age, city, age' of type 'Person' names property 'age' more than once.",
        "Compound index 'age, city' appears more than once in the schema for type 'Person'.",
      ])
  }

  @Test func `A name that another index has or would have is refused`() {
    expectEqual(
      problems(of: [["age", "x"]], property("x"), property("y", column: "AGE, x")),
      [
        "Compound index 'age, x' of type 'Person' would have a name that 'AGE, x' needs for an index. "
          + "Give the property another column in 'propertiesMapping()'."
      ])
    expectEqual(
      problems(of: [["age", "b link"]], property("b link"), property("age, b", .any)).count, 1)
    expectEqual(
      problems(
        of: [["a, b", "c"], ["a", "b, c"]], property("a"), property("c"), property("a, b"),
        property("b, c")
      ),
      [
        "Compound index 'a, b, c' of type 'Person' would have a name that 'a, b, c' needs for an "
          + "index. Give the property another column in 'propertiesMapping()'."
      ])
  }
}
