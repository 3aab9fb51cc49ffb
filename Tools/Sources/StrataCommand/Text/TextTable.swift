import StrataStudio

/// A text table for people.
///
/// A column is as wide as its widest cell, up to ``widest``. A longer cell is never cut; it shifts
/// the rest of its row. A column without any text is left out. Cells are shown as ``PlainText``.
struct TextTable: Hashable {
  enum Alignment: Hashable {
    case left
    /// For numbers.
    case right
  }

  struct Column: Hashable {
    var title: String
    var alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  var columns: [Column]
  /// The rows, each with one cell for each column.
  var rows: [[String]]

  /// The maximum width of a column; longer cells don't widen it.
  static let widest = 40
  private static let gap = "  "

  /// The titles, a rule, and the rows, without trailing spaces.
  var lines: [String] {
    let used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let table = TextTable(
      columns: used.map { columns[$0] }, rows: rows.map { row in used.map { row[$0] } })
    let widths = table.widths
    return table.head(widths) + table.rows.map { table.line($0, widths) }
  }

  /// The widths of all columns, including those without text.
  var widths: [Int] {
    let cells = [columns.map(\.title)] + rows.map { $0.map(PlainText.of) }
    return columns.indices.map { column in
      cells.lazy.map { DisplayWidth.of($0[column]) }.filter { $0 <= Self.widest }.max() ?? 0
    }
  }

  /// The titles, and a rule.
  func head(_ widths: [Int]) -> [String] {
    [
      line(columns.map(\.title), widths),
      line(widths.map { String(repeating: "-", count: $0) }, widths),
    ]
  }

  /// A row as a line, with the given column widths.
  func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.map(PlainText.of)
    var parts: [String] = []
    for (cell, (column, width)) in zip(cells, zip(columns, widths)) {
      let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(cell)))
      parts.append(column.alignment == .right ? space + cell : cell + space)
    }
    let line = parts.joined(separator: Self.gap)
    let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }
    return end.map { String(line[..<line.utf8.index(after: $0)]) } ?? ""
  }
}

/// A list of facts, with a name and a text in each line.
enum FactList {
  /// - Parameter facts: The facts; one without a text is left out.
  static func lines(_ facts: [(name: String, text: String?)]) -> [String] {
    let present = facts.compactMap { fact in fact.text.map { (fact.name, PlainText.of($0)) } }
    let width = present.map { DisplayWidth.of($0.0) }.max() ?? 0
    return present.map { name, text in
      name + String(repeating: " ", count: width + 2 - DisplayWidth.of(name)) + text
    }
  }
}
