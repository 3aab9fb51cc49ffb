/// A change of one row by another program, as recorded by a trigger: SQL literals with commas
/// between them.
///
/// `'Person','i',7`, `'Person','u',7,'age'` with the changed columns, `'Person','c',7,'tags'` with
/// a collection, `'Person','d',7,'name','Ada'` with kept columns and their values.
package struct OtherProgramChange: Sendable, Hashable {
  package var className: String
  package var kind: HistoryNote.Kind
  package var row: Int64
  /// The properties that an update has changed, by their columns.
  package var columns: [String] = []
  /// The values that a deletion keeps.
  package var kept: [String: StoredValue] = [:]

  /// Reads the text of a trigger; nil for another text.
  package init?(_ text: String) {
    guard let values = SQLLiterals.values(in: text), values.count >= 3,
      case .text(let className) = values[0], case .text(let letter) = values[1],
      let kind = HistoryNote.Kind(rawValue: letter), case .integer(let row) = values[2]
    else { return nil }
    self.className = className
    self.kind = kind
    self.row = row
    let rest = values.dropFirst(3)
    switch kind {
    case .inserted: break
    case .updated, .elements:
      for value in rest {
        guard case .text(let column) = value else { return nil }
        columns.append(column)
      }
    case .deleted:
      guard rest.count.isMultiple(of: 2) else { return nil }
      for index in stride(from: rest.startIndex, to: rest.endIndex, by: 2) {
        guard case .text(let column) = rest[index] else { return nil }
        kept[column] = rest[index + 1]
      }
    }
  }
}

/// A reader of the output of SQLite's `quote()`, and of texts in the form `T` and their bytes.
enum SQLLiterals {
  /// Returns the values of literals between commas; nil for another text.
  static func values(in text: String) -> [StoredValue]? {
    var bytes = Array(text.utf8)[...]
    var values: [StoredValue] = []
    repeat {
      guard let value = next(&bytes) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","), &bytes)
    return bytes.isEmpty ? values : nil
  }

  private static func take(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == byte else { return false }
    bytes.removeFirst()
    return true
  }

  private static func next(_ bytes: inout ArraySlice<UInt8>) -> StoredValue? {
    switch bytes.first {
    case UInt8(ascii: "'"): return string(&bytes).map { .text($0) }
    case UInt8(ascii: "X"):
      bytes.removeFirst()
      return string(&bytes).flatMap(blob).map { .blob($0) }
    case UInt8(ascii: "T"):
      bytes.removeFirst()
      guard take(UInt8(ascii: "X"), &bytes) else { return nil }
      return string(&bytes).flatMap(blob).map { .text(String(decoding: $0, as: UTF8.self)) }
    default:
      let end = bytes.firstIndex(of: UInt8(ascii: ",")) ?? bytes.endIndex
      let word = String(decoding: bytes[..<end], as: UTF8.self)
      bytes = bytes[end...]
      if word == "NULL" { return .null }
      if let integer = Int64(word) { return .integer(integer) }
      return Double(word).map { .real($0) }
    }
  }

  private static func string(_ bytes: inout ArraySlice<UInt8>) -> String? {
    let quote = UInt8(ascii: "'")
    guard take(quote, &bytes) else { return nil }
    var result: [UInt8] = []
    while let end = bytes.firstIndex(of: quote) {
      result += bytes[..<end]
      bytes = bytes[(end + 1)...]
      guard take(quote, &bytes) else { return String(decoding: result, as: UTF8.self) }
      result.append(quote)
    }
    return nil
  }

  private static func blob(_ digits: String) -> [UInt8]? {
    let digits = Array(digits.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
