import CFaultHooks
import CPerturb
import Foundation

/// A fault to inject, parsed from the arguments of the process.
///
/// - `at=write+sync:17` the events to count, and the number of the failing one
/// - `code=13` the result code; without it, the process is killed
/// - `for=all` the number of events in a row that fail, 1 by default
/// - `half` a failing write writes half of its bytes
/// - `pages=20` the maximum number of pages in a database
/// - `bytes=40960` the maximum size of a file in bytes
/// - `files=12` the maximum number of open files
/// - `delay=7:8000:100000` the seed of delays, the longest delay in microseconds, and the number of
///   calls for one delay
/// - `pauses=7` threads that are stopped for a moment, by a seed
/// - `record=FILE` records what happens to the disk, and fails nothing
struct Fault {
  private var plan = fault_plan(
    events: 0, first: 0, length: 1, result_code: 0, writes_half: false, page_limit: 0)
  private var maxBytes: UInt64?
  private var maxFiles: UInt64?
  private var delays: perturb_delays?
  private var pauses: UInt64?
  private var recording: String?

  struct Misunderstood: Error, CustomStringConvertible {
    var argument: String
    var description: String { "'\(argument)' is no fault" }
  }

  init(_ arguments: some Sequence<String>) throws {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "at": try setPlace(value)
      case "code": plan.result_code = try number(value)
      case "for": plan.length = value == "all" ? .max : try number(value)
      case "half": plan.writes_half = true
      case "pages": plan.page_limit = try number(value)
      case "bytes": maxBytes = try number(value)
      case "files": maxFiles = try number(value)
      case "delay": try setDelays(value)
      case "pauses": pauses = try number(value)
      case "record": recording = value
      default: throw Misunderstood(argument: argument)
      }
    }
  }

  private static let events: [String: fault_event] = [
    "statement": fault_statement, "write": fault_write, "sync": fault_sync,
    "truncate": fault_truncate, "delete": fault_delete, "open": fault_open, "lock": fault_lock,
    "shm": fault_shared_memory, "read": fault_read,
  ]

  private mutating func setPlace(_ value: String) throws {
    let parts = value.split(separator: ":").map(String.init)
    for name in parts[0].split(separator: "+").map(String.init) {
      guard let event = Self.events[name] else { throw Misunderstood(argument: name) }
      plan.events |= UInt32(event.rawValue)
    }
    if parts.count > 1 { plan.first = try number(parts[1]) }
  }

  private mutating func setDelays(_ value: String) throws {
    let parts = value.split(separator: ":").map(String.init)
    guard parts.count == 3 else { throw Misunderstood(argument: value) }
    delays = perturb_delays(
      seed: try number(parts[0]), microseconds: try number(parts[1]), one_in: try number(parts[2]))
  }

  private func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
    guard let number = Number(text) else { throw Misunderstood(argument: text) }
    return number
  }

  /// Has it happen from now on, to files of a folder.
  func begin(in folder: URL) {
    if let pauses { perturb_threads(pauses) }
    // Delays are for whole programs: nothing fails there.
    if let delays { return perturb_files(delays) }
    #if os(Linux)
      if let recording { return fault_record_disk(folder.path, recording) }
    #endif
    fault_install(plan)
    if let maxBytes { fault_limit_files(maxBytes) }
    if let maxFiles {
      Self.beginTimers()
      fault_limit_open_files(maxFiles)
    }
  }

  /// Has Dispatch open the files of its own: it ends a process that has none left for its first
  /// timer.
  private static func beginTimers() {
    let isOver = DispatchSemaphore(value: 0)
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { isOver.signal() }
    timer.schedule(deadline: .now())
    timer.resume()
    isOver.wait()
    timer.cancel()
  }

  static func end() {
    fault_lift()
    fault_limit_files(.max)
    fault_limit_open_files(.max)
  }

  static var eventCount: Int { Int(fault_count()) }

  /// Has nothing wait for the disk any more.
  static func skipSyncs() {
    #if os(Linux)
      fault_skip_syncs()
    #endif
  }

  /// Records that the program has promised something.
  static func promise(_ text: String) {
    #if os(Linux)
      fault_mark_disk(text)
    #endif
  }
}
