import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("CREATE TABLE")
struct TableSQLTests {
  private let everything = model(
    "Person", key: "id",
    property("id", .UUID, column: "_id"),
    property("count", .int, indexed: true),
    property("isDone", .bool),
    property("ratio", .double, optional: true),
    property("width", .float),
    property("name", .string, optional: true),
    property("picture", .data),
    property("born", .date),
    property("price", .decimal128),
    property("object", .objectId),
    property("x", .any, indexed: true),
    link("home", to: "a\"b"),
    property("tags", .string, .set),
    linkingObjects("pets", from: "Dog", "owner"))

  @Test func `The statements are readable, and columns of Data come last`() {
    expectNoDifference(
      TableSQL.create(everything),
      """
      CREATE TABLE "Person" (
        "_row_id" INTEGER PRIMARY KEY AUTOINCREMENT,
        "_id" TEXT NOT NULL,
        "count" INTEGER NOT NULL,
        "isDone" INTEGER NOT NULL,
        "ratio" REAL,
        "width" REAL NOT NULL,
        "name" TEXT,
        "born" TEXT NOT NULL,
        "price" TEXT NOT NULL,
        "object" TEXT NOT NULL,
        "x" ANY,
        "x_type" TEXT,
        "home" INTEGER REFERENCES "a""b" ON DELETE SET NULL,
        "picture" BLOB NOT NULL
      ) STRICT
      """)
  }

  @Test func `A table comes with the indexes of keys, requests and links, and with collections`() {
    expectNoDifference(
      Array(TableSQL.createAll(everything).dropFirst()),
      [
        #"CREATE UNIQUE INDEX "Person._id" ON "Person"("_id")"#,
        #"CREATE INDEX "Person.count" ON "Person"("count")"#,
        #"CREATE INDEX "Person.x" ON "Person"("x")"#,
        #"CREATE INDEX "Person.x link" ON "Person"("x") WHERE "x_type" < 'a'"#,
        #"CREATE INDEX "Person.home" ON "Person"("home")"#,
        """
        CREATE TABLE "Person_tags" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "value" TEXT NOT NULL,
          PRIMARY KEY ("owner", "value")
        ) STRICT, WITHOUT ROWID
        """,
      ])
    expectEqual(TableSQL.createAll(everything).first, TableSQL.create(everything))
  }

  @Test func `The table of a class without columns has the identity`() {
    expectNoDifference(
      TableSQL.createAll(model("order", property("all", .int, .list))).first,
      """
      CREATE TABLE "order" (
        "_id" INTEGER PRIMARY KEY AUTOINCREMENT
      ) STRICT
      """)
  }

  @Test func `A table can have another name and columns of other tools`() {
    expectNoDifference(
      TableSQL.create(
        model("a\"b", property("p")), named: "new", extraColumns: [#""note" TEXT DEFAULT 'x'"#]),
      """
      CREATE TABLE "new" (
        "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
        "p" INTEGER NOT NULL,
        "note" TEXT DEFAULT 'x'
      ) STRICT
      """)
  }
}
