import Foundation

/// The most memory that this process had.
enum PeakMemory {
  static func megabytes() throws -> Double {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      // Not `getrusage`, which counts the memory of the process that started this one.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      guard let kilobytes = number.flatMap({ Double($0) }) else {
        throw Unexpected("the system doesn't tell the memory of a process")
      }
      return kilobytes / 1_024
    #endif
  }
}
