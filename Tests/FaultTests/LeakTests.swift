import Foundation
import Testing

extension Faults {
  /// Resources of a process: after many opens, migrations and failures there are as many as after a
  /// few.
  ///
  /// Only runs on Linux, which has `/proc`.
  @Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  struct LeakTests {
    private static let times = Extent.current == .all ? 1_000 : 20

    static let jobs = [
      "open-and-write", "migrate-again", "fail-in-block", "fail-without-migration",
      "fail-on-damage", "write-again", "write-beside-readers",
    ]

    @Test func `Files, memory and threads stay as they are`() throws {
      let jobs = Self.jobs
      let lasts = Sweep.run(Array(jobs.indices), { jobs[$0] }) { index in
        try Self.check(jobs[index])
      }
      for last in lasts.sorted() { print(last) }
    }

    /// Reading connections that stay open: as many as were once needed at the same moment.
    private static let readers = 8

    /// Compares the process after a tenth of the times with the one at the end.
    static func check(_ job: String) throws -> String {
      let ending = try Worker("repeat", job, Folder(), ["\(times)"]).ending()
      let reports = ending.output.split(separator: "\n").compactMap { Report($0) }
      guard ending.status == 0, reports.count == 10 else { throw Wrong("\(ending)") }
      let (first, last) = (reports[0], reports[9])
      guard last.files <= first.files + readers else {
        throw Wrong("files are open: \(ending.output)")
      }
      guard last.memory <= first.memory + 2_000 else { throw Wrong("memory: \(ending.output)") }
      // The number of the system's queue threads varies.
      guard last.threads <= max(first.threads, 12) else { throw Wrong("threads: \(ending.output)") }
      guard last.log <= 8_000_000 else { throw Wrong("the WAL grows: \(ending.output)") }
      return "\(job): \(first) … \(last)"
    }

    static let places = ["nothing", "busy-actor", "busy-queue", "unserved-main", "idle-queue"]

    @Test func `Memory stays as it is beside each kind of observer`() throws {
      let places = Self.places
      let lasts = Sweep.run(Array(places.indices), { places[$0] }) { index in
        try Self.checkMemory(beside: places[index])
      }
      for last in lasts.sorted() { print(last) }
    }

    /// Compares the process after 5,000 commits with the one at the end.
    ///
    /// Beside an idle queue, some hundred kilobytes come later: the memory of `readers`, and
    /// SQLite's memory for each.
    static func checkMemory(beside place: String) throws -> String {
      let runs = Extent.current == .all ? 100 : 10
      let ending = try Worker(
        "repeat", "commit-beside-\(place)", Folder(), ["\(runs)", "\(runs / 5)"]
      ).ending()
      let reports = ending.output.split(separator: "\n").compactMap { Report($0) }
      guard ending.status == 0, reports.count == runs / 5 else { throw Wrong("\(ending)") }
      let (first, last) = (reports[0], reports[reports.count - 1])
      guard last.memory <= first.memory + 1_500 else { throw Wrong("memory: \(ending.output)") }
      guard last.files <= first.files + readers else {
        throw Wrong("files are open: \(ending.output)")
      }
      return "\(place): \(first) … \(last)"
    }

    /// A line of the worker.
    private struct Report: CustomStringConvertible {
      var files: Int
      var memory: Int
      var threads: Int
      var log: Int
      var description: String

      init?(_ line: Substring) {
        let numbers = line.matches(of: /\d+/).compactMap { Int($0.output) }
        guard numbers.count == 5 else { return nil }
        files = numbers[1]
        memory = numbers[2]
        threads = numbers[3]
        log = numbers[4]
        description = String(line)
      }
    }
  }
}
