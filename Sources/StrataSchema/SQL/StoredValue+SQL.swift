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
