import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Strata

/// A service that sends each order to another system, at least once. The progress is stored in the
/// tenant's file after the receiver has accepted a batch.
///
/// The receiver can recognise a repeated transaction by its token.
struct Outbox: Service {
  let tenants: Tenants
  let receiver: String
  let metrics: Metrics
  let logger: Logger

  /// The name of the consumer in the history of each file.
  static let consumer = "receiver"
  private static let interval = Duration.milliseconds(100)
  /// A slow receiver for one tenant doesn't delay the others.
  private static let maxAtOnce = 8

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
    // Starts with all files: a process that ended may have left orders in files without requests.
    // Opening them also migrates them.
    var retries = Retries(names())
    while !isEnding {
      let open = Set(await tenants.open.map(\.name))
      let failed = await send(retries.next(open: open, at: .now))
      retries.record(failed, at: .now)
      await pause(Self.interval)
    }
  }

  private func names() -> [TenantName] {
    do {
      return try tenants.place.names()
    } catch {
      recordFailure(error)
      return []
    }
  }

  /// Sends the pending orders of some tenants. Returns the tenants that failed.
  private func send(_ names: [TenantName]) async -> Set<TenantName> {
    await withTaskGroup(of: TenantName?.self) { group in
      var failed: Set<TenantName> = []
      for (index, name) in names.enumerated() {
        if index >= Self.maxAtOnce, let name = await group.next() ?? nil { failed.insert(name) }
        group.addTask {
          do {
            try await tenants.use(name, isRequest: false) { try await send($0) }
            return nil
          } catch {
            recordFailure(error)
            return name
          }
        }
      }
      for await name in group { if let name { failed.insert(name) } }
      return failed
    }
  }

  private func recordFailure(_ error: any Error) {
    metrics.countFailure()
    logger.warning("What is in an outbox can't be sent yet.", metadata: ["error": "\(error)"])
  }

  /// Sends the pending orders in batches.
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

  /// The message about a transaction: its orders, or nil if it has none.
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
    // The body is read completely, so that the connection can be reused.
    _ = try await response.body.collect(upTo: 1 << 20)
  }

  private struct Refused: Error, CustomStringConvertible {
    let status: UInt
    var description: String { "The receiver answered \(status)." }
  }
}

/// The tenants to retry: their files may have pending orders, even if they are closed.
package struct Retries<Name: Hashable & Sendable & CustomStringConvertible> {
  private var waits: [Name: (next: ContinuousClock.Instant, wait: Duration)] = [:]
  /// The tenants that were open at the last check: a file may be closed before its orders are sent.
  private var lastOpen: Set<Name> = []
  private var asked: Set<Name> = []
  private static var longestWait: Duration { .seconds(30) }

  package init(_ names: some Sequence<Name>) {
    lastOpen = Set(names)
  }

  /// The tenants to try now: those with open or just closed files, and those whose delay is over.
  package mutating func next(open: Set<Name>, at now: ContinuousClock.Instant) -> [Name] {
    let due = open.union(lastOpen).union(waits.keys)
      .filter { name in waits[name].map { $0.next <= now } ?? true }
    lastOpen = open
    asked = Set(due)
    return due.sorted { $0.description < $1.description }
  }

  /// Records the failures of the last turn. Their delay doubles each time.
  package mutating func record(_ failed: Set<Name>, at now: ContinuousClock.Instant) {
    for name in asked {
      guard failed.contains(name) else {
        waits[name] = nil
        continue
      }
      let wait = min((waits[name]?.wait ?? .milliseconds(100)) * 2, Self.longestWait)
      waits[name] = (now + wait, wait)
    }
  }
}
