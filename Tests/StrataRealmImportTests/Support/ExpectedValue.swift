import Foundation
import RealmFileKit

@testable import Strata
@testable import StrataStorage

/// The expected value in a converted file, as text, for a value of the JSON. The choices are
/// ``RealmWrittenFile/choices``.
struct ExpectedValue {
  let type: String
  let target: String?
  let isOptional: Bool
  /// A column that has one type stores −0.0 as 0.
  private var keepsNegativeZero = false
  /// The text of a nested collection has a place for it.
  private var keepsNaN = false

  init(_ property: JSONValue) {
    type = property["type"].text ?? ""
    target = property["target"].text
    isOptional = property["optional"] == .bool(true)
  }

  private init(mixed type: String, isNested: Bool) {
    self.type = type
    keepsNaN = isNested
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

  private func mixed(_ json: JSONValue, isNested: Bool = false) -> String {
    if json == .null { return Self.null }
    let type = json["type"].text ?? ""
    switch type {
    case "list": return Self.list(json["value"].elements.map { mixed($0, isNested: true) })
    case "dictionary":
      return Self.dictionary(json["value"].members.map { ($0, mixed($1, isNested: true)) })
    case "object": return "\(json["class"].text ?? "") \(json["value"].number ?? -1)"
    default:
      let text = ExpectedValue(mixed: type, isNested: isNested).text(json["value"])
      return text == Self.null ? text : "mixed " + text
    }
  }

  /// A list in an `AnyRealmValue`.
  static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: "; "))]" }

  /// A dictionary in an `AnyRealmValue`.
  static func dictionary(_ entries: [(key: String, text: String)]) -> String {
    let lines = entries.map { "\($0.key.unicodeScalars.map(\.value)): \($0.text)" }
    return "{\(lines.sorted().joined(separator: "; "))}"
  }

  private func hex(_ text: String) -> UInt64 { UInt64(text.dropFirst(2), radix: 16) ?? 0 }

  private func real(_ value: Double) -> String {
    if value.isNaN, keepsNaN { return "real nan" }
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
