import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The description of a schema")
struct SchemaDescriptionTests {
  @Test func `The description of a schema has a line for each property`() {
    let schema = Schema(
      model(
        "Person", key: "id",
        property("id", .objectId, column: "_id"),
        property("name", .string, optional: true, indexed: true),
        property("pets", .object, to: "Dog", .list),
        link("home", to: "Address")),
      model("Address", embedded: true, property("street", .string)),
      model("Dog", linkingObjects("owners", from: "Person", "pets")))
    expectNoDifference(
      "\(schema)",
      """
      Schema {
        Address (embedded) {
          street: string
        }
        Dog {
          owners: linking objects<Person> (through 'pets')
        }
        Person {
          id: object id (primary key, column '_id')
          name: string (optional, indexed)
          pets: array<Dog>
          home: <Address> (optional)
        }
      }
      """)
  }

  @Test func `The description of one property is one line`() {
    expectEqual("\(property("age", .int, indexed: true))", "age: int (indexed)")
    expectEqual("\(property("age"))", "age: int")
  }
}
