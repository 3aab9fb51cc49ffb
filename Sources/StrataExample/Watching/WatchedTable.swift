/// The rows of a table, and the last change of each row.
struct WatchedTable {
  /// The mark of a row, which shows its last change.
  enum Mark: String {
    case unchanged = " "
    case inserted = "+"
    case deleted = "-"
    case changed = "~"
  }

  /// A shown row: one that exists, or that the last change deleted.
  struct Line: Equatable {
    var mark: Mark
    var cells: [String]
  }

  private(set) var rows: [[String]] = []
  private(set) var lines: [Line] = []

  /// Shows rows without marks.
  mutating func show(_ rows: [[String]]) {
    self.rows = rows
    lines = rows.map { Line(mark: .unchanged, cells: $0) }
  }

  /// Shows the rows after a change. Deleted rows are shown once more, at their old position.
  ///
  /// - Parameters:
  ///   - deletions: Positions before the change, ascending, like the `modifications`.
  ///   - insertions: Positions after the change.
  mutating func show(
    _ rows: [[String]], deletions: [Int], insertions: [Int], modifications: [Int]
  ) {
    let (deleted, inserted) = (Set(deletions), Set(insertions))
    let modified = Set(modifications)
    var (old, new) = (0, 0)
    lines = []
    while old < self.rows.count || new < rows.count {
      if deleted.contains(old) {
        lines.append(Line(mark: .deleted, cells: self.rows[old]))
        old += 1
      } else if inserted.contains(new) {
        lines.append(Line(mark: .inserted, cells: rows[new]))
        new += 1
      } else {
        lines.append(Line(mark: modified.contains(old) ? .changed : .unchanged, cells: rows[new]))
        old += 1
        new += 1
      }
    }
    self.rows = rows
  }

  /// The text of a single line, without padding.
  static func text(_ line: Line) -> String {
    line.mark.rawValue + " " + line.cells.joined(separator: "  ")
  }

  /// The header and at most `most` lines, in columns.
  func columns(_ header: [String], most: Int) -> [String] {
    let shown = lines.prefix(most)
    let all = [header] + shown.map(\.cells)
    let widths = header.indices.map { column in all.map { width($0[column]) }.max() ?? 0 }
    func text(_ mark: String, _ cells: [String]) -> String {
      let padded = zip(cells, widths.dropLast() + [0]).map { $0.padding(to: $1) }
      return mark + " " + padded.joined(separator: "  ")
    }
    let rest = lines.count - shown.count
    return [text(" ", header)] + shown.map { text($0.mark.rawValue, $0.cells) }
      + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
