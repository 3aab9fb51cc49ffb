import StrataSchema
import StrataStorage

/// The text of an `AnyRealmValue` in CSV, where nothing else tells its type.
///
/// A text is written as it is, unless it would be read as something else: then it is JSON, as is
/// all that is neither a number nor a `Bool`: `"5"`, `{"$date":"…"}`, `[1,2]`.
enum CSVCell {
  /// The cell of a value, without the marks of CSV.
  static func text(_ value: NestedValue, json: (NestedValue) -> String) -> String {
    switch value {
    case .value(.text(let text), .string): isPlain(text) || !isJSON(text) ? text : json(value)
    default: json(value)
    }
  }

  /// The value of a cell.
  ///
  /// - Parameter json: Reads JSON; throws for what is none, which is a text then.
  static func value(
    _ text: String, json: (String) throws(NestedProblem) -> NestedValue
  ) -> NestedValue {
    guard !isPlain(text) else { return .value(.text(text), .string) }
    do throws(NestedProblem) {
      return try json(text)
    } catch {
      // A text that only begins like JSON.
      return .value(.text(text), .string)
    }
  }

  /// How deep JSON of other programs may be: embedded objects may be around the value of a
  /// property.
  static let mostLevels = 2 * NestedValue.mostLevels

  private static func isJSON(_ text: String) -> Bool {
    do throws(NestedProblem) {
      _ = try NestedValue(exchanged: text, mostLevels: mostLevels) { _, _ in 0 }
      return true
    } catch {
      return false
    }
  }

  /// Whether a text can't be taken for JSON by its beginning.
  private static func isPlain(_ text: String) -> Bool {
    switch text {
    case "true", "false", "null": return false
    default:
      let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
      // JSON has no zero before a number: `007` is a text.
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
