import StrataSchema

/// The formats in which objects are written for other programs.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// RFC 4180: a header, a line for each object, in UTF-8 with a line feed at the end of each. Nil
  /// is nothing, an empty text `""`; collections are JSON.
  case csv
  /// An array of objects.
  case json
  /// An object in each line.
  case ndjson

  package var contentType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    }
  }
}

/// The text of exported objects, piece by piece.
struct ExportText {
  private let format: ExportFormat
  private let columns: [String]
  private var isFirst = true

  init(_ format: ExportFormat, columns: [String]) {
    self.format = format
    self.columns = columns
  }

  var start: String {
    switch format {
    case .csv: columns.map(Self.field).joined(separator: ",") + "\n"
    case .json: "["
    case .ndjson: ""
    }
  }

  /// The text of an object, whose values are in the order of the columns.
  mutating func row(_ values: [NestedValue]) -> String {
    defer { isFirst = false }
    switch format {
    case .csv:
      return values.map(Self.cell).joined(separator: ",") + "\n"
    case .json: return (isFirst ? "\n" : ",\n") + object(values)
    case .ndjson: return object(values) + "\n"
    }
  }

  var end: String { format == .json ? (isFirst ? "]\n" : "\n]\n") : "" }

  private func object(_ values: [NestedValue]) -> String {
    NestedValue.dictionary(
      zip(columns, values).map { NestedEntry(key: $0, value: $1) }
    ).text
  }

  // MARK: CSV

  private static func cell(_ value: NestedValue) -> String {
    switch value {
    case .null: ""
    case .value(.text(let text), _): text.isEmpty ? "\"\"" : field(text)
    case .value(.integer(let number), .bool): number == 0 ? "false" : "true"
    case .value(.integer(let number), _): "\(number)"
    case .value(.real(let number), .float): "\(Float(number))"
    case .value(.real(let number), _): "\(number)"
    case .value(.blob(let bytes), _): String(decoding: Base64.encode(bytes), as: UTF8.self)
    case .value(.null, _): ""
    case .link, .list, .dictionary: field(value.text)
    }
  }

  /// A text with quotation marks around it where it needs them.
  private static func field(_ text: String) -> String {
    let needsMarks = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsMarks || text.first == " " || text.last == " " else { return text }
    return text.quoted("\"")
  }
}
