import Foundation
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

extension TestStudio {
  struct Answer {
    var status: ResponseStatus
    var json: JSONValue
  }

  /// Asks as the page does: the method with the path, the body as JSON, and another body than that.
  typealias Ask = (_ line: String, JSONValue, RequestBody?) async throws -> Answer

  /// Runs a closure with a studio of a file, and with a way to ask it. Closes the studio
  /// afterwards.
  func with(
    _ url: URL, isWritable: Bool = true, makesBackup: Bool = false,
    _ body: (_ file: StudioFile, _ ask: Ask) async throws -> Void
  ) async throws {
    let file = try await StudioFile(
      url.path, key: nil, isWritable: isWritable, makesBackup: makesBackup)
    let site = StudioSite(
      gate, routes: ReadingRoutes.all(file) + EditingRoutes.all(file), isWritable: isWritable)
    let (cookie, key) = try signIn()
    try await body(file) { line, json, body in
      let kind = body == nil ? "json" : "octet-stream"
      let length = ["Content-Type: application/\(kind)", "Content-Length: 2"]
      let head = try RequestHead.reading(
        ["\(line) HTTP/1.1", Self.host, cookie, key, "Origin: http://127.0.0.1:8080"]
          + (line.hasPrefix("GET") ? [] : length))
      let response: Response
      switch await site.decision(on: head) {
      case .respond(let given): response = given
      case .read(let kind, let respond):
        response = await respond(kind == .none ? .none : body ?? .bytes(json.bytes))
      }
      guard case .bytes(let bytes) = response.body else { throw CancellationError() }
      return Answer(status: response.status, json: try JSONReader.read(bytes))
    }
    let uploads = file.uploads?.path
    try await file.close("The test has ended.")
    if let uploads { expectFalse(FileManager.default.fileExists(atPath: uploads)) }
  }
}
