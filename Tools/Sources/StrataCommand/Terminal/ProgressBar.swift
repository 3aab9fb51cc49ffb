import Foundation
import Synchronization

/// A progress bar on the error output, shown only in a terminal.
///
/// Results go to the standard output, so the bar never reaches a file or another program.
final class ProgressBar: Sendable {
  private let isShown: Bool
  private let state = Mutex(State())

  private struct State {
    var shown = ""
    var last: ContinuousClock.Instant?
  }

  /// The minimum time between two updates: faster changes can't be read.
  private static let interval = Duration.milliseconds(50)

  /// - Parameter isQuiet: Whether the bar is hidden.
  init(isQuiet: Bool) { isShown = !isQuiet && isatty(STDERR_FILENO) != 0 }

  func show(_ title: String, _ fraction: Double, detail: String = "") {
    guard isShown else { return }
    let line = ProgressLine(title: title, fraction: fraction, detail: detail)
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.last, now - last < Self.interval, line.fraction < 1 { return }
      state.last = now
      let text = line.text(width: Self.terminalWidth)
      guard text != state.shown else { return }
      state.shown = text
      // Returns to the start of the line, and clears the rest of it.
      Output.writeError("\r\(text)\u{1B}[K")
    }
  }

  /// Removes the bar.
  func finish() {
    guard isShown else { return }
    state.withLock { state in
      if !state.shown.isEmpty { Output.writeError("\r\u{1B}[K") }
      state.shown = ""
    }
  }

  private static var terminalWidth: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
