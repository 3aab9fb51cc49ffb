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

extension StoredValue {
  /// The value as SQL text.
  ///
  /// - `Double` in its shortest exact decimal form; the infinities as 9e999, which SQLite reads as
  ///   infinity. NaN, which SQLite does not have, becomes NULL.
  /// - Text with quotes doubled. SQLite stops reading SQL at a NUL character, so text that contains
  ///   one is written as a cast of its bytes.
  package var sqlLiteral: String {
    switch self {
    case .null: return "NULL"
    case .integer(let value): return String(value)
    case .real(let value): return Self.sql(value)
    case .text(let value):
      let utf8 = value.utf8
      if utf8.contains(0) { return "CAST(\(Self.sql(utf8)) AS TEXT)" }
      return value.quoted("'")
    case .blob(let bytes): return Self.sql(bytes)
    }
  }

  /// Whether `sqlLiteral` represents exactly this value, and may follow `DEFAULT`.
  ///
  /// SQLite does not always find the nearest double when it reads decimal text, and `ALTER TABLE
  /// ADD COLUMN` accepts no expression as a default. Other values must be bound.
  package var isExactLiteral: Bool {
    switch self {
    case .null, .integer, .blob: true
    case .text(let value): !value.utf8.contains(0)
    case .real(let value): value.isInfinite || Self.hasFewDigits(value)
    }
  }

  private static func sql(_ value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return value.description
  }

  private static func sql(_ bytes: some Collection<UInt8>) -> String {
    var result = "x'"
    result.reserveCapacity(bytes.count * 2 + 3)
    for byte in bytes {
      if byte < 16 { result += "0" }
      result += String(byte, radix: 16)
    }
    return result + "'"
  }

  /// Whether a number has up to three decimals, and is small enough that its digits alone are
  /// exact.
  ///
  /// SQLite divides the digits by a power of ten in extended precision and rounds twice. Only up to
  /// 10^3 is the quotient always far enough from the middle between two doubles.
  private static func hasFewDigits(_ value: Double) -> Bool {
    guard value.isFinite, value.magnitude < 9e12 else { return false }
    let parts = value.description.split(separator: ".")
    return parts.count == 2 && parts[1].utf8.count <= 3 && !parts[1].utf8.contains(0x65)
  }
}
