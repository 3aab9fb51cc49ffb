/// A problem in the text of a nested collection.
package struct NestedProblem: Error, Sendable, Hashable {
  /// The expected item.
  package let reason: String
  /// The position of the byte at which reading stopped.
  package let offset: Int
}

/// A reader of the output of ``NestedWriter``, and of JSON in the same form by others.
///
/// The reader is strict: each accepted text has one meaning. A text may have at most
/// ``NestedValue/maxLevels`` levels, or as many levels as the caller allows.
struct NestedReader {
  private let bytes: [UInt8]
  private let maxLevels: Int
  /// Returns the row of an object in the text that is identified by its primary key; nil if keys
  /// aren't allowed.
  let rowOfKey: ((_ className: String, _ key: NestedValue) -> Int64)?
  private(set) var position = 0

  init(
    _ text: String, maxLevels: Int = NestedValue.maxLevels,
    rowOfKey: ((_ className: String, _ key: NestedValue) -> Int64)? = nil
  ) {
    bytes = Array(text.utf8)
    self.maxLevels = maxLevels
    self.rowOfKey = rowOfKey
  }

  mutating func whole() throws(NestedProblem) -> NestedValue {
    let value = try value(level: 0)
    skipSpace()
    guard position == bytes.count else { throw problem("the end") }
    return value
  }

  func problem(_ reason: String) -> NestedProblem {
    NestedProblem(reason: reason, offset: position)
  }

  // MARK: Characters

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func require(_ character: Unicode.Scalar) throws(NestedProblem) {
    guard take(character) else { throw problem("'\(character)'") }
  }

  private mutating func take(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  // MARK: Values

  /// - Parameter level: The number of collections around the value.
  mutating func value(level: Int = 0) throws(NestedProblem) -> NestedValue {
    skipSpace()
    switch byte {
    case UInt8(ascii: "n") where take(word: "null"): return .null
    case UInt8(ascii: "t") where take(word: "true"): return .value(.integer(1), .bool)
    case UInt8(ascii: "f") where take(word: "false"): return .value(.integer(0), .bool)
    case UInt8(ascii: "\""): return .value(.text(try string()), .string)
    case UInt8(ascii: "["):
      try checkLevel(level)
      return .list(try items(level: level + 1))
    case UInt8(ascii: "{"): return try object(level: level)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw problem("a value")
    }
  }

  private func checkLevel(_ level: Int) throws(NestedProblem) {
    guard level < maxLevels else {
      throw problem("at most \(maxLevels) levels of nested collections")
    }
  }

  private mutating func items(level: Int) throws(NestedProblem) -> [NestedValue] {
    try require("[")
    if take("]") { return [] }
    var items: [NestedValue] = []
    repeat { items.append(try value(level: level)) } while take(",")
    try require("]")
    return items
  }

  private mutating func object(level: Int) throws(NestedProblem) -> NestedValue {
    try require("{")
    if take("}") {
      try checkLevel(level)
      return .dictionary([])
    }
    var entries: [NestedEntry] = []
    var keys: Set<[UInt8]> = []
    repeat {
      var key = try string()
      try require(":")
      if key.utf8.first == UInt8(ascii: "$") {
        key.removeFirst()
        if key.utf8.first != UInt8(ascii: "$") {
          guard entries.isEmpty else { throw problem("a key that doesn't begin with '$'") }
          return try wrapped(key)
        }
      }
      // Swift compares texts by canonical equivalence, not by their bytes.
      guard keys.insert(Array(key.utf8)).inserted else { throw problem("another key") }
      try checkLevel(level)
      entries.append(NestedEntry(key: key, value: try value(level: level + 1)))
    } while take(",")
    try require("}")
    return .dictionary(entries.sorted { SQLName.precedes($0.key, $1.key) })
  }

  // MARK: Numbers

  private mutating func number() throws(NestedProblem) -> NestedValue {
    let start = position
    var isInteger = true
    while let byte {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isInteger = false
      default: return try number(start..<position, isInteger: isInteger)
      }
      position += 1
    }
    return try number(start..<position, isInteger: isInteger)
  }

  private func number(
    _ range: Range<Int>, isInteger: Bool
  ) throws(NestedProblem) -> NestedValue {
    let text = String(decoding: bytes[range], as: UTF8.self)
    if isInteger {
      guard let number = Int64(text) else { throw problem("an integer of 64 bits") }
      return .value(.integer(number), .int)
    }
    guard let number = Double(text), number.isFinite else { throw problem("a number") }
    return .value(.real(number), .double)
  }

  /// Reads an integer without a fraction.
  mutating func integer() throws(NestedProblem) -> Int64 {
    skipSpace()
    guard case .value(.integer(let number), .int) = try number() else {
      throw problem("an integer")
    }
    return number
  }

  // MARK: Texts

  mutating func string() throws(NestedProblem) -> String {
    try require("\"")
    var text: [UInt8] = []
    while let byte {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += String(try escaped()).utf8
      case ..<0x20: throw problem("a text without control characters")
      default: text.append(byte)
      }
    }
    throw problem("'\"'")
  }

  private mutating func escaped() throws(NestedProblem) -> Unicode.Scalar {
    guard let byte else { throw problem("an escaped character") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      guard 0xD800...0xDBFF ~= unit else { return try scalar(unit) }
      guard take(word: "\\u") else { throw problem("the second half of a character") }
      let second = try codeUnit()
      guard 0xDC00...0xDFFF ~= second else { throw problem("the second half of a character") }
      return try scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    default: throw problem("an escaped character")
    }
  }

  private func scalar(_ value: UInt32) throws(NestedProblem) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw problem("a character") }
    return scalar
  }

  private mutating func codeUnit() throws(NestedProblem) -> UInt32 {
    guard position + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+")
    else { throw problem("four hexadecimal digits") }
    position += 4
    return unit
  }
}

extension NestedValue {
  /// Reads the text of a column.
  package init(text: String) throws(NestedProblem) {
    var reader = NestedReader(text)
    self = try reader.whole()
  }

  /// Reads the text of another program, which may identify an object by its primary key, as in
  /// `{"$ref":"Dog","$key":"Rex"}`, and may have further collections around the collections of a
  /// column.
  ///
  /// - Parameter rowOfKey: Returns the row of a link to such an object.
  package init(
    exchanged text: String, maxLevels: Int,
    rowOfKey: @escaping (_ className: String, _ key: NestedValue) -> Int64
  ) throws(NestedProblem) {
    var reader = NestedReader(text, maxLevels: maxLevels, rowOfKey: rowOfKey)
    self = try reader.whole()
  }

  /// Creates the collection of two columns; nil if they contain something else.
  package init?(_ value: StoredValue, typeName: String?) {
    guard let kind = typeName.flatMap(NestedKind.init), case .text(let text) = value,
      let collection = NestedValue(readable: text), collection.kind == kind
    else { return nil }
    self = collection
  }

  /// Creates the value of a text; nil if it isn't JSON of this form.
  init?(readable text: String) {
    do throws(NestedProblem) {
      self = try NestedValue(text: text)
    } catch {
      return nil
    }
  }
}

extension NestedReader {
  /// Reads the value after a name that gives its type, up to the end of the object.
  ///
  /// - Parameter name: The name without the `$`.
  mutating func wrapped(_ name: String) throws(NestedProblem) -> NestedValue {
    let value: NestedValue
    switch name {
    case "numberDouble": value = .value(.real(try number(Double.self)), .double)
    case "numberFloat": value = .value(.real(Double(try number(Float.self))), .float)
    case "numberInt", "numberLong":
      guard let number = Int64(try string()) else { throw problem("an integer of 64 bits") }
      value = .value(.integer(number), .int)
    case "numberDecimal": value = .value(.text(try string()), .decimal128)
    case "date": value = .value(.text(try string()), .date)
    case "oid": value = .value(.text(try string()), .objectId)
    case "uuid": value = .value(.text(try string()), .UUID)
    case "binary": value = .value(.blob(try binary()), .data)
    case "ref":
      let className = try string()
      value = .link(className: className, row: try row(of: className))
    default: throw problem("the name of a type, not '$\(name)'")
    }
    try require("}")
    return value
  }

  /// Reads the row of an object: its identity, or its primary key if the caller supports keys.
  private mutating func row(of className: String) throws(NestedProblem) -> Int64 {
    try require(",")
    let name = try string()
    guard name == "$id" || name == "$key" && rowOfKey != nil else { throw problem("'$id'") }
    try require(":")
    guard let rowOfKey else { return try integer() }
    if name == "$key" { return rowOfKey(className, try value()) }
    let row = try integer()
    // Negative rows are reserved for objects that the caller knows by their keys.
    guard row >= 0 else { throw problem("an identity") }
    return row
  }

  private mutating func key(_ name: String, isFirst: Bool) throws(NestedProblem) {
    if !isFirst { try require(",") }
    guard try string() == name else { throw problem("'\(name)'") }
    try require(":")
  }

  private mutating func binary() throws(NestedProblem) -> [UInt8] {
    try require("{")
    try key("base64", isFirst: true)
    guard let bytes = Base64.decode(Array(try string().utf8)) else { throw problem("base 64") }
    try key("subType", isFirst: false)
    _ = try string()
    try require("}")
    return bytes
  }

  private mutating func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _: Number.Type
  ) throws(NestedProblem) -> Number {
    switch try string() {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    case let text:
      guard let number = Number(text), number.isFinite else { throw problem("a number") }
      return number
    }
  }
}
