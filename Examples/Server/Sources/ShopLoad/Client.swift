import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// A client that sends requests to the server whose address is in a file.
final class Client: Sendable {
  private let http: HTTPClient
  private let addressFile: String
  // guarded by: itself.
  private let address: Mutex<String>

  init(addressFile: String, connections: Int) throws {
    self.addressFile = addressFile
    address = Mutex(try Self.read(addressFile))
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(1)
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  func end() async throws { try await http.shutdown() }

  /// An answer of the server.
  struct Answer {
    var status: Int
    var body: ByteBuffer
    /// Whether the request had been done before.
    var isReplay: Bool
  }

  func send(
    _ path: String, order: (key: String, body: String)? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: "http://\(address.withLock { $0 })\(path)")
    if let order {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.headers.add(name: "idempotency-key", value: order.key)
      request.body = .bytes(ByteBuffer(string: order.body))
    }
    let response = try await http.execute(request, timeout: .seconds(5))
    return Answer(
      status: Int(response.status.code), body: try await response.body.collect(upTo: 1 << 20),
      isReplay: response.headers.contains(name: "idempotent-replay"))
  }

  /// Sleeps briefly, and then checks whether the server has another address.
  func pause() async {
    try? await Task.sleep(for: .milliseconds(20))
    guard let new = try? Self.read(addressFile) else { return }
    address.withLock { $0 = new }
  }

  private static func read(_ file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
