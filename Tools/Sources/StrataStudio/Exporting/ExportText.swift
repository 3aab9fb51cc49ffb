import StrataSchema

/// The text of exported objects, in pieces.
struct ExportText {
  private let format: ObjectFormat
  private let columns: [ExportColumn]
  private var isFirst = true

  init(_ format: ObjectFormat, columns: [ExportColumn]) {
    self.format = format
    self.columns = columns
  }

  var start: String {
    switch format {
    case .csv: columns.map { Self.field($0.name) }.joined(separator: ",") + "\n"
    case .json: "["
    case .ndjson: ""
    }
  }

  /// The text of an object, whose values are in the order of the columns.
  mutating func row(_ object: ExportedObject) -> String {
    defer { isFirst = false }
    switch format {
    case .csv:
      return zip(columns, object.values).map { column, value in
        Self.cell(value, column, object)
      }.joined(separator: ",") + "\n"
    case .json: return (isFirst ? "\n" : ",\n") + text(object)
    case .ndjson: return text(object) + "\n"
    }
  }

  var end: String { format == .json ? (isFirst ? "]\n" : "\n]\n") : "" }

  private func text(_ object: ExportedObject) -> String {
    object.text(
      of: .dictionary(
        zip(columns, object.values).map { NestedEntry(key: $0.name, value: $1) }))
  }

  // MARK: CSV

  private static func cell(
    _ value: NestedValue, _ column: ExportColumn, _ object: ExportedObject
  ) -> String {
    switch value {
    case .null: ""
    case .value(.text(""), _): "\"\""
    case _ where column.isAny: field(CSVCell.text(value, json: object.text))
    case .value(.text(let text), _): field(text)
    case .value(.integer(let number), .bool): number == 0 ? "false" : "true"
    case .value(.integer(let number), _): "\(number)"
    case .value(.real(let number), .float): "\(Float(number))"
    case .value(.real(let number), _): "\(number)"
    case .value(.blob(let bytes), _):
      bytes.isEmpty ? "\"\"" : String(decoding: Base64.encode(bytes), as: UTF8.self)
    case .value(.null, _): ""
    case .link, .list, .dictionary: field(object.text(of: value))
    }
  }

  /// A CSV field, with quotation marks only if needed.
  private static func field(_ text: String) -> String {
    let needsMarks = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsMarks || text.first == " " || text.last == " " else { return text }
    return text.quoted("\"")
  }
}
