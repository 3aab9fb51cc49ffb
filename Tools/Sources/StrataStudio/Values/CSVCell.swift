import StrataSchema
import StrataStorage

/// The CSV form of an `AnyRealmValue`, whose type isn't known from the column.
///
/// A text is written unchanged, unless the cell would be parsed as JSON. Such a text is written as
/// JSON, and so is every value that is neither a number nor a `Bool`: `"5"`, `{"$date":"…"}`,
/// `[1,2]`.
enum CSVCell {
  /// The cell of a value, before CSV quoting.
  static func text(_ value: NestedValue, json: (NestedValue) -> String) -> String {
    switch value {
    case .value(.text(let text), .string): isPlain(text) || !isJSON(text) ? text : json(value)
    default: json(value)
    }
  }

  /// Parses a cell.
  ///
  /// - Parameter json: Parses JSON. If it throws, the cell is a text.
  static func value(
    _ text: String, json: (String) throws(JSONProblem) -> NestedValue
  ) -> NestedValue {
    guard !isPlain(text) else { return .value(.text(text), .string) }
    do throws(JSONProblem) {
      return try json(text)
    } catch {
      // The text only begins like JSON.
      return .value(.text(text), .string)
    }
  }

  /// The maximum nesting of foreign JSON: embedded objects may surround the value of a property.
  static let maxLevels = 2 * NestedValue.maxLevels

  private static func isJSON(_ text: String) -> Bool {
    do throws(JSONProblem) {
      _ = try NestedValue(exchanged: text, maxLevels: maxLevels) { _, _ in 0 }
      return true
    } catch {
      return false
    }
  }

  /// Whether the start of a text rules out JSON.
  private static func isPlain(_ text: String) -> Bool {
    switch text {
    case "true", "false", "null": return false
    default:
      let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
      // JSON numbers have no leading zero: `007` is a text.
      if digits.first == UInt8(ascii: "0"), let next = digits.dropFirst().first,
        next >= UInt8(ascii: "0"), next <= UInt8(ascii: "9")
      {
        return true
      }
      switch text.utf8.first {
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "-"),
        UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
        .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
        return false
      default: return true
      }
    }
  }
}

/// The formats of exported objects, and of objects to import.
package enum ObjectFormat: String, CaseIterable, Sendable {
  /// CSV as in RFC 4180: a header and a line for each object, in UTF-8, with line feeds. Nil is an
  /// empty field, an empty text is `""`, and collections are JSON.
  case csv
  /// A JSON array of objects.
  case json
  /// One JSON object in each line.
  case ndjson

  package var contentType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    }
  }
}
