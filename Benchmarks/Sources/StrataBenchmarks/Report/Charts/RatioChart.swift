import Foundation

/// A bar chart: the time of this library relative to each peer, with its range, on a logarithmic
/// scale.
struct RatioChart {
  private struct Bar {
    let peer: String
    let ratio: PairedRatio
  }

  /// The bars of a case, with its title.
  private struct Group {
    let title: String
    let bars: [Bar]
  }

  private let groups: [Group]
  private let title: String
  private let note: String

  private static let rowHeight = 20.0
  private static let labels = 130.0
  private static let plot = 460.0

  /// Nil if there is no peer.
  init?(_ title: String, _ reports: [CaseReport]) {
    groups = reports.compactMap { report in
      guard let size = report.sizes.last else { return nil }
      let bars = size.contestants.dropFirst().compactMap { contestant in
        size.ratio(to: contestant.role).map { Bar(peer: contestant.role.title, ratio: $0) }
      }
      return bars.isEmpty ? nil : Group(title: report.title, bars: bars)
    }
    guard !groups.isEmpty else { return nil }
    self.title = title
    let rows = reports.compactMap { $0.sizes.last?.rows }.max() ?? 0
    note = "\(Format.count(rows)) rows; medians, with the least and the greatest of all passes"
  }

  /// The exponents of two that enclose all ratios.
  private var exponents: ClosedRange<Int> {
    let ratios = groups.flatMap(\.bars).map(\.ratio)
    let least = ratios.map(\.least).min() ?? 1
    let greatest = ratios.map(\.greatest).max() ?? 1
    return min(-1, Int(log2(least).rounded(.down)))...max(1, Int(log2(greatest).rounded(.up)))
  }

  private func x(_ ratio: Double) -> Double {
    let range = exponents
    let share = (log2(ratio) - Double(range.lowerBound)) / Double(range.count - 1)
    return Self.labels + Self.plot * share
  }

  var svg: String {
    let top = 64.0
    let rows = groups.reduce(0) { $0 + $1.bars.count + 1 }
    let bottom = top + Double(rows) * Self.rowHeight
    var drawing = Drawing(
      width: Int(Self.labels + Self.plot) + 80, height: Int(bottom) + 16, title: title)
    drawing.text(note, x: 16, y: 42, "note")
    for exponent in exponents {
      let value = pow(2, Double(exponent))
      drawing.text("\(Format.short(value))×", x: x(value), y: top - 10, "note", .middle)
    }
    var y = top
    for group in groups {
      drawing.text(group.title, x: 16, y: y + 15, "name")
      y += Self.rowHeight
      drawScale(y: y, height: Double(group.bars.count) * Self.rowHeight, in: &drawing)
      for bar in group.bars {
        draw(bar, y: y, in: &drawing)
        y += Self.rowHeight
      }
    }
    return drawing.svg
  }

  private func drawScale(y: Double, height: Double, in drawing: inout Drawing) {
    for exponent in exponents {
      let x = x(pow(2, Double(exponent)))
      drawing.line(x1: x, y1: y, x2: x, y2: y + height, exponent == 0 ? "one" : "axis")
    }
  }

  private func draw(_ bar: Bar, y: Double, in drawing: inout Drawing) {
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
}
