import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations as text")
struct OperationTextTests {
  @Test func `The text has a number and a line for each operation`() {
    let id = property("id", .UUID)
    let tags = CollectionTable(className: "A", property: property("tags", .string, .list))!
    let plan = OperationList(
      operations: [
        .createTable(model("A", id)),
        .addColumn(table: "A", id, .perRow),
        .fillColumns(table: "A", [id], onlyNull: false),
        .fillColumns(table: "A", [id, property("b")], onlyNull: true),
        .rebuildTable(TableRebuild(table: "A", target: model("A", id), columns: [])),
        .dropColumn(table: "A", column: "old"),
        .renameColumn(table: "A", from: "_id", to: "_row_id"),
        .createIndex(table: "A", columns: ["id"]),
        .dropIndex(table: "A", columns: ["id"]),
        .createPrimaryKey(table: "A", id),
        .dropPrimaryKey(table: "A", column: "id"),
        .createCollection(tags),
        .rebuildCollection(from: tags, to: tags),
        .renameCollection(tags, to: tags.renamed(to: "names")),
        .dropCollection(tags),
        .changeKind(class: "A", toEmbedded: true, in: Schema()),
        .changeKind(class: "A", toEmbedded: false, in: Schema()),
        .dropTable("A", in: Schema()),
        .renameTable("A", to: "B", in: Schema()),
        .setColumns(
          table: "A", [TableRebuild.Column(property: id, source: .expression("1"))],
          where: nil),
        .createElementsIndex(tags),
        .dropElementsIndex(tags),
        .createTextIndex(table: "A", column: "id"),
        .dropTextIndex(table: "A", column: "id"),
      ],
      schema: Schema())
    expectNoDifference(
      "\(plan)",
      """
      1. Create table 'A'.
      2. Add column 'id' to 'A'.
      3. Fill column 'id' of 'A' with a default for each row.
      4. Fill columns 'id', 'b' of 'A' with a default for each row that has none.
      5. Rebuild table 'A'.
      6. Drop column 'old' of 'A'.
      7. Rename column '_id' of 'A' to '_row_id'.
      8. Create the index of 'A.id'.
      9. Drop the index of 'A.id'.
      10. Make 'id' the primary key of 'A'.
      11. Make 'id' no longer the primary key of 'A'.
      12. Create table 'A_tags'.
      13. Rebuild table 'A_tags'.
      14. Rename table 'A_tags' to 'A_names'.
      15. Drop table 'A_tags'.
      16. Embed the objects of 'A' in the objects that link to them.
      17. Make 'A' a top-level class.
      18. Drop table 'A'.
      19. Rename table 'A' to 'B'.
      20. Set column 'id' of 'A'.
      21. Create the index of 'A.tags'.
      22. Drop the index of 'A.tags'.
      23. Create the full-text index of 'A.id'.
      24. Drop the full-text index of 'A.id'.
      """)
  }

  @Test func `The text of no operations says so`() {
    expectEqual("\(OperationList(operations: [], schema: Schema()))", "Nothing to do.")
  }
}
