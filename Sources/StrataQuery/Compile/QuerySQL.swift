package import StrataSchema

/// A query in SQL, without the selected columns.
package struct QuerySQL: Sendable {
  /// The tables after `FROM`, including tables for the conditions.
  package var tables: String
  /// Further tables that only the order needs.
  package var orderTables: String
  /// The condition after `WHERE`.
  package var condition: String?
  package var order: [Term]
  /// The text after `LIMIT`.
  package var limit: String?
  /// The values of ?1, ?2 and so on.
  package var parameters: [StoredValue]
  /// The dependencies, without duplicates.
  package var reads: [QueryRead]
  /// The columns of the requested values, each followed by the column of its type.
  package internal(set) var columns = ""
  /// The ranges for which an index may be slower than a scan; nil for most queries.
  package internal(set) var ranges: IndexedRanges?

  /// Creates a query of all rows of some tables in one order.
  package init(tables: String, condition: String?, order: String, parameters: [StoredValue]) {
    self.init(
      tables: tables, orderTables: "", condition: condition,
      order: [Term(sql: order, ascending: true)], limit: nil, parameters: parameters, reads: [])
  }

  init(
    tables: String, orderTables: String, condition: String?, order: [Term], limit: String?,
    parameters: [StoredValue], reads: [QueryRead]
  ) {
    self.tables = tables
    self.orderTables = orderTables
    self.condition = condition
    self.order = order
    self.limit = limit
    self.parameters = parameters
    self.reads = reads
  }

  /// A value to sort by, in SQL.
  package struct Term: Sendable {
    package var sql: String
    package var ascending: Bool
    /// Whether the value may be nil.
    var allowsNil = false
    /// The lower bound of all values, in SQL; nil if unknown.
    var least: String?
    /// Whether an index of the rows has the order of the values.
    var isSearched = false
  }

  /// Returns the statement.
  /// - Parameters:
  ///   - columns: The columns to select from the table `t`.
  ///   - condition: A further condition in SQL, whose parameters follow the query's parameters. Not
  ///     for a query with a limit, because the limit would apply to other rows.
  package func select(
    _ columns: String, where further: String? = nil, reversed: Bool = false
  ) -> String {
    if reversed, limit != nil {
      // The last of the limited rows: all of them are found, and then reversed.
      let order = terms(reversed: false)
      let rows = select("\(columns), row_number() OVER (ORDER BY \(order)) AS \"strata_row\"")
      return "SELECT * FROM (\(rows)) ORDER BY \"strata_row\" DESC"
    }
    return """
      SELECT \(columns) FROM \(tables)\(orderTables)\(filter(further)) ORDER BY \
      \(terms(reversed: reversed))\(limit.map { " LIMIT \($0)" } ?? "")
      """
  }

  private func terms(reversed: Bool) -> String {
    order.map { "\($0.sql) \($0.ascending != reversed ? "ASC" : "DESC")" }.joined(separator: ", ")
  }

  /// Returns the statement for the first row, or with `reversed` for the last row.
  package func first(_ columns: String, reversed: Bool) -> String {
    guard limit != nil else { return select(columns, reversed: reversed) + " LIMIT 1" }
    return "SELECT * FROM (\(select(columns, reversed: reversed))) LIMIT 1"
  }

  /// Returns the statement for one value of all rows, such as `count(*)`. Columns belong to `t`.
  package func aggregate(_ expression: String) -> String {
    guard limit != nil else { return "SELECT \(expression) FROM \(tables)\(filter(nil))" }
    return "SELECT \(expression) FROM (\(select("t.*"))) AS t"
  }

  /// Returns the statement for the number of rows for which a further condition is true. The
  /// condition may use the order's tables.
  ///
  /// - Precondition: The query has no limit.
  func count(where further: String) -> String {
    "SELECT count(*) FROM \(tables)\(orderTables)\(filter(further))"
  }

  /// Returns the statement that deletes the rows.
  ///
  /// - Parameters:
  ///   - table: The table `t`, quoted.
  ///   - identity: Its column of identities, quoted.
  package func deletion(from table: String, identity: String) -> String {
    // SQLite needs no list of rows if the conditions concern only the table itself.
    if tables == "\(table) AS t", limit == nil { return "DELETE FROM \(tables)\(filter(nil))" }
    return "DELETE FROM \(table) WHERE \(identity) IN (\(select("t.\(identity)")))"
  }

  private func filter(_ further: String?) -> String {
    let conditions = [condition, further].compactMap { $0 }
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }
}

extension QuerySQL {
  /// Returns a statement of this query with its parameters as literals, for people and other
  /// programs.
  package func literal(_ statement: String) -> String {
    var result: [UInt8] = []
    var bytes = statement.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Names and texts are copied up to their end, because they may contain `?1`.
        result.append(byte)
        while let next = bytes.popFirst() {
          result.append(next)
          if next == byte { break }
        }
      case UInt8(ascii: "?"):
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(digits.count)
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        let isKnown = parameters.indices.contains(number - 1)
        result += (isKnown ? parameters[number - 1].sqlLiteral : "NULL").utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
