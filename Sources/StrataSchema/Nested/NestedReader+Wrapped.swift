extension NestedReader {
  /// What follows the name that tells the type of a value, up to the end of the object.
  ///
  /// - Parameter name: Without the `$`.
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

  /// The row of an object: its identity, or where the caller knows it, its primary key.
  private mutating func row(of className: String) throws(NestedProblem) -> Int64 {
    try require(",")
    let name = try string()
    guard name == "$id" || name == "$key" && rowOfKey != nil else { throw problem("'$id'") }
    try require(":")
    guard let rowOfKey else { return try integer() }
    if name == "$key" { return rowOfKey(className, try value()) }
    let row = try integer()
    // Those below zero are for what the caller knows by its key.
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
