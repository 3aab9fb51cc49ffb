import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Indexes")
struct IndexSQLTests {
  @Test func `Indexes are named after class and column`() {
    expectEqual(
      IndexSQL.create(table: "order", columns: ["a\"b"]),
      #"CREATE INDEX "order.a""b" ON "order"("a""b")"#)
    expectEqual(
      IndexSQL.drop(table: "order", columns: ["a\"b"]), #"DROP INDEX IF EXISTS "order.a""b""#)
    expectEqual(IndexSQL.name(table: "A", column: "b"), "A.b")
    expectEqual(IndexSQL.nilName(table: "A", column: "b"), "A.b nil")
  }

  @Test func `The index of a primary key is unique, and one more makes two nils collide`() {
    expectEqual(
      IndexSQL.createPrimaryKey(table: "A", property: property("id")),
      [#"CREATE UNIQUE INDEX "A.id" ON "A"("id")"#])
    expectEqual(
      IndexSQL.createPrimaryKey(table: "A", property: property("id", optional: true)),
      [
        #"CREATE UNIQUE INDEX "A.id" ON "A"("id")"#,
        #"CREATE UNIQUE INDEX "A.id nil" ON "A"(("id" IS NULL)) WHERE "id" IS NULL"#,
      ])
    expectEqual(
      IndexSQL.dropPrimaryKey(table: "A", column: "id"),
      [#"DROP INDEX IF EXISTS "A.id""#, #"DROP INDEX IF EXISTS "A.id nil""#])
  }

  @Test func `A class has indexes for its own columns only, and that of the key serves for both`() {
    let schema = model(
      "A", key: "id",
      property("id", indexed: true),
      property("plain"),
      property("found", .string, column: "f", indexed: true),
      link("dog", to: "Dog"),
      property("dogs", .object, to: "Dog", .list))
    expectNoDifference(
      IndexSQL.createAll(of: schema),
      [
        #"CREATE UNIQUE INDEX "A.id" ON "A"("id")"#,
        #"CREATE INDEX "A.f" ON "A"("f")"#,
        #"CREATE INDEX "A.dog" ON "A"("dog")"#,
      ])
  }

  @Test func `Links and the tables of collections have indexes that were not asked for`() {
    let schema = model(
      "A", key: "id",
      property("id"), property("found", indexed: true), property("x", .any, indexed: true),
      link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
      property("tags", .string, .set, optional: true))
    expectNoDifference(
      IndexSQL.helpers(of: schema).map(\.name),
      ["A.x link", "A.dog", "A_dogs.value", "A_tags.value", "A_tags.value nil"])
  }

  @Test func `Indexes follow columns when the key has the name of another column`() {
    let schema = model(
      "A", key: "id", property("id", column: "key"), property("old", column: "id", indexed: true))
    expectEqual(
      IndexSQL.createAll(of: schema),
      [
        #"CREATE UNIQUE INDEX "A.key" ON "A"("key")"#,
        #"CREATE INDEX "A.id" ON "A"("id")"#,
      ])
  }

  @Test func `The indexes of a class without its key are plain`() {
    expectEqual(
      IndexSQL.createAll(of: model("A", property("id", indexed: true))),
      [#"CREATE INDEX "A.id" ON "A"("id")"#])
    expectEqual(IndexSQL.createAll(of: model("A", property("id"))), [])
  }
}
