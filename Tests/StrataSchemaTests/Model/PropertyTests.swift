import StrataSchema
import TestKit
import Testing

@Suite("A property")
struct PropertyTests {
  @Test(
    arguments: [
      (property("p", .int), "int"),
      (property("p", .bool), "bool"),
      (property("p", .string), "string"),
      (property("p", .data), "data"),
      (property("p", .date), "date"),
      (property("p", .float), "float"),
      (property("p", .double), "double"),
      (property("p", .decimal128), "decimal"),
      (property("p", .objectId), "object id"),
      (property("p", .UUID), "uuid"),
      (property("p", .any), "mixed"),
      (property("p", .int, optional: true), "int"),
      (link("p", to: "Dog"), "<Dog>"),
      (property("p", .object, to: "Dog", .list), "array<Dog>"),
      (property("p", .object, to: "Dog", .set), "set<Dog>"),
      (property("p", .object, to: "Dog", .map, optional: false), "dictionary<string, Dog>"),
      (property("p", .int, .list, optional: true), "array<int>"),
      (property("p", .any, .set), "set<mixed>"),
      (property("p", .objectId, .map), "dictionary<string, object id>"),
    ])
  func `A property shows its type as messages do`(property: Property, expected: String) {
    expectEqual(property.typeName, expected)
  }

  @Test func `A property is called by its column in the file`() {
    let mapped = property("firstName", .string, column: "first_name", indexed: true)
    expectEqual(mapped.stored, property("first_name", .string, indexed: true))
    expectEqual(property("age").columnName, "age")
  }

  @Test func `A link, an AnyRealmValue and linking objects can always be nil`() {
    let nullable = PropertyType.allCases.filter { property("p", $0).isNullable }
    expectFalse(property("p", .any, optional: true).isOptional)
    expectTrue(property("p", .any, optional: true).allowsNil)
    expectEqual(nullable, [.any, .object, .linkingObjects])
    expectTrue(PropertyType.allCases.allSatisfy { property("p", $0, optional: true).isNullable })
  }

  @Test func `The type of a property decides whether it may be a primary key or indexed`() {
    let keys = PropertyType.allCases.filter(\.canBePrimaryKey)
    expectEqual(keys, [.int, .string, .UUID, .objectId])
    let indexes = PropertyType.allCases.filter(\.canBeIndexed)
    expectEqual(indexes, [.int, .bool, .string, .date, .UUID, .objectId, .any])
  }

  @Test func `A property knows its kind of collection`() {
    let list = property("p", .int, .list)
    let set = property("p", .int, .set)
    let map = property("p", .int, .map)
    expectEqual([list, set, map].map(\.isArray), [true, false, false])
    expectEqual([list, set, map].map(\.isSet), [false, true, false])
    expectEqual([list, set, map].map(\.isMap), [false, false, true])
    expectTrue([list, set, map].allSatisfy { !$0.isStoredInColumn })
    expectTrue(property("p").isStoredInColumn)
    expectFalse(linkingObjects("p", from: "Dog", "owner").isStoredInColumn)
  }
}
