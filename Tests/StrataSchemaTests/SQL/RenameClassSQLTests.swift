import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The statements that rename a class")
struct RenameClassSQLTests {
  private let schema = Schema(
    model(
      "Person", key: "id", property("id"), property("note", .any),
      property("tags", .string, .list), property("values", .any, .set, optional: true)),
    model("Shop", link("owner", to: "Person"), property("staff", .object, to: "Person", .list)))

  @Test func `Renaming a class renames its table and those of its collections`() throws {
    let person = try #require(schema["Person"])
    expectNoDifference(
      RenameClassSQL.tables(of: person, to: "a\"b").map(\.sql),
      [
        #"ALTER TABLE "Person" RENAME TO "a""b""#,
        #"ALTER TABLE "Person_tags" RENAME TO "a""b_tags""#,
        #"ALTER TABLE "Person_values" RENAME TO "a""b_values""#,
      ])
  }

  @Test
  func `The values of AnyRealmValue follow, and those that named another class are cleared`() {
    let renamed = schema.renaming("Person", to: "Human")
    expectNoDifference(
      RenameClassSQL.anyValues(in: renamed, from: "Person", to: "Human"),
      [
        #"UPDATE "Human" SET "note" = NULL, "note_type" = NULL "#
          + #"WHERE "note_type" < 'a' AND "note_type" = '<Human>'"#,
        #"UPDATE "Human" SET "note_type" = '<Human>' "#
          + #"WHERE "note_type" < 'a' AND "note_type" = '<Person>'"#,
        #"UPDATE "Human" SET "note" = strata_nested_relinked("note", "note_type", 'Human', NULL) "#
          + #"WHERE "note_type" IN ('list', 'dictionary') "#
          + #"AND strata_nested_links("note", "note_type", 'Human', NULL)"#,
        #"UPDATE "Human" SET "note" = "#
          + #"strata_nested_relinked("note", "note_type", 'Person', 'Human') "#
          + #"WHERE "note_type" IN ('list', 'dictionary') "#
          + #"AND strata_nested_links("note", "note_type", 'Person', NULL)"#,
        #"DELETE FROM "Human_values" WHERE "value_type" < 'a' AND "value_type" = '<Human>'"#,
        #"UPDATE "Human_values" SET "value_type" = '<Human>' "#
          + #"WHERE "value_type" < 'a' AND "value_type" = '<Person>'"#,
      ])
  }

  @Test func `Indexes get the new name, and those of other programs stay`() throws {
    let table = try #require(
      RenameClassSQL.tables(of: model("Person", property("x")), to: "Human").first)
    func renamed(_ name: String, _ sql: String) -> [String]? {
      RenameClassSQL.index(name: name, sql: sql, of: table).map { [$0.name, $0.sql] }
    }
    expectEqual(
      renamed("Person.x", #"CREATE INDEX "Person.x" ON "Human"("x")"#),
      ["Human.x", #"CREATE INDEX "Human.x" ON "Human"("x")"#])
    expectEqual(
      renamed("Person.x nil", #"CREATE UNIQUE INDEX "Person.x nil" ON "Human"("x") WHERE 1"#),
      ["Human.x nil", #"CREATE UNIQUE INDEX "Human.x nil" ON "Human"("x") WHERE 1"#])
    expectNil(renamed("mine", #"CREATE INDEX "mine" ON "Human"("x")"#))
    expectNil(renamed("Person.x", #"CREATE INDEX [Person.x] ON "Human"("x")"#))
  }

  @Test func `The schema uses the new name everywhere`() {
    expectNoDifference(
      schema.renaming("Person", to: "Human"),
      Schema(
        model(
          "Human", key: "id", property("id"), property("note", .any),
          property("tags", .string, .list), property("values", .any, .set, optional: true)),
        model("Shop", link("owner", to: "Human"), property("staff", .object, to: "Human", .list))))
    expectEqual(schema.classesLinking(to: "Person"), ["Shop"])
    expectEqual(schema.classesLinking(to: "Shop"), [])
  }
}
