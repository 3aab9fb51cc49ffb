import Foundation

/// Does a job many times, and says some times what the process has by then.
struct Repetition {
  private let job: Job
  private let file: URL
  private let times: Int
  private let reports: Int

  init(_ job: Job, _ file: URL, times: Int, reports: Int) {
    self.job = job
    self.file = file
    self.times = times
    self.reports = reports
  }

  func run() throws {
    try job.prepare(file)
    for number in 1...times {
      try job.run(file)
      guard number % (times / reports) == 0 else { continue }
      say(
        "\(number): \(try files()) files, \(try status("VmRSS")) kB, "
          + "\(try status("Threads")) threads, \(logSize()) bytes of WAL")
    }
  }

  private func files() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// A number of `/proc/self/status`.
  private func status(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private func logSize() -> Int {
    var status = stat()
    return stat(file.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }
}
