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
  /// A receiver that is slow for one tenant doesn't keep the others.
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
    // A process that ended may have left orders in files that nobody asks for now. Opening them
    // migrates them, too.
    var retries = Retries(names())
    while !isEnding {
      let open = Set(await tenants.open.map(\.name))
      let failed = await send(retries.next(open: open, at: .now))
      retries.note(failed, at: .now)
      await pause(Self.interval)
    }
  }

  private func names() -> [TenantName] {
    do {
      return try tenants.place.names()
    } catch {
      noteFailure(error)
      return []
    }
  }

  /// Sends what there is in the files of tenants, and returns those of which it can't be sent yet.
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
            noteFailure(error)
            return name
          }
        }
      }
      for await name in group { if let name { failed.insert(name) } }
      return failed
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

/// The tenants whose files may have something to send although nobody has them open.
package struct Retries<Name: Hashable & Sendable & CustomStringConvertible> {
  private var waits: [Name: (next: ContinuousClock.Instant, wait: Duration)] = [:]
  /// Those that were open at the last look: a file may be closed before it was sent.
  private var lastOpen: Set<Name> = []
  private var asked: Set<Name> = []
  private static var longestWait: Duration { .seconds(30) }

  package init(_ names: some Sequence<Name>) {
    lastOpen = Set(names)
  }

  /// The tenants whose turn it is: those that are open, those that were closed since, and those
  /// whose wait is over.
  package mutating func next(open: Set<Name>, at now: ContinuousClock.Instant) -> [Name] {
    let due = open.union(lastOpen).union(waits.keys)
      .filter { name in waits[name].map { $0.next <= now } ?? true }
    lastOpen = open
    asked = Set(due)
    return due.sorted { $0.description < $1.description }
  }

  /// Notes those of the last turn that failed: they wait, twice as long each time.
  package mutating func note(_ failed: Set<Name>, at now: ContinuousClock.Instant) {
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
