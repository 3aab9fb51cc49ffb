import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The schema of a class")
struct ObjectSchemaTests {
  private let person = model(
    "Person", key: "id",
    property("id", .objectId, column: "_id"),
    property("name", .string, column: "full_name"),
    linkingObjects("pets", from: "Dog", "owner"))

  @Test func `A class finds properties by name and by column`() {
    expectEqual(person["name"]?.columnName, "full_name")
    expectNil(person["full_name"])
    expectEqual(person.property(column: "full_name")?.name, "name")
    expectNil(person.property(column: "name"))
    expectEqual(person.primaryKeyProperty?.name, "id")
    expectNil(model("A", property("a")).primaryKeyProperty)
    expectNil(model("A", key: "b", property("a")).primaryKeyProperty)
  }

  @Test func `A class keeps computed properties apart`() {
    expectEqual(person.properties.map(\.name), ["id", "name"])
    expectEqual(person.computedProperties.map(\.name), ["pets"])
    expectEqual(person["pets"]?.type, .linkingObjects)
  }

  @Test func `A primary key counts as indexed, which makes no difference to a file`() throws {
    expectTrue(person["id"]?.isIndexed == true && person["id"]?.wantsIndex == false)
    expectEqual(person["name"]?.isIndexed, false)
    expectEqual(person["id"], property("id", .objectId, column: "_id"))
  }

  @Test func `The class in the file has column names and no computed properties`() {
    expectNoDifference(
      person.stored,
      model(
        "Person", key: "_id", property("_id", .objectId), property("full_name", .string)))
    expectEqual(person.stored.stored, person.stored)
  }

  @Test(
    arguments: [
      (["name"], "_id"),
      (["_id"], "_row_id"),
      (["_ID"], "_row_id"),
      (["_row_id"], "_id"),
      (["_id", "_ROW_ID"], "_row_id_while_migrating"),
      (["_id", "_row_id", "_row_id_while_migrating"], "_row_id_while_migrating_while_migrating"),
    ])
  func `The identity gets a column name that no property has`(columns: [String], expected: String) {
    let schema = ObjectSchema(
      className: "A", properties: columns.map { property($0, .string) })
    expectEqual(schema.identityColumn, expected)
  }

  @Test func `A collection or linking objects called _id don't count as a column`() {
    expectEqual(model("A", property("_id", .int, .list)).identityColumn, "_id")
    expectEqual(model("A", linkingObjects("_id", from: "B", "a")).identityColumn, "_id")
    expectEqual(model("A", property("id", .int, column: "_id")).identityColumn, "_row_id")
  }
}
