import Foundation
import Synchronization

/// A question for the transactions of a replica, which is answered by another process meanwhile.
final class LitestreamQuestion: Sendable {
  private let result = Mutex<Result?>(nil)
  private let asked = ContinuousClock.now
  let askedAt = Date()
  /// The position of the private file when it was asked.
  let position: UInt64?

  enum Result: Sendable {
    case answer(LitestreamAnswer)
    /// With the last line of the program.
    case failure(String)
  }

  /// - Parameter timeout: After which the program is ended.
  init(
    _ program: LitestreamProgram, _ source: FollowSource, at position: UInt64?, timeout: Duration
  ) {
    self.position = position
    let thread = Thread { [self] in
      var result = Self.ask(program, source, level: "0", asked + timeout)
      // Transactions of some minutes ago are at other levels.
      if case .answer(let answer) = result, answer.newest == nil {
        result = Self.ask(program, source, level: "all", asked + timeout)
      }
      self.result.withLock { [result] in $0 = result }
    }
    thread.start()
  }

  /// Nil while it isn't answered.
  var answered: Result? { result.withLock { $0 } }

  private static func ask(
    _ program: LitestreamProgram, _ source: FollowSource, level: String,
    _ end: ContinuousClock.Instant
  ) -> Result {
    let (output, errors) = (Pipe(), Pipe())
    let process: Process
    do {
      process = try program.start(
        ["ltx", "-json", "-level", level, source.text], input: .nullDevice, output: output,
        errors: errors)
    } catch {
      return .failure(error.message)
    }
    let passed = PassedErrors(errors.fileHandleForReading)
    let watch = DispatchSource.makeTimerSource(queue: .global())
    let number = process.processIdentifier
    watch.schedule(deadline: .now() + (end - .now) / .seconds(1))
    watch.setEventHandler { kill(number, SIGKILL) }
    watch.resume()
    let json = output.fileHandleForReading.readDataToEndOfFile()
    watch.cancel()
    process.waitUntilExit()
    passed.finish()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      return .failure(
        passed.lastLine.isEmpty ? "Litestream doesn't answer" : passed.lastLine)
    }
    guard let answer = LitestreamAnswer(json) else {
      return .failure("Litestream answers something else than a list of transactions")
    }
    return .answer(answer)
  }
}
