import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Strata

/// Tells another system of each order, at least once: how far it is, is stored in the file of the
/// tenant after the receiver has taken something.
///
/// The token of a transaction is the key by which the receiver knows what it has already.
struct Outbox: Service {
  let tenants: Tenants
  let receiver: String
  let metrics: Metrics
  let logger: Logger

  /// The name of the consumer in the history of each file.
  static let consumer = "receiver"
  private static let interval = Duration.milliseconds(100)

  private struct Message: Encodable {
    struct Entry: Encodable {
      var token: String
      var committedAt: Date
      var orders: [OrderValue]
    }

    var tenant: String
    var entries: [Entry]
  }

  func run() async throws {
    await sendLeftovers()
    var wait = Self.interval
    while !isEnding {
      do {
        try await tenants.forEachOpen { try await send($0) }
        wait = Self.interval
      } catch {
        wait = min(wait * 2, .seconds(30))
        noteFailure(error)
      }
      await pause(wait)
    }
  }

  /// A process that ended may have left orders in files that nobody asks for now. Opening them
  /// migrates them, too.
  private func sendLeftovers() async {
    do {
      for name in try tenants.place.names() where !isEnding {
        do {
          try await tenants.use(name) { try await send($0) }
        } catch {
          noteFailure(error)
        }
      }
    } catch {
      noteFailure(error)
    }
  }

  private func noteFailure(_ error: any Error) {
    metrics.countFailure()
    logger.warning("What is in an outbox can't be sent yet.", metadata: ["error": "\(error)"])
  }

  /// Sends what there is, a part after the other.
  private func send(_ tenant: Tenant) async throws {
    let realm = try Realm(configuration: tenant.configuration)
    while !isEnding {
      let count = try await realm.sendHistory(as: Self.consumer) { transactions in
        let entries = transactions.compactMap { entry($0, realm) }
        guard !entries.isEmpty else { return }
        try await post(Message(tenant: "\(tenant.name)", entries: entries))
        metrics.countSent(entries.count)
      }
      if count == 0 { return }
    }
  }

  /// What the receiver hears of a transaction: its orders, or nothing when it has none.
  private func entry(_ transaction: HistoryTransaction, _ realm: Realm) -> Message.Entry? {
    let orders = transaction.changes(of: Order.self).filter { $0.kind == .inserted }
      .compactMap { realm.object(of: $0, as: Order.self).map(OrderValue.init) }
    guard !orders.isEmpty else { return nil }
    return Message.Entry(
      token: transaction.id.description, committedAt: transaction.date, orders: orders)
  }

  private func post(_ message: Message) async throws {
    var request = HTTPClientRequest(url: receiver)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(string: try Answer.json(message)))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
    guard (200..<300).contains(response.status.code) else {
      throw Refused(status: response.status.code)
    }
    // Read to its end, so that the connection can be used again.
    _ = try await response.body.collect(upTo: 1 << 20)
  }

  private struct Refused: Error, CustomStringConvertible {
    let status: UInt
    var description: String { "The receiver answered \(status)." }
  }
}
