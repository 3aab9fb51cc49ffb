import Foundation
import Strata

/// The progress of a migration: a bar on a terminal, and plain lines where output goes to a file or
/// to another program.
struct ProgressBar {
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var shown = ""
  private static let width = 30

  mutating func show(_ progress: MigrationProgress) {
    guard isTerminal else { return showLine(progress) }
    let done = Int(progress.fractionCompleted * Double(Self.width))
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: Self.width - done)
    // Returns to the start of the line, and clears the rest of it.
    print("\r\(bar) \(progress)\u{1B}[K", terminator: "")
    fflush(nil)
  }

  /// Prints one line for each stage and class: a printed line can't be changed.
  private mutating func showLine(_ progress: MigrationProgress) {
    let work = "Version \(progress.from) to \(progress.to): \(progress.className ?? "begins")"
    guard work != shown else { return }
    shown = work
    print(work)
  }

  /// Leaves the line of the bar.
  func finish() { if isTerminal { print("\r\u{1B}[K", terminator: "") } }
}
