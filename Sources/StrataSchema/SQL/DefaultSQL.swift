/// The `DEFAULT` clauses of columns, for rows that other programs and older releases insert.
package enum DefaultSQL {
  /// Returns the clause's value for a constant; nil for a value without an exact SQL text.
  package static func constant(_ value: StoredValue) -> String? {
    if case .real(let number) = value, !value.isExactLiteral { return fraction(number) }
    return value != .null && value.isExactLiteral ? value.sqlLiteral : nil
  }

  /// Returns a number as a fraction of two integers, because SQLite doesn't always find the nearest
  /// number when it reads decimals. Nil for numbers below a quintillionth, which have no such form.
  private static func fraction(_ number: Double) -> String? {
    guard number.isFinite, number != 0 else { return nil }
    var (numerator, power) = (number.significand, Int(number.exponent))
    while numerator != numerator.rounded() { (numerator, power) = (numerator * 2, power - 1) }
    guard (-62 ... -1).contains(power) else { return nil }
    let sign = number < 0 ? "-" : ""
    return "(\(sign)\(Int64(numerator)) / CAST(\(Int64(1) << -power) AS REAL))"
  }

  /// Returns an expression that gives each row a value of its own: a random UUID or ObjectId, the
  /// present time. Nil for other types.
  ///
  /// SQLite evaluates it for each inserted row. `ADD COLUMN` doesn't accept it, so only created and
  /// rebuilt tables have it.
  package static func generated(_ type: PropertyType) -> String? {
    switch type {
    case .UUID:
      // Each connection parses the text of all tables, so the expression has few functions.
      """
      (printf('%08X-%04X-4%03X-%04X-%012X', random() & 0xFFFFFFFF, random() & 0xFFFF, \
      random() & 0xFFF, random() & 0x3FFF | 0x8000, random() & 0xFFFFFFFFFFFF))
      """
    case .objectId: "(printf('%08x%016x', strftime('%s', 'now'), random()))"
    case .date: "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000000')"
    default: nil
    }
  }

  /// Whether the value of a clause differs for each row.
  package static func isGenerated(_ sql: String) -> Bool {
    [PropertyType.UUID, .objectId, .date].contains { generated($0) == sql }
  }

  /// Returns the value of a clause for a default as `PRAGMA table_xinfo` reports it, which leaves
  /// out the parentheses around an expression.
  package static func value(reported sql: String) -> String {
    let isLiteral =
      sql.wholeMatch(
        of: /[+-]?[0-9.]+([eE][+-]?[0-9]+)?|[xX]?'([^']|'')*'|"([^"]|"")*"|[A-Za-z_]+/) != nil
    return isLiteral ? sql : "(\(sql))"
  }
}
