import StrataStudio

/// A diagram of the classes of a file, as an SVG.
///
/// Each class is a box with its properties. Each property that leads to another class is an arrow:
/// an open one for a link, and one with a filled diamond for an embedded object. The arrow shows
/// the multiplicity. The same classes always give the same text.
struct SchemaDiagram {
  private let graph: DiagramGraph
  private let layout: DiagramLayout

  init(_ document: SchemaDocument) {
    graph = DiagramGraph(document)
    layout = DiagramLayout(graph)
  }

  /// - Parameter isStyled: Whether the SVG includes its colours. Without them, the page must have
  ///   styles for the CSS classes.
  func svg(isStyled: Bool = true) -> String {
    let (width, height) = (Self.number(layout.width), Self.number(layout.height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)">
      \(isStyled ? "<style>\(Self.style)</style>\n" : "")\((arrows + boxes).joined(separator: "\n"))
      </svg>

      """
  }

  private static let style = """
    text{font:12px system-ui,sans-serif;fill:#1c2330}\
    .name{font-weight:600}.kind,.type,.count{font-size:11px;fill:#5d6778}.key{fill:#0b62c4}\
    .frame{fill:#fff;stroke:#e3e6eb}.head{fill:#f0f2f5}line{stroke:#e3e6eb}\
    .link{fill:none;stroke:#737d8c}.arrow{fill:none;stroke:#737d8c}.diamond{fill:#737d8c}\
    @media(prefers-color-scheme:dark){text{fill:#e2e6ee}.kind,.type,.count{fill:#99a3b5}\
    .key{fill:#6cb0ff}.frame{fill:#1b1f26;stroke:#2b313b}.head{fill:#232832}line{stroke:#2b313b}\
    .link,.arrow{stroke:#7f899b}.diamond{fill:#7f899b}}
    """

  // MARK: Boxes

  private var boxes: [String] {
    graph.boxes.indices.compactMap { index in
      layout.frames[index].map { box(graph.boxes[index], $0) }
    }
  }

  private func box(_ box: DiagramGraph.Box, _ frame: DiagramLayout.Frame) -> String {
    let right = frame.x + frame.width - 12
    var parts = [
      rect("frame", frame.x, frame.y, frame.width, frame.height),
      rect("head", frame.x + 1, frame.y + 1, frame.width - 2, DiagramGraph.headHeight - 2),
      text("name", box.name, frame.x + 12, frame.y + 19),
    ]
    if !box.kind.isEmpty { parts.append(text("kind", box.kind, right, frame.y + 19, isEnd: true)) }
    if !box.rows.isEmpty {
      let y = Self.number(frame.y + DiagramGraph.headHeight)
      parts.append(
        "<line x1=\"\(Self.number(frame.x))\" y1=\"\(y)\" x2=\"\(Self.number(frame.x + frame.width))\" y2=\"\(y)\"/>"
      )
    }
    for (index, row) in box.rows.enumerated() {
      let y = frame.y + DiagramGraph.headHeight + DiagramGraph.rowHeight * Double(index) + 18
      parts.append(text(row.isKey ? "property key" : "property", row.name, frame.x + 12, y))
      parts.append(text("type", row.type, right, y, isEnd: true))
    }
    let kind = box.kind.isEmpty ? "" : " \(box.kind)"
    return
      "<g class=\"box\(kind)\" data-class=\"\(Self.attribute(box.className))\">\(parts.joined())</g>"
  }

  private func rect(
    _ style: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> String {
    """
    <rect class="\(style)" x="\(Self.number(x))" y="\(Self.number(y))" \
    width="\(Self.number(width))" height="\(Self.number(height))" rx="6"/>
    """
  }

  private func text(
    _ style: String, _ text: String, _ x: Double, _ y: Double, isEnd: Bool = false
  ) -> String {
    """
    <text class="\(style)" x="\(Self.number(x))" y="\(Self.number(y))"\
    \(isEnd ? " text-anchor=\"end\"" : "")>\(Self.escaped(text))</text>
    """
  }

  // MARK: Arrows

  private var arrows: [String] {
    let starts = anchors(\.from, toward: \.to)
    let ends = anchors(\.to, toward: \.from)
    var loops = 0.0
    return graph.arrows.compactMap { arrow in
      guard let from = layout.frames[arrow.from], let to = layout.frames[arrow.to] else {
        return nil
      }
      guard arrow.from == arrow.to else {
        return curve(arrow, from, to, (starts[arrow] ?? 0, ends[arrow] ?? 0))
      }
      loops += 1
      return loop(arrow, from, (loops - 1) * 14)
    }
  }

  /// The distance of each arrow from the middle of its box. The arrows of a box are side by side,
  /// in the order of the boxes at their other ends.
  private func anchors(
    _ end: KeyPath<DiagramGraph.Arrow, Int>, toward other: KeyPath<DiagramGraph.Arrow, Int>
  ) -> [DiagramGraph.Arrow: Double] {
    var anchors: [DiagramGraph.Arrow: Double] = [:]
    let between = graph.arrows.filter { $0.from != $0.to }
    for (_, arrows) in Dictionary(grouping: between, by: { $0[keyPath: end] }) {
      func key(_ arrow: DiagramGraph.Arrow) -> (Double, String) {
        (layout.frames[arrow[keyPath: other]]?.center ?? 0, arrow.property)
      }
      for (index, arrow) in arrows.sorted(by: { key($0) < key($1) }).enumerated() {
        anchors[arrow] = (Double(index) - Double(arrows.count - 1) / 2) * 28
      }
    }
    return anchors
  }

  private func curve(
    _ arrow: DiagramGraph.Arrow, _ from: DiagramLayout.Frame, _ to: DiagramLayout.Frame,
    _ offsets: (start: Double, end: Double)
  ) -> String {
    let isDown = from.y < to.y
    let sign = isDown ? 1.0 : -1.0
    let start = DiagramLayout.Point(
      x: Self.inside(from, from.center + offsets.start), y: isDown ? from.y + from.height : from.y)
    let end = DiagramLayout.Point(
      x: Self.inside(to, to.center + offsets.end), y: isDown ? to.y : to.y + to.height)
    let points = [start] + (layout.bends[arrow] ?? []) + [end]
    var path = "M\(Self.point(start))"
    for (first, second) in zip(points, points.dropFirst()) {
      let half = (second.y - first.y) / 2
      let controls = [
        DiagramLayout.Point(x: first.x, y: first.y + half),
        DiagramLayout.Point(x: second.x, y: second.y - half), second,
      ]
      path += " C" + controls.map(Self.point).joined(separator: " ")
    }
    let head = [(-5.0, -8.0), (0, 0), (5, -8)]
      .map { DiagramLayout.Point(x: end.x + $0.0, y: end.y + $0.1 * sign) }
    return group(
      arrow, path, head: head, diamond: arrow.isPart ? (start, sign) : nil,
      count: DiagramLayout.Point(x: end.x + 8, y: end.y - 10 * sign + (isDown ? 0 : 8)))
  }

  /// An arrow from a class to itself, at the right side of its box.
  private func loop(
    _ arrow: DiagramGraph.Arrow, _ frame: DiagramLayout.Frame, _ offset: Double
  ) -> String {
    let right = frame.x + frame.width
    let start = DiagramLayout.Point(x: right, y: frame.y + 8)
    let end = DiagramLayout.Point(x: right, y: frame.y + 22)
    let reach = 26 + offset
    let path =
      "M\(Self.point(start)) C\(Self.number(right + reach)) \(Self.number(start.y - 6)) "
      + "\(Self.number(right + reach)) \(Self.number(end.y + 6)) \(Self.point(end))"
    let head = [(8.0, -4.0), (0, 0), (8, 4)]
      .map { DiagramLayout.Point(x: end.x + $0.0, y: end.y + $0.1) }
    return group(
      arrow, path, head: head, diamond: nil,
      count: DiagramLayout.Point(x: right + 4 + offset, y: frame.y - 4))
  }

  private func group(
    _ arrow: DiagramGraph.Arrow, _ path: String, head: [DiagramLayout.Point],
    diamond: (at: DiagramLayout.Point, sign: Double)?, count: DiagramLayout.Point
  ) -> String {
    var parts = ["<path class=\"link\" d=\"\(path)\"/>"]
    parts.append(
      "<path class=\"arrow\" d=\"M\(head.map(Self.point).joined(separator: "L"))\"/>")
    if let (at, sign) = diamond {
      let corners = [(0.0, 0.0), (-5, 7), (0, 14), (5, 7)]
        .map { DiagramLayout.Point(x: at.x + $0.0, y: at.y + $0.1 * sign) }
      parts.append(
        "<path class=\"diamond\" d=\"M\(corners.map(Self.point).joined(separator: "L"))Z\"/>")
    }
    parts.append(text("count", arrow.isMany ? "*" : "0..1", count.x, count.y))
    let (from, to) = (graph.boxes[arrow.from], graph.boxes[arrow.to])
    let title = Self.escaped("\(from.name).\(PlainText.of(arrow.property)): \(to.name)")
    let ends =
      "data-from=\"\(Self.attribute(from.className))\" "
      + "data-to=\"\(Self.attribute(to.className))\""
    return "<g class=\"relation\" \(ends)><title>\(title)</title>\(parts.joined())</g>"
  }

  // MARK: Text of SVG

  private static func inside(_ frame: DiagramLayout.Frame, _ x: Double) -> Double {
    min(frame.x + frame.width - 12, max(frame.x + 12, x))
  }

  private static func point(_ point: DiagramLayout.Point) -> String {
    "\(number(point.x)) \(number(point.y))"
  }

  private static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// The name of a class as an attribute. XML has no control characters, so they are escaped
  /// visibly.
  private static func attribute(_ name: String) -> String {
    escaped(name.unicodeScalars.contains { $0.value < 0x20 } ? PlainText.of(name) : name)
  }

  private static let entities: [Character: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;",
  ]

  private static func escaped(_ text: String) -> String {
    text.map { entities[$0] ?? String($0) }.joined()
  }
}
