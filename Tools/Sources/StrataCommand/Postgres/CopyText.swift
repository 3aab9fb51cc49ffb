import StrataSchema
import StrataStorage

/// Lines for `COPY … FROM stdin` in its format `text`.
///
/// ```swift
/// var text = CopyText()
/// text.append(.text("a\tb"), column)  // a\tb, with a backslash and a t
/// text.endLine()
/// ```
struct CopyText {
  private(set) var bytes: [UInt8] = []
  /// The approximate size of the last value in PostgreSQL's memory.
  private(set) var lastLength = 0
  private var isAtStart = true

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Removes the line that began at `start`.
  mutating func removeLine(from start: Int) {
    bytes.removeSubrange(start...)
    isAtStart = true
  }

  mutating func endLine() {
    bytes.append(0x0A)
    isAtStart = true
  }

  /// Appends a value to the line.
  mutating func append(
    _ value: StoredValue, typeName: String? = nil, _ column: PostgresColumn
  ) -> PostgresFindings.Kind? {
    if isAtStart { isAtStart = false } else { bytes.append(0x09) }
    lastLength = 0
    let start = bytes.count
    if value == .null, !column.isRequired {
      appendNull()
      return nil
    }
    let note =
      column.valueType == .any
      ? appendJSON(value, typeName) : append(value, as: column.valueType)
    if note == .unreadable {
      bytes.removeSubrange(start...)
      if column.isRequired {
        _ = append(.zero(for: column.valueType), as: column.valueType)
      } else {
        appendNull()
      }
    }
    return note
  }

  private mutating func appendNull() { bytes += [0x5C, UInt8(ascii: "N")] }

  private mutating func append(_ value: StoredValue, as type: PropertyType) -> PostgresFindings
    .Kind?
  {
    switch (type, value) {
    case (.bool, .integer(let number)):
      bytes.append(number == 0 ? UInt8(ascii: "f") : UInt8(ascii: "t"))
    case (.int, .integer(let number)), (.object, .integer(let number)): append(number)
    case (.float, .real(let number)): append(number: Float(number))
    case (.double, .real(let number)): append(number: number)
    case (.float, .integer(let number)): append(number: Float(number))
    case (.double, .integer(let number)): append(number: Double(number))
    case (.string, .text(let text)): return append(text: text)
    case (.data, .blob(let data)): append(data)
    case (.date, .text(let text)): return append(date: text)
    case (.UUID, .text(let text)):
      guard PostgresValue.isUUID(text) else { return .unreadable }
      bytes += text.utf8
    case (.objectId, .text(var text)):
      guard let id = text.withUTF8({ ObjectId(utf8: $0) }) else { return .unreadable }
      bytes += id.stringValue.utf8
      lastLength = 24
    case (.decimal128, .text(let text)):
      guard let number = Decimal128(text) else { return .unreadable }
      bytes += number.exactText.utf8
    default: return .unreadable
    }
    return nil
  }

  private mutating func append(_ number: Int64) { bytes += String(number).utf8 }

  private mutating func append(
    number: some BinaryFloatingPoint & CustomStringConvertible
  ) {
    if number.isFinite {
      bytes += number.description.utf8
    } else {
      bytes += (number < 0 ? "-Infinity" : "Infinity").utf8
    }
  }

  private mutating func append(date text: String) -> PostgresFindings.Kind? {
    guard let date = PostgresDate(text) else { return .unreadable }
    date.write(to: &bytes)
    return date.isRounded ? .roundedDate : nil
  }

  /// Appends bytes as hexadecimal digits. The backslash in front is escaped.
  private mutating func append(_ data: [UInt8]) {
    lastLength = data.count
    bytes.reserveCapacity(bytes.count + 3 + data.count * 2)
    bytes += [0x5C, 0x5C, UInt8(ascii: "x")]
    bytes.append(hexDigitsOf: data)
  }

  // MARK: Texts

  private mutating func append(text: String) -> PostgresFindings.Kind? {
    var text = text
    return text.withUTF8 { escape($0) }
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) -> PostgresFindings.Kind? {
    lastLength = text.count
    var note: PostgresFindings.Kind?
    var start = 0
    for index in text.indices {
      let byte = text[index]
      guard byte == 0x5C || byte < 0x0E else { continue }
      let escaped: [UInt8]
      switch byte {
      case 0x5C: escaped = [0x5C, 0x5C]
      case 0x0A: escaped = [0x5C, UInt8(ascii: "n")]
      case 0x0D: escaped = [0x5C, UInt8(ascii: "r")]
      case 0x09: escaped = [0x5C, UInt8(ascii: "t")]
      case 0:
        escaped = Self.replacement
        note = .zeroByte
      default: continue
      }
      bytes.append(contentsOf: text[start..<index])
      bytes.append(contentsOf: escaped)
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
    return note
  }

  /// U+FFFD.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  // MARK: JSON

  private mutating func appendJSON(_ value: StoredValue, _ typeName: String?) -> PostgresFindings
    .Kind?
  {
    guard let nested = PostgresValue.nested(value, typeName) else { return .unreadable }
    guard nested != .null else {
      appendNull()
      return nil
    }
    let json = PostgresValue.withoutZeroBytes(
      Array(nested.text(isForDecimals: true).utf8))
    _ = json.bytes.withUnsafeBufferPointer { escape($0) }
    return json.hadZeroByte ? .zeroByte : nil
  }
}
