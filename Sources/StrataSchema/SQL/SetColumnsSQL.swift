/// The statement that sets columns of all rows of a table.
package enum SetColumnsSQL {
  /// Each column gets the value of its source; all of them are computed of the row as it was.
  package static func update(_ table: String, _ columns: [TableRebuild.Column]) -> String {
    let name = SQLName.quote(table)
    let assignments = columns.flatMap { RebuildTableSQL.copies(of: $0, from: name) }.map {
      "\(SQLName.quote($0.to)) = \($0.from)"
    }
    return "UPDATE \(name) SET \(assignments.joined(separator: ", "))"
  }
}
