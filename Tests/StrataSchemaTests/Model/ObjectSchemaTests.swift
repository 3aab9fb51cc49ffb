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
    #expect(person["name"]?.columnName == "full_name")
    #expect(person["full_name"] == nil)
    #expect(person.property(column: "full_name")?.name == "name")
    #expect(person.property(column: "name") == nil)
    #expect(person.primaryKeyProperty?.name == "id")
    #expect(model("A", property("a")).primaryKeyProperty == nil)
    #expect(model("A", key: "b", property("a")).primaryKeyProperty == nil)
  }

  @Test func `A class keeps computed properties apart`() {
    #expect(person.properties.map(\.name) == ["id", "name"])
    #expect(person.computedProperties.map(\.name) == ["pets"])
    #expect(person["pets"]?.type == .linkingObjects)
  }

  @Test func `A primary key counts as indexed, which makes no difference to a file`() throws {
    #expect(person["id"]?.isIndexed == true && person["id"]?.wantsIndex == false)
    #expect(person["name"]?.isIndexed == false)
    #expect(person["id"] == property("id", .objectId, column: "_id"))
  }

  @Test func `The class in the file has column names and no computed properties`() {
    expectNoDifference(
      person.stored,
      model(
        "Person", key: "_id", property("_id", .objectId), property("full_name", .string)))
    #expect(person.stored.stored == person.stored)
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
    #expect(schema.identityColumn == expected)
  }

  @Test func `A collection or linking objects called _id don't count as a column`() {
    #expect(model("A", property("_id", .int, .list)).identityColumn == "_id")
    #expect(model("A", linkingObjects("_id", from: "B", "a")).identityColumn == "_id")
    #expect(model("A", property("id", .int, column: "_id")).identityColumn == "_row_id")
  }
}
