import StrataSchema
import TestKit
import Testing

@Suite("ADD COLUMN")
struct AddColumnTests {
  private func sql(_ property: Property, _ default: ColumnDefault = .constant(.null)) -> [String] {
    TableSQL.addColumn(table: "a\"b", property: property, default: `default`)
  }

  @Test func `The column of an optional property has no default`() {
    expectEqual(
      sql(property("p", .string, optional: true)), [#"ALTER TABLE "a""b" ADD COLUMN "p" TEXT"#])
    expectEqual(
      sql(link("p", to: "Dog")),
      [#"ALTER TABLE "a""b" ADD COLUMN "p" INTEGER REFERENCES "Dog" ON DELETE SET NULL"#])
  }

  @Test func `The column of a required property has the Swift default`() {
    expectEqual(
      sql(property("p", .string), .constant(.text("it's"))),
      [#"ALTER TABLE "a""b" ADD COLUMN "p" TEXT NOT NULL DEFAULT 'it''s'"#])
    expectEqual(
      sql(property("p"), .constant(.integer(-1))),
      [#"ALTER TABLE "a""b" ADD COLUMN "p" INTEGER NOT NULL DEFAULT -1"#])
  }

  @Test func `A default that differs from row to row, or is missing, is the zero of the type`() {
    let expected = [#"ALTER TABLE "a""b" ADD COLUMN "p" BLOB NOT NULL DEFAULT x''"#]
    expectEqual(sql(property("p", .data), .perRow), expected)
    expectEqual(sql(property("p", .data), .constant(.null)), expected)
  }

  @Test func `AnyRealmValue adds two columns, a collection none`() {
    expectEqual(
      sql(property("p", .any)),
      [
        #"ALTER TABLE "a""b" ADD COLUMN "p" ANY"#,
        #"ALTER TABLE "a""b" ADD COLUMN "p_type" TEXT"#,
      ])
    expectEqual(sql(property("p", .int, .list)), [])
  }
}
