import Foundation

@testable import Strata

/// What a value of the JSON becomes in a converted file, as text. The choices are those of ``RealmWrittenFile/choices``.
struct ExpectedValue {
  let type: String
  let target: String?
  let isOptional: Bool
  /// A column that has one type stores −0.0 as 0.
  private var keepsNegativeZero = false

  init(_ property: JSONValue) {
    type = property["type"].text ?? ""
    target = property["target"].text
    isOptional = property["optional"] == .bool(true)
  }

  private init(mixed type: String) {
    self.type = type
    target = nil
    isOptional = true
    keepsNegativeZero = true
  }

  static let null = "nil"

  func text(_ json: JSONValue) -> String {
    switch (type, json) {
    case (_, .null): return type == "string" && !isOptional ? "string ''" : Self.null
    case ("mixed", let json): return mixed(json)
    case ("object", .int(let key)): return "\(target ?? "") \(key)"
    case ("int", .int(let value)): return "int \(value)"
    case ("bool", .bool(let value)): return "bool \(value)"
    case ("float", .string(let bits)): return real(Double(Float(bitPattern: UInt32(hex(bits)))))
    case ("double", .string(let bits)): return real(Double(bitPattern: hex(bits)))
    case ("string", .string(let text)): return "string '\(text.unicodeScalars.map(\.value))'"
    case ("data", .string(let digits)): return "data \(digits)"
    case ("date", .array(let parts)): return date(parts[0].number ?? 0, parts[1].number ?? 0)
    case ("decimal", .string(let text)):
      return "decimal \((try? Decimal128(string: text))?.exactText ?? text)"
    case ("objectId", .string(let id)): return "objectId \(id)"
    case ("uuid", .string(let id)): return "uuid \(id.uppercased())"
    default: return "not expected: \(type) \(json)"
    }
  }

  private func mixed(_ json: JSONValue) -> String {
    let type = json["type"].text ?? ""
    switch type {
    // As the choices say.
    case "list", "dictionary": return Self.null
    case "object": return "\(json["class"].text ?? "") \(json["value"].number ?? -1)"
    default:
      let text = ExpectedValue(mixed: type).text(json["value"])
      return text == Self.null ? text : "mixed " + text
    }
  }

  private func hex(_ text: String) -> UInt64 { UInt64(text.dropFirst(2), radix: 16) ?? 0 }

  private func real(_ value: Double) -> String {
    if value.isNaN { return isOptional ? Self.null : "real 0.0" }
    return "real \(value == 0 && !keepsNegativeZero ? 0 : value)"
  }

  private func date(_ seconds: Int64, _ nanoseconds: Int64) -> String {
    // 0000-01-01 and 10000-01-01.
    if seconds < -62_167_219_200 { return "date 0000-01-01 00:00:00.000000000" }
    if seconds >= 253_402_300_800 { return "date 9999-12-31 23:59:59.999969482" }
    let date = Date(
      timeIntervalSinceReferenceDate: Double(seconds) - 978_307_200 + Double(nanoseconds) / 1e9)
    return "date \(DateText.encode(date) ?? "")"
  }
}
