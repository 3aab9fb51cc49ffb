import StrataStudio

/// Rows in columns, for people.
///
/// Columns are as wide as their widest cell, up to ``widest``: a longer cell moves what follows in
/// its own row, and is never cut. A column without any text is left out. Cells are shown as
/// ``PlainText``.
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
  /// As many cells as columns in each.
  var rows: [[String]]

  /// The widest that a column becomes because of a long cell.
  static let widest = 40
  private static let gap = "  "

  /// The titles, a rule, and the rows; no line has spaces at its end.
  var lines: [String] {
    let used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    return TextTable(
      columns: used.map { columns[$0] }, rows: rows.map { row in used.map { row[$0] } }
    ).allLines
  }

  private var allLines: [String] {
    let widths = widths
    return head(widths) + rows.map { line($0, widths) }
  }

  /// The widths of all columns, of those without text as well.
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

  /// A row in columns of some widths.
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

/// Facts below each other: a name and a text in each line.
struct FactList: Hashable {
  /// Facts without a text are left out.
  var facts: [(name: String, text: String?)]

  init(_ facts: [(name: String, text: String?)]) { self.facts = facts }

  static func == (first: FactList, second: FactList) -> Bool { first.lines == second.lines }

  func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  var lines: [String] {
    let present = facts.compactMap { fact in fact.text.map { (fact.name, PlainText.of($0)) } }
    let width = present.map { DisplayWidth.of($0.0) }.max() ?? 0
    return present.map { name, text in
      name + String(repeating: " ", count: width + 2 - DisplayWidth.of(name)) + text
    }
  }
}
