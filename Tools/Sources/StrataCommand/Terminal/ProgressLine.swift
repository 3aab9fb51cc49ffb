import StrataStudio

/// The progress of something, as one line of a terminal.
struct ProgressLine: Hashable {
  /// What is done, such as `Copying`.
  var title: String
  /// From 0 to 1; what is outside is taken for the nearer end.
  var fraction: Double
  /// What is being worked on.
  var detail: String = ""

  static let barWidth = 30

  /// The line, as wide as a terminal allows.
  func text(width: Int) -> String {
    let fraction = fraction.isNaN ? 0 : min(1, max(0, fraction))
    let filled = Int(fraction * Double(Self.barWidth))
    let bar =
      String(repeating: "#", count: filled)
      + String(repeating: ".", count: Self.barWidth - filled)
    let percent = "\(Int(fraction * 100))%"
    let space = String(repeating: " ", count: 4 - percent.count)
    var line = "\(title) [\(bar)] \(space)\(percent)"
    if !detail.isEmpty { line += "  " + PlainText.of(detail) }
    // A line that is wider than the terminal could not be taken back.
    while DisplayWidth.of(line) >= max(1, width), !line.isEmpty { line.removeLast() }
    return line
  }
}
