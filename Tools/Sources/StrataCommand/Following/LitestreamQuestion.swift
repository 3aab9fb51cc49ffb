import Foundation
import Synchronization

/// A question for the transactions of a replica, which another process answers in the background.
final class LitestreamQuestion: Sendable {
  private let result = Mutex<Result?>(nil)
  private let asking = Mutex(Asking())
  private let asked = ContinuousClock.now
  let askedAt = Date()
  /// The position of the private file at the time of the question.
  let position: UInt64?

  private struct Asking {
    /// The process that asks; nil before it starts, and after it has answered.
    var process: pid_t?
    var isEnded = false
  }

  typealias Result = Swift.Result<LitestreamAnswer, LitestreamFailure>

  /// - Parameter timeout: The time after which the program is killed.
  init(
    _ program: LitestreamProgram, _ source: FollowSource, at position: UInt64?, timeout: Duration
  ) {
    self.position = position
    let thread = Thread { [self] in
      var result = ask(program, source, level: "0", timeout)
      // Litestream moves transactions to other levels after some minutes.
      if case .success(let answer) = result, answer.newest == nil {
        result = ask(program, source, level: "all", timeout)
      }
      self.result.withLock { [result] in $0 = result }
    }
    thread.start()
  }

  /// The answer; nil until it arrives.
  var answered: Result? { result.withLock { $0 } }

  /// Kills the process that asks. Its answer isn't needed any more.
  func end() {
    asking.withLock { asking in
      asking.isEnded = true
      if let process = asking.process { kill(process, SIGKILL) }
    }
  }

  private func begin(_ process: pid_t) {
    asking.withLock { asking in
      asking.process = process
      if asking.isEnded { kill(process, SIGKILL) }
    }
  }

  private func ask(
    _ program: LitestreamProgram, _ source: FollowSource, level: String, _ timeout: Duration
  ) -> Result {
    let (output, errors) = (Pipe(), Pipe())
    let process: Process
    do {
      process = try program.start(
        ["ltx", "-json", "-level", level, source.text], input: .nullDevice, output: output,
        errors: errors)
    } catch {
      return .failure(LitestreamFailure(line: error.message))
    }
    let passed = PassedErrors(errors.fileHandleForReading)
    let watch = DispatchSource.makeTimerSource(queue: .global())
    let number = process.processIdentifier
    begin(number)
    watch.schedule(deadline: .now() + (asked + timeout - .now) / .seconds(1))
    watch.setEventHandler { kill(number, SIGKILL) }
    watch.resume()
    let json = output.fileHandleForReading.readDataToEndOfFile()
    watch.cancel()
    asking.withLock { $0.process = nil }
    process.waitUntilExit()
    passed.finish()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      let isLate = passed.lastLine.isEmpty && ContinuousClock.now >= asked + timeout
      return .failure(
        isLate ? .noAnswer(for: timeout) : LitestreamFailure(line: passed.lastLine))
    }
    guard let answer = LitestreamAnswer(json) else { return .failure(.somethingElse) }
    return .success(answer)
  }
}
