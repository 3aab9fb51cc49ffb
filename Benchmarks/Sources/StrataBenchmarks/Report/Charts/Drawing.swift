import Foundation

/// An SVG built from lines, bars and texts. It is readable on light and dark pages.
struct Drawing {
  private let width: Int
  private let height: Int
  private let title: String
  private var elements: [String] = []

  init(width: Int, height: Int, title: String) {
    self.width = width
    self.height = height
    self.title = title
    text(title, x: 16, y: 26, "title")
  }

  enum Anchor: String {
    case start, middle, end
  }

  mutating func text(
    _ text: String, x: Double, y: Double, _ style: String, _ anchor: Anchor = .start
  ) {
    elements.append(
      """
      <text x="\(Self.number(x))" y="\(Self.number(y))" class="\(style)" \
      text-anchor="\(anchor.rawValue)">\(Self.escaped(text))</text>
      """)
  }

  mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, _ style: String) {
    elements.append(
      """
      <line x1="\(Self.number(x1))" y1="\(Self.number(y1))" x2="\(Self.number(x2))" \
      y2="\(Self.number(y2))" class="\(style)"/>
      """)
  }

  mutating func bar(x: Double, y: Double, width: Double, height: Double, _ style: String) {
    elements.append(
      """
      <rect x="\(Self.number(x))" y="\(Self.number(y))" width="\(Self.number(max(width, 1)))" \
      height="\(Self.number(height))" rx="2" class="\(style)"/>
      """)
  }

  mutating func path(_ points: [(x: Double, y: Double)], _ style: String) {
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(list)\" class=\"\(style)\"/>")
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
    height="\(height)" role="img" aria-label="\(Self.escaped(title))">
    <style>
    text { font: 12px system-ui, sans-serif; fill: #24292f }
    .title { font-weight: 600; font-size: 14px }
    .note { fill: #57606a; font-size: 11px }
    .axis { stroke: #d0d7de }
    .one { stroke: #57606a; stroke-dasharray: 3 3 }
    .spread { stroke: #24292f }
    .less { fill: #2da44e }
    .more { fill: #bf8700 }
    .growth { fill: none; stroke: #0969da; stroke-width: 1.5 }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .note { fill: #9198a1 }
    .axis { stroke: #3d444d }
    .one { stroke: #9198a1 }
    .spread { stroke: #e6edf3 }
    .less { fill: #3fb950 }
    .more { fill: #d29922 }
    .growth { stroke: #4493f8 }
    }
    </style>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
