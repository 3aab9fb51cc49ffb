import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Shop
import ShopBefore

/// A server with its own folder, which is deleted with it.
final class TestShop: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("shop-tests-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("The folder of a test stays: \(error)")
    }
  }

  private static let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

  /// Runs requests against a current server, over real sockets.
  func run(
    _ change: (inout Shop.ShopSettings) -> Void = { _ in },
    _ body: @Sendable (ShopClient) async throws -> Void
  ) async throws {
    var settings = Shop.ShopSettings(folder: folder)
    change(&settings)
    try await Shop.ShopServer(settings, logger: Self.logger).testable().test(.live) { client in
      try await body(ShopClient(client: client))
    }
  }

  /// Runs requests against the previous release.
  func runBefore(_ body: @Sendable (ShopClient) async throws -> Void) async throws {
    let settings = ShopBefore.ShopSettings(folder: folder)
    try await ShopBefore.ShopServer(settings, logger: Self.logger).testable()
      .test(.live) { client in try await body(ShopClient(client: client)) }
  }
}

/// The response to a request.
struct Reply: Sendable {
  let status: Int
  let text: String
  let headers: HTTPFields

  private func value(_ path: [String]) -> Any? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
    return path.reduce(object) { ($0 as? [String: Any])?[$1] as Any }
  }

  /// The code of an error.
  var code: String? { value(["error", "code"]) as? String }
  var message: String? { value(["error", "message"]) as? String }
  func int(_ path: String...) -> Int? { value(path) as? Int }
  func string(_ path: String...) -> String? { value(path) as? String }
  var items: [[String: Any]] { value(["items"]) as? [[String: Any]] ?? [] }
}

/// A client of a shop.
struct ShopClient: Sendable {
  let client: any TestClientProtocol

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = nil,
    headers: HTTPFields = [:]
  ) async throws -> Reply {
    var headers = headers
    if let key { headers[HTTPField.Name("Idempotency-Key")!] = key }
    let answer = try await client.executeRequest(
      uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    return Reply(
      status: answer.status.code, text: String(buffer: answer.body), headers: answer.headers)
  }

  func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> Reply {
    try await send(.get, path, headers: headers)
  }

  /// A tenant with a customer, and teapots at 12.00.
  func makeTenant(_ name: String, stock: Int = 10) async throws {
    _ = try await send(.put, "/tenants/\(name)")
    _ = try await send(
      .post, "/tenants/\(name)/products",
      #"{"sku": "TEAPOT", "name": "Teapot", "price": 1200, "stock": \#(stock)}"#)
    _ = try await send(
      .post, "/tenants/\(name)/customers", #"{"email": "ada@example.org", "name": "Ada"}"#)
  }

  func order(
    _ name: String, _ quantity: Int = 1, sku: String = "TEAPOT", key: String = UUID().uuidString
  ) async throws -> Reply {
    try await send(
      .post, "/tenants/\(name)/orders",
      #"{"customer": "ada@example.org", "lines": [{"sku": "\#(sku)", "quantity": \#(quantity)}]}"#,
      key: key)
  }
}
