import Foundation

/// A line chart: the growth of each case's time per operation with the number of rows. Linear time
/// is a horizontal line.
struct GrowthChart {
  private struct Line {
    let title: String
    /// The times per operation, relative to the smallest size.
    let points: [(rows: Int, ratio: Double)]
  }

  private let lines: [Line]
  private let rows: [Int]
  private let title: String

  private static let columns = 2
  private static let cell = (width: 470.0, height: 100.0)
  private static let plot = (width: 330.0, height: 50.0)

  /// Nil if only one size was measured.
  init?(_ title: String, _ reports: [CaseReport]) {
    rows = Set(reports.flatMap { $0.sizes.map(\.rows) }).sorted()
    guard rows.count > 1 else { return nil }
    self.title = title
    lines = reports.compactMap { report in
      guard let first = report.sizes.first, report.sizes.count > 1 else { return nil }
      let points = report.sizes.map { (rows: $0.rows, $0.secondsPerUnit / first.secondsPerUnit) }
      return Line(title: report.title, points: points.map { (rows: $0.rows, ratio: $0.1) })
    }
  }

  var svg: String {
    let count = (lines.count + Self.columns - 1) / Self.columns
    var drawing = Drawing(
      width: Int(Self.cell.width) * Self.columns + 16,
      height: 60 + Int(Self.cell.height) * count, title: title)
    let sizes = rows.map(Format.count).joined(separator: ", ")
    drawing.text(
      "time for each thing that is done, with \(sizes) rows; the dashed line is that of the fewest",
      x: 16, y: 42, "note")
    for (index, line) in lines.enumerated() {
      let x = 16 + Double(index % Self.columns) * Self.cell.width
      let y = 60 + Double(index / Self.columns) * Self.cell.height
      draw(line, x: x, y: y, in: &drawing)
    }
    return drawing.svg
  }

  private func draw(_ line: Line, x: Double, y: Double, in drawing: inout Drawing) {
    let most = max(2, line.points.map(\.ratio).max() ?? 2)
    let bottom = y + 22 + Self.plot.height
    func height(_ ratio: Double) -> Double { bottom - ratio / most * Self.plot.height }
    func across(_ count: Int) -> Double {
      let (few, many) = (log(Double(rows[0])), log(Double(rows[rows.count - 1])))
      return x + (log(Double(count)) - few) / (many - few) * Self.plot.width
    }
    drawing.text(line.title, x: x, y: y + 12, "note")
    drawing.line(x1: x, y1: bottom, x2: x + Self.plot.width, y2: bottom, "axis")
    drawing.line(x1: x, y1: height(1), x2: x + Self.plot.width, y2: height(1), "one")
    drawing.path(line.points.map { (across($0.rows), height($0.ratio)) }, "growth")
    if let last = line.points.last {
      drawing.text(
        "\(Format.number(last.ratio))×", x: x + Self.plot.width + 6, y: height(last.ratio) + 4,
        "note")
    }
  }
}

extension Format {
  /// A power of two without unnecessary digits.
  static func short(_ value: Double) -> String {
    value >= 1 ? String(format: "%.0f", value) : "1/" + String(format: "%.0f", 1 / value)
  }
}
