/// A writer of nested collections as relaxed Extended JSON.
///
/// | value | text |
/// |---|---|
/// | integer, `Bool`, text, nil | `3`, `true`, `"a"`, `null` |
/// | `Double` | `1.5`, always with a point or an exponent; `{"$numberDouble":"Infinity"}` |
/// | `Float` | `{"$numberFloat":"1.5"}` |
/// | `Decimal128` | `{"$numberDecimal":"1.50"}` |
/// | date | `{"$date":"2024-02-29 12:00:00.000000000"}`, as in a column |
/// | `ObjectId`, `UUID` | `{"$oid":"…"}`, `{"$uuid":"…"}` |
/// | data | `{"$binary":{"base64":"AAE=","subType":"00"}}` |
/// | object | `{"$ref":"Person","$id":5}` |
///
/// A key that begins with `$` gets another `$` in front. Dictionaries are written in the order of
/// their keys, so that equal values have equal texts.
struct NestedWriter {
  private(set) var bytes: [UInt8] = []
  private let isForDecimals: Bool
  private let keyOfRow: ((_ className: String, _ row: Int64) -> NestedValue?)?

  /// - Parameters:
  ///   - isForDecimals: Whether the reader uses decimal numbers, and reads `1e+20` as an integer
  ///     and `-0.0` as 0. Such a `Double` is then written as a text with its type.
  ///   - keyOfRow: Returns the primary key that identifies an object instead of its identity.
  init(
    isForDecimals: Bool = false,
    keyOfRow: ((_ className: String, _ row: Int64) -> NestedValue?)? = nil
  ) {
    self.isForDecimals = isForDecimals
    self.keyOfRow = keyOfRow
    bytes.reserveCapacity(Self.usualCount)
  }

  /// Enough for most texts: an array that grows byte by byte is copied repeatedly.
  private static let usualCount = 128

  mutating func write(_ value: NestedValue) {
    switch value {
    case .null: append("null")
    case .value(let value, let type): write(value, type)
    case .link(let className, let row):
      append("{\"$ref\":")
      write(text: className)
      if let key = keyOfRow?(className, row) {
        append(",\"$key\":")
        write(key)
        append("}")
      } else {
        append(",\"$id\":\(row)}")
      }
    case .list(let items): list(items) { writer, item in writer.write(item) }
    case .dictionary(let entries):
      append("{")
      for (index, entry) in entries.enumerated() {
        if index > 0 { append(",") }
        write(text: entry.key.utf8.first == UInt8(ascii: "$") ? "$" + entry.key : entry.key)
        append(":")
        write(entry.value)
      }
      append("}")
    }
  }

  private mutating func write(_ value: StoredValue, _ type: PropertyType) {
    switch (type, value) {
    case (.bool, .integer(let number)): append(number == 0 ? "false" : "true")
    case (_, .integer(let number)): append("\(number)")
    case (.float, .real(let number)): wrap("$numberFloat", Self.text(of: Float(number)))
    case (_, .real(let number)):
      let text = Self.text(of: number)
      if !number.isFinite || (isForDecimals && (text.contains("e+") || text == "-0.0")) {
        wrap("$numberDouble", text)
      } else {
        append(text)
      }
    case (.date, .text(let text)): wrap("$date", text)
    case (.objectId, .text(let text)): wrap("$oid", text)
    case (.UUID, .text(let text)): wrap("$uuid", text)
    case (.decimal128, .text(let text)): wrap("$numberDecimal", text)
    case (_, .text(let text)): write(text: text)
    case (_, .blob(let data)):
      append("{\"$binary\":{\"base64\":\"")
      bytes += Base64.encode(data)
      append("\",\"subType\":\"00\"}}")
    case (_, .null): append("null")
    }
  }

  private static func text(of number: some BinaryFloatingPoint & CustomStringConvertible) -> String
  {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return number.description
  }

  private mutating func wrap(_ name: String, _ text: String) {
    append("{\"\(name)\":")
    write(text: text)
    append("}")
  }

  /// Writes a list with a closure for each item.
  mutating func list<Item>(
    _ items: [Item], _ write: (inout NestedWriter, Item) -> Void
  ) {
    append("[")
    for (index, item) in items.enumerated() {
      if index > 0 { append(",") }
      write(&self, item)
    }
    append("]")
  }

  mutating func append(_ text: String) { bytes += text.utf8 }

  mutating func write(text: String) { JSONText.append(text, to: &bytes) }
}

extension NestedValue {
  /// The text in a column.
  package var text: String { text(isForDecimals: false) }

  /// Returns the text for other programs. Objects are identified by their primary keys, if they
  /// have one.
  package func text(
    keyOfRow: (_ className: String, _ row: Int64) -> NestedValue?
  ) -> String {
    withoutActuallyEscaping(keyOfRow) { keyOfRow in
      var writer = NestedWriter(keyOfRow: keyOfRow)
      writer.write(self)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  /// Returns the text for a reader with decimal numbers, such as PostgreSQL's `jsonb`.
  package func text(isForDecimals: Bool) -> String {
    var writer = NestedWriter(isForDecimals: isForDecimals)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// The Base64 encoding of bytes, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < part.count ? UInt32(part[start + index]) : 0)
      }
      for index in 0..<4 {
        let sextet = Int(group >> (18 - 6 * UInt32(index)) & 63)
        text.append(index <= part.count ? alphabet[sextet] : padding)
      }
    }
    return text
  }

  /// Returns the bytes of a text; nil for invalid Base64.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    var padded = 0
    for byte in text {
      if byte == padding {
        padded += 1
        group <<= 6
      } else {
        guard padded == 0, let value = value(of: byte) else { return nil }
        group = group << 6 | value
      }
      count += 1
      guard count % 4 == 0 else { continue }
      guard padded <= 2 else { return nil }
      for index in 0..<(3 - padded) {
        bytes.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * UInt32(index))))
      }
      group = 0
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
