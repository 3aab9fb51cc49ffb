import Foundation
import StrataStorage

/// The process `litestream restore -f`, which keeps a private file up to date.
final class LitestreamChild {
  private let process: Process
  private let errors: PassedErrors
  let started = ContinuousClock.now

  /// - Parameters:
  ///   - interval: The interval at which Litestream polls, in seconds.
  ///   - lock: The lock that the process holds as long as it lives, even if this process ends
  ///     first.
  init(
    _ program: LitestreamProgram, _ source: FollowSource, to file: URL, interval: Double,
    _ lock: ChildLock
  ) throws {
    // On a full disk, no process may start whose number can't be written down.
    try lock.reserve()
    let pipe = Pipe()
    process = try program.start(
      ["restore", "-f", "-follow-interval", "\(interval)s", "-o", file.path, source.text],
      input: lock.handle, output: pipe, errors: pipe)
    errors = PassedErrors(pipe.fileHandleForReading)
    do {
      try lock.record(process.processIdentifier)
      // From here on, only the child holds the lock.
      try lock.handle.close()
    } catch {
      end()
      throw error
    }
  }

  /// Whether the process runs. Unlike Foundation's `isRunning`, this is false as soon as it has
  /// ended.
  var isRunning: Bool {
    guard process.isRunning else { return false }
    var status = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    let result = waitid(P_PID, id_t(process.processIdentifier), &status, options)
    return result == 0 && status.si_signo == 0
  }

  /// The last line that the process has printed.
  var lastLine: String { errors.lastLine }

  /// Terminates the process; kills it if it still runs after 5 s.
  func end() {
    if process.isRunning { process.terminate() }
    let limit = ContinuousClock.now + .seconds(5)
    while process.isRunning {
      if ContinuousClock.now > limit { kill(process.processIdentifier, SIGKILL) }
      usleep(5_000)
    }
    // The process has ended, but Foundation releases it and its pipe only here.
    process.waitUntilExit()
    errors.finish()
  }
}

/// A lock that a child process inherits as its standard input, and that ends with that process.
///
/// A follower that is killed leaves its child behind. The next follower finds the lock held, reads
/// the number of the process from the file, and ends it. Two processes must not write to one file.
struct ChildLock {
  let handle: FileHandle
  private let url: URL

  /// Ends the process that an earlier follower left running, and takes the lock.
  ///
  /// - Throws: ``CommandFailure`` if that process doesn't end.
  init(_ url: URL) throws {
    self.url = url
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .inputOutput, path: url.path,
        "The file can't be opened (\(String(cString: strerror(errno))))",
        repair: "Check the permissions of the folder.")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let start = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let waited = ContinuousClock.now - start
      guard waited < .seconds(10) else {
        throw CommandFailure(
          .temporary, path: url.path, "A process of an earlier follower doesn't end",
          repair: "End it: its number is in the file.")
      }
      if let number = try Self.process(in: url) {
        kill(number, waited < .seconds(5) ? SIGTERM : SIGKILL)
      }
      usleep(50_000)
    }
  }

  /// Reads the number of the process that holds the lock.
  private static func process(in url: URL) throws -> pid_t? {
    let text = String(decoding: try PlainFile.contents(of: url, atMost: 20) ?? [], as: UTF8.self)
    guard let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), number > 1
    else { return nil }
    return number
  }

  /// Reserves the disk space for a number.
  func reserve() throws(RealmError) { try write("") }

  func record(_ process: pid_t) throws(RealmError) { try write("\(process)") }

  private static let maxLength = 11

  /// Overwrites the text in place: a file that is truncated first may get no space again.
  private func write(_ text: String) throws(RealmError) {
    let padding = String(repeating: " ", count: Self.maxLength - text.utf8.count)
    let line = Array("\(text)\(padding)\n".utf8)
    guard pwrite(handle.fileDescriptor, line, line.count, 0) == line.count else {
      throw RealmError(
        FileReason.code(errno), "'\(url.path)' can't be written: \(FileReason.last)", fileURL: url)
    }
  }
}
