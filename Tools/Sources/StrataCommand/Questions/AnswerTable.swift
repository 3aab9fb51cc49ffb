import StrataStudio

/// The answer to a question as a table that is written while it is read.
///
/// The first rows say how wide the columns are; a longer cell behind them moves what follows in its
/// own row.
struct AnswerTable {
  private let columns: [TextTable.Column]
  private var first: [[String]] = []
  /// Once they are known.
  private var widths: [Int]?

  /// How many rows decide the widths.
  private static let sample = 200

  init(_ columns: [TextTable.Column]) { self.columns = columns }

  /// Adds a row; returns the lines that can be written.
  mutating func add(_ row: [String]) -> [String] {
    if let widths { return [TextTable(columns: columns, rows: []).line(row, widths)] }
    first.append(row)
    return first.count < Self.sample ? [] : flush()
  }

  /// The lines that are left.
  mutating func end() -> [String] { widths == nil && !first.isEmpty ? flush() : [] }

  private mutating func flush() -> [String] {
    let table = TextTable(columns: columns, rows: first)
    let found = table.widths
    widths = found
    return table.head(found) + first.map { table.line($0, found) }
  }
}
