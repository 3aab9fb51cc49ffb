import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The table of a collection in SQL")
struct CollectionTableTests {
  private func sql(_ property: Property) throws -> [String] {
    try #require(CollectionTable(className: "Person", property: property)).statements
  }

  @Test func `The table of a list is ordered, and refers to objects`() throws {
    expectNoDifference(
      try sql(property("dogs", .object, to: "a\"b", .list)),
      [
        """
        CREATE TABLE "Person_dogs" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "position" INTEGER NOT NULL,
          "value" INTEGER NOT NULL REFERENCES "a""b" ON DELETE CASCADE,
          PRIMARY KEY ("owner", "position")
        ) STRICT, WITHOUT ROWID
        """,
        #"CREATE INDEX "Person_dogs.value" ON "Person_dogs"("value")"#,
      ])
    expectNoDifference(
      try sql(property("dogs", .string, .list, optional: true)).count, 1)
  }

  @Test func `The table of a map keeps the entry of a deleted object`() throws {
    expectNoDifference(
      try sql(property("dogs", .object, to: "Dog", .map, optional: true)),
      [
        """
        CREATE TABLE "Person_dogs" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "key" TEXT NOT NULL,
          "value" INTEGER REFERENCES "Dog" ON DELETE SET NULL,
          PRIMARY KEY ("owner", "key")
        ) STRICT, WITHOUT ROWID
        """,
        #"CREATE INDEX "Person_dogs.value" ON "Person_dogs"("value")"#,
      ])
  }

  @Test func `The table of a set has each value once, nil as well`() throws {
    expectNoDifference(
      try sql(property("tags", .UUID, .set)),
      [
        """
        CREATE TABLE "Person_tags" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "value" TEXT NOT NULL,
          PRIMARY KEY ("owner", "value")
        ) STRICT, WITHOUT ROWID
        """
      ])
    expectNoDifference(
      try sql(property("tags", .string, .set, optional: true)),
      [
        """
        CREATE TABLE "Person_tags" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "value" TEXT
        ) STRICT
        """,
        #"CREATE UNIQUE INDEX "Person_tags.value" ON "Person_tags"("owner", "value")"#,
        #"CREATE UNIQUE INDEX "Person_tags.value nil" ON "Person_tags"("owner") "#
          + #"WHERE "value" IS NULL"#,
      ])
  }

  @Test func `The table says which type each AnyRealmValue has`() throws {
    expectNoDifference(
      try sql(property("x", .any, .set)),
      [
        """
        CREATE TABLE "Person_x" (
          "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
          "value" ANY,
          "value_type" TEXT
        ) STRICT
        """,
        #"CREATE UNIQUE INDEX "Person_x.value" ON "Person_x"("owner", "value", "value_type")"#,
        #"CREATE UNIQUE INDEX "Person_x.value nil" ON "Person_x"("owner") WHERE "value" IS NULL"#,
        #"CREATE INDEX "Person_x.value link" ON "Person_x"("value") WHERE "value_type" < 'a'"#,
      ])
    let list = try #require(
      CollectionTable(className: "Person", property: property("x", .any, .list)))
    expectEqual(list.columns.map(\.name), ["owner", "position", "value", "value_type"])
    expectTrue(list.isNullable)
  }

  @Test(arguments: [
    (property("p", .string, .list, indexed: true), #"("value")"#),
    (property("p", .string, .set, indexed: true), #"("value")"#),
    (property("p", .any, .set, optional: true, indexed: true), #"("value")"#),
    (property("p", .int, .map, optional: true, indexed: true), #"("key", "value")"#),
  ])
  func `An index that the model asks for finds the elements by their values`(
    property: Property, columns: String
  ) throws {
    try expectTrue(
      sql(property).contains(
        #"CREATE INDEX "Person_p.elements" ON "Person_p"\#(columns)"#))
    var plain = property
    plain.wantsIndex = false
    try expectEqual(sql(property).count, sql(plain).count + 1)
  }

  @Test func `Only collections have a table, and equal collections have equal tables`() {
    expectNil(CollectionTable(className: "A", property: property("p")))
    expectNil(CollectionTable(className: "A", property: linkingObjects("p", from: "B", "q")))
    expectEqual(
      CollectionTable(className: "A", property: property("p", .any, .list, column: "q")),
      CollectionTable(className: "A", property: property("q", .any, .list, optional: true)))
  }

  @Test func `A rebuilt table keeps its elements, nil ones as zero`() throws {
    let old = try #require(
      CollectionTable(className: "A", property: property("p", .string, .set, optional: true)))
    let new = try #require(
      CollectionTable(className: "A", property: property("p", .string, .set)))
    let statements = RebuildCollectionSQL.statements(from: old, to: new)
    expectEqual(
      statements.map { $0.prefix(6) }, ["CREATE", "INSERT", "DROP T", "ALTER "])
    expectNoDifference(
      statements[1],
      """
      INSERT OR IGNORE INTO "strata_rebuild_A_p" ("owner", "value")
      SELECT "A_p"."owner", COALESCE("A_p"."value", '')
      FROM "A_p" ORDER BY "owner", "value"
      """)
  }
}
