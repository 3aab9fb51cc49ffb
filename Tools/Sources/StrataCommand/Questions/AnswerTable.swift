import StrataStudio

/// The answer to a question as a table that is written while it is read.
///
/// The first rows determine the widths of the columns. A longer cell in a later row shifts the rest
/// of its row.
struct AnswerTable {
  private let columns: [TextTable.Column]
  private var first: [[String]] = []
  /// The widths of the columns; nil until they are known.
  private var widths: [Int]?

  /// The number of rows that determine the widths.
  private static let sample = 200

  init(_ columns: [TextTable.Column]) { self.columns = columns }

  /// Adds a row. Returns the lines that can be written now.
  mutating func add(_ row: [String]) -> [String] {
    if let widths { return [TextTable(columns: columns, rows: []).line(row, widths)] }
    first.append(row)
    return first.count < Self.sample ? [] : flush()
  }

  /// The lines that were not written yet.
  mutating func end() -> [String] { widths == nil && !first.isEmpty ? flush() : [] }

  private mutating func flush() -> [String] {
    let table = TextTable(columns: columns, rows: first)
    let found = table.widths
    widths = found
    return table.head(found) + first.map { table.line($0, found) }
  }
}
