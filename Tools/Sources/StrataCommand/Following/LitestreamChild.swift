import Foundation
import StrataStorage

/// `litestream restore -f`, which keeps a private file up to date.
final class LitestreamChild {
  private let process: Process
  private let errors: PassedErrors
  let started = ContinuousClock.now

  /// - Parameters:
  ///   - interval: How often it asks, in seconds.
  ///   - lock: What the process holds for as long as it lives, whatever becomes of this one.
  init(
    _ program: LitestreamProgram, _ source: FollowSource, to file: URL, interval: Double,
    _ lock: ChildLock
  ) throws {
    // On a full disk there must be no process that can't be noted.
    try lock.reserve()
    let pipe = Pipe()
    process = try program.start(
      ["restore", "-f", "-follow-interval", "\(interval)s", "-o", file.path, source.text],
      input: lock.handle, output: pipe, errors: pipe)
    errors = PassedErrors(pipe.fileHandleForReading)
    do {
      try lock.note(process.processIdentifier)
      // From here on only the process has it.
      try lock.handle.close()
    } catch {
      end()
      throw error
    }
  }

  /// Whether it has not ended, however that was: also when nobody has asked for its status yet.
  var isRunning: Bool {
    guard process.isRunning else { return false }
    var status = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    let result = waitid(P_PID, id_t(process.processIdentifier), &status, options)
    return result == 0 && status.si_signo == 0
  }

  /// The last line that it has printed.
  var lastLine: String { errors.lastLine }

  /// Asks it to end, and ends it when it doesn't.
  func end() {
    if process.isRunning { process.terminate() }
    let limit = ContinuousClock.now + .seconds(5)
    while process.isRunning {
      if ContinuousClock.now > limit { kill(process.processIdentifier, SIGKILL) }
      usleep(5_000)
    }
    // It has ended; but only here does Foundation let go of it, and of its pipe.
    process.waitUntilExit()
    errors.finish()
  }
}

/// A lock that a process inherits as its standard input, and that ends with it.
///
/// A follower that is killed leaves its process behind: the next one finds the lock held, knows the
/// process by the file, and ends it. Two of them must not write to one file.
struct ChildLock {
  let handle: FileHandle
  private let url: URL

  /// Ends the process that an earlier follower has left, and takes the lock.
  ///
  /// - Throws: ``CommandFailure`` where that doesn't end.
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

  /// The process that holds the lock, as it was noted.
  private static func process(in url: URL) throws -> pid_t? {
    let text = String(decoding: try PlainFile.contents(of: url, atMost: 20) ?? [], as: UTF8.self)
    guard let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), number > 1
    else { return nil }
    return number
  }

  /// Has the file take the room that a number needs.
  func reserve() throws(RealmError) { try write("") }

  func note(_ process: pid_t) throws(RealmError) { try write("\(process)") }

  private static let longest = 11

  /// Writes a text over the one before, in the same place: a file that was made empty first may
  /// find no room any more.
  private func write(_ text: String) throws(RealmError) {
    let padding = String(repeating: " ", count: Self.longest - text.utf8.count)
    let line = Array("\(text)\(padding)\n".utf8)
    guard pwrite(handle.fileDescriptor, line, line.count, 0) == line.count else {
      throw RealmError(
        FileReason.code(errno), "'\(url.path)' can't be written: \(FileReason.last)", fileURL: url)
    }
  }
}
