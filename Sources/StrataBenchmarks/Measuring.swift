import Foundation

/// Seconds that a closure takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let duration = try ContinuousClock().measure(body)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// Several measurements of the same thing.
struct Samples {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }

  var sorted: [Double] { values.sorted() }
  var median: Double { sorted[sorted.count / 2] }
  var spread: String { "\(format(sorted[0]))…\(format(sorted[sorted.count - 1]))" }
}

func format(_ value: Double) -> String {
  value < 0.1 ? String(format: "%.4f", value) : String(format: "%.2f", value)
}

/// Copies a database that is closed.
func copy(_ file: URL, to target: URL) throws {
  if FileManager.default.fileExists(atPath: target.path) {
    try FileManager.default.removeItem(at: target)
  }
  try FileManager.default.copyItem(at: file, to: target)
  // Or the first commit would wait for the copy to reach the disk.
  sync()
}

/// The most memory that this process had, in megabytes.
func peakMemory() throws -> Double {
  #if canImport(Darwin)
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #else
    // Not `getrusage`, which counts the memory of the process that started this one.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard
      let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Double($0)
      })
    else { throw Cases.Unexpected() }
    return kilobytes / 1_024
  #endif
}
