/// Which objects of a table are meant, and in which order.
struct ObjectQuery {
  let table: Table
  /// Columns to sort by, quoted; rows that are equal in these come in the order of their
  /// identities.
  var order: [(column: String, ascending: Bool)] = []

  init(_ table: Table) {
    self.table = table
  }

  var isSorted: Bool { !order.isEmpty }

  /// The columns and rows of the query.
  /// - Parameters:
  ///   - columns: What to select, in SQL.
  ///   - condition: A condition in SQL, with the parameters that the caller binds.
  func select(_ columns: String, where condition: String? = nil, reversed: Bool = false) -> String {
    var sql = "SELECT \(columns) FROM \(table.name)"
    if let condition { sql += " WHERE \(condition)" }
    let terms =
      order.map { "\($0.column) \($0.ascending != reversed ? "ASC" : "DESC")" }
      + ["\(table.identity) \(reversed ? "DESC" : "ASC")"]
    return sql + " ORDER BY " + terms.joined(separator: ", ")
  }

  /// One value for all rows, such as `count(*)`.
  func aggregate(_ expression: String) -> String {
    "SELECT \(expression) FROM \(table.name)"
  }
}
