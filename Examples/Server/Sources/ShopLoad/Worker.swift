import Foundation
import NIOCore

/// One connection, which sends an order and a query in turn.
struct Worker {
  private let client: Client
  private let tenant: String
  private let end: ContinuousClock.Instant
  private var record = Record()
  private var lastNumber = 1

  /// The time after the end in which unanswered orders are retried.
  private static let grace = Duration.seconds(15)
  static let products = 20
  static let customers = 10

  init(_ client: Client, tenant: String, end: ContinuousClock.Instant) {
    self.client = client
    self.tenant = tenant
    self.end = end
  }

  mutating func run() async -> Record {
    while ContinuousClock.now < end {
      await order()
      if ContinuousClock.now < end { await ask() }
    }
    return record
  }

  private struct Placed: Decodable {
    var id: String
    var number: Int
  }

  /// Sends an order until it is answered, always with the same key.
  private mutating func order() async {
    let key = UUID().uuidString
    // One in fifty orders a product with little stock.
    let sku = Int.random(in: 0..<50) == 0 ? "RARE" : "P-\(Int.random(in: 0..<Self.products))"
    let customer = "c\(Int.random(in: 0..<Self.customers))@example.org"
    let line = #"{"sku": "\#(sku)", "quantity": \#(Int.random(in: 1...3))}"#
    let body = #"{"customer": "\#(customer)", "lines": [\#(line)]}"#
    while ContinuousClock.now < end + Self.grace {
      let start = ContinuousClock.now
      do {
        let answer = try await client.send("/tenants/\(tenant)/orders", order: (key, body))
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        switch answer.status {
        case 201:
          let placed = try JSONDecoder()
            .decode(Placed.self, from: Data(answer.body.readableBytesView))
          record.answered.append(
            Record.Answered(
              tenant: tenant, id: placed.id, at: Date().timeIntervalSince1970,
              isReplay: answer.isReplay))
          record.writes.append(time)
          lastNumber = placed.number
          return
        case 409:
          record.conflicts += 1
          record.writes.append(time)
          return
        case 503: record.unavailable += 1
        default: return record(answer)
        }
      } catch {
        record.failures += 1
      }
      await client.pause()
    }
    record.open += 1
  }

  private mutating func ask() async {
    let path =
      switch Int.random(in: 0..<4) {
      case 0: "/orders/\(lastNumber)"
      case 1: "/products/P-\(Int.random(in: 0..<Self.products))"
      case 2: "/products?stock_below=1000&limit=10"
      default: "/orders?after=\(max(0, lastNumber - 10))&limit=10"
      }
    let start = ContinuousClock.now
    do {
      let answer = try await client.send("/tenants/\(tenant)\(path)")
      switch answer.status {
      case 200: record.reads.append((ContinuousClock.now - start) / .milliseconds(1))
      // The order's number is from before a restore.
      case 404 where path.hasPrefix("/orders/"): lastNumber = 1
      case 503:
        record.unavailable += 1
        await client.pause()
      default: record(answer)
      }
    } catch {
      record.failures += 1
      await client.pause()
    }
  }

  private mutating func record(_ answer: Client.Answer) {
    record.unexpected.append("\(answer.status) \(String(buffer: answer.body).prefix(200))")
  }
}
