import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// A time that passes when a test says so.
final class TestTime: Sendable {
  private let start = ContinuousClock.now
  private let passed = Mutex(Duration.zero)

  var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

  func wait(_ duration: Duration) { passed.withLock { $0 += duration } }
}

/// A gate for port 8080, with a time that the test moves.
struct TestStudio {
  let gate: AccessGate
  let time = TestTime()

  init() {
    var random = SplitMix64(seed: 12)
    gate = AccessGate(port: 8080, now: { [time] in time.now }, using: &random)
  }

  static let host = "Host: 127.0.0.1:8080"

  /// The status with which a request is answered or refused at once; nil if it goes on.
  func status(_ line: String, _ headers: String...) throws -> ResponseStatus? {
    do {
      return try gate.check(.reading(["\(line) HTTP/1.1"] + headers))?.status
    } catch let failure as RequestFailure {
      return failure.status
    }
  }

  /// The headers that the link has the page send.
  func signIn() throws -> (cookie: String, key: String) {
    let response = try #require(
      try gate.check(.reading(["GET \(gate.path) HTTP/1.1", Self.host])))
    let headers = Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name, $0.value) })
    let cookie = try #require(headers["Set-Cookie"]?.split(separator: ";").first)
    let location = try #require(headers["Location"])
    return ("Cookie: \(cookie)", "Strata-Key: \(location.dropFirst("/#key=".count))")
  }
}
