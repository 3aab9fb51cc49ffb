import CustomDump
import StrataSchema
import Testing

@Suite("A plan as text")
struct PlanTextTests {
  @Test("has a number and a line for each step")
  func text() {
    let id = property("id", .UUID)
    let plan = MigrationPlan(
      steps: [
        .createTable(model("A", id)),
        .addColumn(table: "A", id, .perRow),
        .fillColumns(table: "A", [id], onlyNull: false),
        .fillColumns(table: "A", [id, property("b")], onlyNull: true),
        .rebuildTable(TableRebuild(table: "A", target: model("A", id), columns: [])),
        .dropColumn(table: "A", column: "old"),
        .renameColumn(table: "A", from: "_id", to: "_row_id"),
        .createIndex(table: "A", column: "id"),
        .dropIndex(table: "A", column: "id"),
        .createPrimaryKey(table: "A", id),
        .dropPrimaryKey(table: "A", column: "id"),
        .dropTable("A"),
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
      12. Drop table 'A'.
      """)
  }

  @Test("of nothing says so")
  func nothing() {
    #expect("\(MigrationPlan(steps: [], schema: Schema()))" == "Nothing to do.")
  }
}
