/// A reader of the output of ``NestedWriter``, and of JSON in the same form by others.
///
/// Each accepted text has one meaning. A text may have at most ``NestedValue/maxLevels`` levels, or
/// as many levels as the caller allows.
struct NestedReader {
  private var json: JSONScanner
  private let maxLevels: Int
  /// Returns the row of an object in the text that is identified by its primary key; nil if keys
  /// aren't allowed.
  private let rowOfKey: ((_ className: String, _ key: NestedValue) -> Int64)?

  init(
    _ text: String, maxLevels: Int = NestedValue.maxLevels,
    rowOfKey: ((_ className: String, _ key: NestedValue) -> Int64)? = nil
  ) {
    json = JSONScanner(Array(text.utf8))
    self.maxLevels = maxLevels
    self.rowOfKey = rowOfKey
  }

  mutating func whole() throws(JSONProblem) -> NestedValue {
    let value = try value(level: 0)
    try json.requireEnd()
    return value
  }

  /// - Parameter level: The number of collections around the value.
  private mutating func value(level: Int) throws(JSONProblem) -> NestedValue {
    switch json.next() {
    case UInt8(ascii: "n"):
      try json.require(word: "null")
      return .null
    case UInt8(ascii: "t"):
      try json.require(word: "true")
      return .value(.integer(1), .bool)
    case UInt8(ascii: "f"):
      try json.require(word: "false")
      return .value(.integer(0), .bool)
    case UInt8(ascii: "\""): return .value(.text(try json.text()), .string)
    case UInt8(ascii: "["):
      try checkLevel(level)
      return .list(try items(level: level + 1))
    case UInt8(ascii: "{"): return try object(level: level)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw json.problem("a value")
    }
  }

  private func checkLevel(_ level: Int) throws(JSONProblem) {
    guard level < maxLevels else {
      throw json.problem("at most \(maxLevels) levels of nested collections")
    }
  }

  private mutating func items(level: Int) throws(JSONProblem) -> [NestedValue] {
    try json.require("[")
    if json.take("]") { return [] }
    var items: [NestedValue] = []
    repeat { items.append(try value(level: level)) } while json.take(",")
    try json.requireEnd("]")
    return items
  }

  private mutating func object(level: Int) throws(JSONProblem) -> NestedValue {
    try json.require("{")
    if json.take("}") {
      try checkLevel(level)
      return .dictionary([])
    }
    var entries: [NestedEntry] = []
    var keys: Set<StoredText> = []
    repeat {
      var key = try json.text()
      try json.require(":")
      if key.utf8.first == UInt8(ascii: "$") {
        key.removeFirst()
        if key.utf8.first != UInt8(ascii: "$") {
          guard entries.isEmpty else { throw json.problem("a key that doesn't begin with '$'") }
          return try wrapped(key, level: level)
        }
      }
      guard keys.insert(StoredText(key)).inserted else { throw json.problem("another key") }
      try checkLevel(level)
      entries.append(NestedEntry(key: key, value: try value(level: level + 1)))
    } while json.take(",")
    try json.requireEnd("}")
    return .dictionary(entries.sorted { SQLName.precedes($0.key, $1.key) })
  }

  private mutating func number() throws(JSONProblem) -> NestedValue {
    let (text, isInteger) = try json.number()
    if isInteger {
      guard let number = Int64(text) else { throw json.problem("an integer of 64 bits") }
      return .value(.integer(number), .int)
    }
    guard let number = Double(text), number.isFinite else { throw json.problem("a number") }
    return .value(.real(number), .double)
  }

  /// Reads an integer without a fraction.
  private mutating func integer() throws(JSONProblem) -> Int64 {
    guard case .value(.integer(let number), .int) = try number() else {
      throw json.problem("an integer")
    }
    return number
  }
}

extension NestedValue {
  /// Reads the text of a column.
  package init(text: String) throws(JSONProblem) {
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
  ) throws(JSONProblem) {
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
    do throws(JSONProblem) {
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
  private mutating func wrapped(_ name: String, level: Int) throws(JSONProblem) -> NestedValue {
    let value: NestedValue
    switch name {
    case "numberDouble": value = .value(.real(try number(Double.self)), .double)
    case "numberFloat": value = .value(.real(Double(try number(Float.self))), .float)
    case "numberInt", "numberLong":
      guard let number = Int64(try json.text()) else { throw json.problem("an integer of 64 bits") }
      value = .value(.integer(number), .int)
    case "numberDecimal": value = .value(.text(try json.text()), .decimal128)
    case "date": value = .value(.text(try json.text()), .date)
    case "oid": value = .value(.text(try json.text()), .objectId)
    case "uuid": value = .value(.text(try json.text()), .UUID)
    case "binary": value = .value(.blob(try binary()), .data)
    case "ref":
      let className = try json.text()
      value = .link(className: className, row: try row(of: className, level: level))
    default: throw json.problem("the name of a type, not '$\(name)'")
    }
    try json.require("}")
    return value
  }

  /// Reads the row of an object: its identity, or its primary key if the caller supports keys.
  private mutating func row(of className: String, level: Int) throws(JSONProblem) -> Int64 {
    try json.require(",")
    let name = try json.text()
    guard name == "$id" || name == "$key" && rowOfKey != nil else { throw json.problem("'$id'") }
    try json.require(":")
    guard let rowOfKey else { return try integer() }
    if name == "$key" {
      // In a text of another program, a key may be such an object again.
      try checkLevel(level - 1)
      return rowOfKey(className, try value(level: level + 1))
    }
    let row = try integer()
    // Negative rows are reserved for objects that the caller knows by their keys.
    guard row >= 0 else { throw json.problem("an identity") }
    return row
  }

  private mutating func key(_ name: String, isFirst: Bool) throws(JSONProblem) {
    if !isFirst { try json.require(",") }
    guard try json.text() == name else { throw json.problem("'\(name)'") }
    try json.require(":")
  }

  private mutating func binary() throws(JSONProblem) -> [UInt8] {
    try json.require("{")
    try key("base64", isFirst: true)
    guard let bytes = Base64.decode(Array(try json.text().utf8)) else {
      throw json.problem("base 64")
    }
    try key("subType", isFirst: false)
    _ = try json.text()
    try json.require("}")
    return bytes
  }

  private mutating func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _: Number.Type
  ) throws(JSONProblem) -> Number {
    switch try json.text() {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    case let text:
      guard let number = Number(text), number.isFinite else { throw json.problem("a number") }
      return number
    }
  }
}
