import CustomDump
import StrataSchema
import Testing

@Suite("Indexes")
struct IndexSQLTests {
  @Test("are named after class and column")
  func plain() {
    #expect(
      IndexSQL.create(table: "order", column: "a\"b")
        == #"CREATE INDEX "order.a""b" ON "order"("a""b")"#)
    #expect(IndexSQL.drop(table: "order", column: "a\"b") == #"DROP INDEX IF EXISTS "order.a""b""#)
    #expect(IndexSQL.name(table: "A", column: "b") == "A.b")
    #expect(IndexSQL.nilName(table: "A", column: "b") == "A.b nil")
  }

  @Test("of a primary key are unique, and one more makes two nils collide")
  func primaryKey() {
    #expect(
      IndexSQL.createPrimaryKey(table: "A", property: property("id"))
        == [#"CREATE UNIQUE INDEX "A.id" ON "A"("id")"#])
    #expect(
      IndexSQL.createPrimaryKey(table: "A", property: property("id", optional: true))
        == [
          #"CREATE UNIQUE INDEX "A.id" ON "A"("id")"#,
          #"CREATE UNIQUE INDEX "A.id nil" ON "A"(("id" IS NULL)) WHERE "id" IS NULL"#,
        ])
    #expect(
      IndexSQL.dropPrimaryKey(table: "A", column: "id")
        == [#"DROP INDEX IF EXISTS "A.id""#, #"DROP INDEX IF EXISTS "A.id nil""#])
  }

  @Test("of a class are made for its columns only, and the key's serves for both")
  func all() {
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

  @Test("that nobody asks for are those of links, and those of the tables of collections")
  func helpers() {
    let schema = model(
      "A", key: "id",
      property("id"), property("found", indexed: true), property("x", .any, indexed: true),
      link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
      property("tags", .string, .set, optional: true))
    expectNoDifference(
      IndexSQL.helpers(of: schema).map(\.name),
      ["A.x link", "A.dog", "A_dogs.value", "A_tags.value", "A_tags.value nil"])
  }

  @Test("follow columns where the key has the name of another one's column")
  func mapped() {
    let schema = model(
      "A", key: "id", property("id", column: "key"), property("old", column: "id", indexed: true))
    #expect(
      IndexSQL.createAll(of: schema)
        == [
          #"CREATE UNIQUE INDEX "A.key" ON "A"("key")"#,
          #"CREATE INDEX "A.id" ON "A"("id")"#,
        ])
  }

  @Test("of a class whose key is away are plain")
  func withoutKey() {
    #expect(
      IndexSQL.createAll(of: model("A", property("id", indexed: true)))
        == [#"CREATE INDEX "A.id" ON "A"("id")"#])
    #expect(IndexSQL.createAll(of: model("A", property("id"))) == [])
  }
}
