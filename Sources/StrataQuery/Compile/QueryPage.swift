package import StrataSchema

/// The statements that read the rows of a query in pages, each beginning after a row of the
/// previous page.
///
/// They read only the identity and the sort values of each row, which are the key of the next page,
/// because SQLite computes all selected columns of each row that it sorts. If an index has the
/// order, each statement begins with a condition for which SQLite can seek in the index. So a page
/// in the middle is as fast as the first one, even among many equal values.
///
/// As usual, nil comes first in ascending order, and last in descending order. The rows after a key
/// don't depend on whether its row still exists.
package struct QueryPage: Sendable {
  private let query: QuerySQL

  /// - Precondition: The query has no limit, and sorts rows last by their identities.
  package init(_ query: QuerySQL) {
    precondition(query.limit == nil, "a query with a limit can't be read in parts")
    self.query = query
  }

  /// The position of a row in the order.
  package struct Key: Sendable, Hashable {
    /// The values by which the row is sorted, as returned by the statements.
    package var values: [StoredValue]
    package var identity: Int64

    package init(values: [StoredValue], identity: Int64) {
      self.values = values
      self.identity = identity
    }
  }

  /// The direction from a key: to the following rows, or back to the previous ones.
  package enum Direction: Sendable, Hashable {
    case forward
    /// Backward, with the nearest row first.
    case backward
  }

  /// A statement with all of its parameters. Its columns are the identity, and then the values of a
  /// key.
  package struct Statement: Sendable, Hashable {
    package var sql: String
    package var parameters: [StoredValue]
  }

  /// The number of values in a key.
  package var valueCount: Int { query.order.count - 1 }

  /// Returns the statements for the rows after a key, or for the first rows.
  ///
  /// The rows of each statement follow the rows of the previous one. Run a statement only if the
  /// previous ones returned too few rows.
  ///
  /// - Parameter key: The last row of the previous page. Nil begins at the start, or at the end if
  ///   the direction is backward.
  /// - Precondition: The key has ``valueCount`` values.
  package func statements(
    behind key: Key?, _ direction: Direction, limit: Int
  ) -> [Statement] {
    guard let key else { return [statement(nil, [], direction, limit)] }
    precondition(key.values.count == valueCount, "the key is one of another query")
    return conditions(key, direction).map { condition in
      statement(condition.sql, condition.parameters, direction, limit)
    }
  }

  /// Returns the statements for the number of rows before a key: the sum of their results.
  ///
  /// - Precondition: The key has ``valueCount`` values.
  package func counts(before key: Key) -> [Statement] {
    precondition(key.values.count == valueCount, "the key is one of another query")
    return conditions(key, .backward).map { condition in
      Statement(
        sql: query.count(where: condition.sql),
        parameters: query.parameters + condition.parameters)
    }
  }

  /// Returns the statement for the key of a row, by its identity.
  package func key(of identity: Int64) -> Statement {
    let condition = "\(query.order[valueCount].sql) = ?\(query.parameters.count + 1)"
    let tables = query.tables + query.orderTables
    return Statement(
      sql: "SELECT \(columns) FROM \(tables) WHERE \(condition)",
      parameters: query.parameters + [.integer(identity)])
  }

  private var columns: String {
    ([query.order[valueCount].sql] + query.order.dropLast().map(\.sql)).joined(separator: ", ")
  }

  private func statement(
    _ condition: String?, _ parameters: [StoredValue], _ direction: Direction, _ limit: Int
  ) -> Statement {
    let sql = query.select(columns, where: condition, reversed: direction == .backward)
    return Statement(
      sql: "\(sql) LIMIT \(limit)", parameters: query.parameters + parameters)
  }

  // MARK: Conditions

  /// Returns the conditions of the statements behind a key, each with its own parameters.
  private func conditions(_ key: Key, _ direction: Direction) -> [Statement] {
    var chain = KeyChain(query, key, direction)
    let first = query.order[0].inParentheses
    guard valueCount > 0 else {
      let condition = chain.behind(from: 0)
      return [chain.finish(condition)]
    }
    guard let value = chain.name(0) else {
      let rest = chain.behind(from: 1)
      let nils = chain.finish("\(first) IS NULL AND \(rest)")
      return chain.ascends(0)
        ? [nils, Statement(sql: query.order[0].isThere, parameters: [])] : [nils]
    }
    let later = "\(first) \(chain.ascends(0) ? ">" : "<") \(value)"
    let laterOnly = chain.finish(later)
    let rest = chain.behind(from: 1)
    var conditions: [Statement]
    if query.order[0].isSearched {
      conditions = [chain.finish("\(first) = \(value) AND \(rest)"), laterOnly]
    } else {
      // All rows are scanned, so one statement is enough.
      let bound = "\(first) \(chain.ascends(0) ? ">=" : "<=") \(value)"
      conditions = [chain.finish("\(bound) AND (\(later) OR \(rest))")]
    }
    if !chain.ascends(0), query.order[0].allowsNil {
      conditions.append(Statement(sql: "\(first) IS NULL", parameters: []))
    }
    return conditions
  }

  /// The condition that a row is after a key, from one of its values on, where the previous values
  /// are equal.
  private struct KeyChain {
    private let order: [QuerySQL.Term]
    private let values: [StoredValue]
    private let isBackward: Bool
    private let firstNumber: Int
    private var parameters: [StoredValue] = []

    init(_ query: QuerySQL, _ key: Key, _ direction: Direction) {
      order = query.order
      values = key.values + [.integer(key.identity)]
      isBackward = direction == .backward
      firstNumber = query.parameters.count + 1
    }

    func ascends(_ index: Int) -> Bool { order[index].ascending != isBackward }

    /// Returns the parameter of a value; nil for NULL.
    mutating func name(_ index: Int) -> String? {
      if case .null = values[index] { return nil }
      parameters.append(values[index])
      return "?\(firstNumber + parameters.count - 1)"
    }

    func finish(_ sql: String) -> Statement { Statement(sql: sql, parameters: parameters) }

    mutating func behind(from index: Int) -> String {
      let term = order[index].inParentheses
      let ascends = ascends(index)
      guard let value = name(index) else {
        let equal = "(\(term) IS NULL AND \(behind(from: index + 1)))"
        return ascends ? "(\(term) IS NOT NULL OR \(equal))" : equal
      }
      let later = "\(term) \(ascends ? ">" : "<") \(value)"
      guard index < order.count - 1 else { return later }
      let nils = !ascends && order[index].allowsNil ? " OR \(term) IS NULL" : ""
      return "(\(later)\(nils) OR (\(term) = \(value) AND \(behind(from: index + 1))))"
    }
  }
}

extension QuerySQL.Term {
  /// The value as an operand.
  fileprivate var inParentheses: String { "(\(sql))" }

  /// The condition that the value is not nil, so that an index is searched for the first such
  /// value.
  fileprivate var isThere: String {
    guard let least else { return "\(inParentheses) IS NOT NULL" }
    return "\(inParentheses) >= \(least)"
  }
}
