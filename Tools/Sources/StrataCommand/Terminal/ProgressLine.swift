import StrataStudio

/// The progress of a command as one line of a terminal.
struct ProgressLine: Hashable {
  /// The activity, such as `Copying`.
  var title: String
  /// The fraction from 0 to 1; other values are clamped.
  var fraction: Double
  /// The item that is being processed.
  var detail: String = ""

  static let barWidth = 30

  /// The line, cut to the width of the terminal.
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
    // A line that wraps couldn't be cleared.
    while DisplayWidth.of(line) >= max(1, width), !line.isEmpty { line.removeLast() }
    return line
  }
}
