import Foundation

/// Bars: how many times as long this library takes as each peer, with the spread, on a scale of
/// powers of two.
struct RatioChart {
  private struct Bar {
    let name: String
    let peer: String
    let ratio: PairedRatio
  }

  private let bars: [Bar]
  private let title: String
  private let note: String

  private static let rowHeight = 20.0
  private static let labels = 300.0
  private static let plot = 380.0

  /// Nil where nothing was compared.
  init?(_ title: String, _ reports: [CaseReport]) {
    bars = reports.flatMap { report -> [Bar] in
      guard let size = report.sizes.last else { return [] }
      return size.contestants.dropFirst().compactMap { contestant in
        size.ratio(to: contestant.role).map {
          Bar(name: report.name, peer: contestant.role.title, ratio: $0)
        }
      }
    }
    guard !bars.isEmpty else { return nil }
    self.title = title
    let rows = reports.compactMap { $0.sizes.last?.rows }.max() ?? 0
    note = "\(Format.count(rows)) rows; medians, with the least and the greatest of all passes"
  }

  /// The powers of two between which all ratios lie.
  private var exponents: ClosedRange<Int> {
    let least = bars.map(\.ratio.least).min() ?? 1
    let greatest = bars.map(\.ratio.greatest).max() ?? 1
    return min(-1, Int(log2(least).rounded(.down)))...max(1, Int(log2(greatest).rounded(.up)))
  }

  private func x(_ ratio: Double) -> Double {
    let range = exponents
    let share = (log2(ratio) - Double(range.lowerBound)) / Double(range.count - 1)
    return Self.labels + Self.plot * share
  }

  var svg: String {
    let top = 64.0
    let bottom = top + Double(bars.count) * Self.rowHeight
    var drawing = Drawing(
      width: Int(Self.labels + Self.plot) + 80, height: Int(bottom) + 16, title: title)
    drawing.text(note, x: 16, y: 42, "note")
    for exponent in exponents {
      let value = pow(2, Double(exponent))
      drawing.line(
        x1: x(value), y1: top - 6, x2: x(value), y2: bottom, exponent == 0 ? "one" : "axis")
      drawing.text("\(Format.short(value))×", x: x(value), y: top - 10, "note", .middle)
    }
    for (index, bar) in bars.enumerated() {
      let y = top + Double(index) * Self.rowHeight
      let isFirst = index == 0 || bars[index - 1].name != bar.name
      if isFirst { drawing.text(bar.name, x: 16, y: y + 14, "name") }
      drawing.text(bar.peer, x: Self.labels - 10, y: y + 14, "note", .end)
      let ends = [x(1), x(bar.ratio.median)].sorted()
      drawing.bar(
        x: ends[0], y: y + 4, width: ends[1] - ends[0], height: Self.rowHeight - 8,
        bar.ratio.median <= 1 ? "less" : "more")
      drawing.line(
        x1: x(bar.ratio.least), y1: y + Self.rowHeight / 2, x2: x(bar.ratio.greatest),
        y2: y + Self.rowHeight / 2, "spread")
      drawing.text(
        Format.number(bar.ratio.median), x: Self.labels + Self.plot + 14, y: y + 14, "note")
    }
    return drawing.svg
  }
}
