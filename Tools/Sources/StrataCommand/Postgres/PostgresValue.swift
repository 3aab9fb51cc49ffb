import StrataSchema
import StrataStorage
import StrataStudio

/// The conversion of stored values to PostgreSQL.
enum PostgresValue {
  /// Whether a text is a UUID in the format of the file.
  static func isUUID(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == 36 else { return false }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default: guard hexValue(byte) != nil else { return false }
      }
    }
    return true
  }

  /// A stored `AnyRealmValue`; nil if the value can't be read.
  static func nested(_ value: StoredValue, _ typeName: String?) -> NestedValue? {
    guard let typeName else { return value == .null ? .null : nil }
    if value == .null { return .null }
    let element = _StoredElement(value, type: typeName)
    if let className = element.linkedClassName {
      guard case .integer(let row) = value else { return nil }
      return .link(className: className, row: row)
    }
    if element.isNested { return NestedValue(value, typeName: typeName) }
    guard let type = PropertyType(rawValue: typeName) else { return nil }
    // Each integer reads as a Bool.
    if type == .bool, case .integer = value { return .value(value, type) }
    return type.holds(value) ? .value(value, type) : nil
  }

  /// Replaces U+0000, which JSON writes as an escape and `jsonb` can't hold, by U+FFFD.
  static func withoutZeroBytes(_ json: [UInt8]) -> (bytes: [UInt8], hadZeroByte: Bool) {
    let zero = Array("u0000".utf8)
    guard json.contains(0x5C) else { return (json, false) }
    var result: [UInt8] = []
    var hadZeroByte = false
    var index = 0
    while index < json.count {
      guard json[index] == 0x5C else {
        result.append(json[index])
        index += 1
        continue
      }
      if json[(index + 1)...].starts(with: zero) {
        result += "\u{FFFD}".utf8
        hadZeroByte = true
        index += 1 + zero.count
      } else {
        // Skips two characters, so that an escaped backslash doesn't start another escape.
        result += json[index..<min(index + 2, json.count)]
        index += 2
      }
    }
    return (result, hadZeroByte)
  }
}
