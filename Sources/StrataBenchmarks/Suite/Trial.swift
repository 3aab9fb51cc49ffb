import Foundation

/// One run of a contestant, on a file of its own.
final class Trial {
  let file: URL
  /// The rows of the file.
  let rows: Int
  private(set) var seconds = 0.0
  /// Something that depends on all that was read. It must be the same for all contestants.
  var answer = 0

  init(file: URL, rows: Int) {
    self.file = file
    self.rows = rows
  }

  /// Does a part of the work that counts.
  func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    defer { seconds += Self.seconds(clock.now - start) }
    return try body()
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
