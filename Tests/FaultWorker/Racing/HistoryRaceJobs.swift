import Foundation
import Strata

/// Programs that write to one file with a history at the same time, and one that keeps a copy.
extension Job {
  static let historyRaces: [String: Job] = [
    "orders-begin": beginOrders, "orders-write": writeOrders, "orders-copy": copyOrders,
  ]

  /// An empty file.
  private static let beginOrders = Job(prepare: { _ in }) { file in
    _ = try Realm(configuration: Orders.configuration(file))
  }

  /// Random transactions, one after the other, until there is a file called `stop`.
  private static let writeOrders = Job(prepare: { _ in }) { file in
    let realm = try Realm(configuration: Orders.configuration(file))
    var transactions = 0
    while !Orders.mustStop(file) {
      try realm.write {
        for _ in 0...Int.random(in: 0..<5) { Orders.change(realm) }
        // Together with the numbers of the other process.
        while let last = realm.objects(Orders.Order.self).last,
          realm.objects(Orders.Order.self).count > 100
        {
          realm.delete(last)
        }
      }
      transactions += 1
      // Limited output: if no reader follows, a full pipe would block the process.
      if transactions <= 20 { say("wrote \(transactions)") }
    }
  }

  /// A copy of the objects that is brought up to date from the history alone, and compared with
  /// the file at each look, until there is a file called `stop`.
  private static let copyOrders = Job(prepare: { _ in }) { file in
    let realm = try Realm(configuration: Orders.configuration(file))
    var copy = Orders.Copy()
    var looks = 0
    while true {
      let isLast = Orders.mustStop(file)
      realm.refresh()
      let frozen = realm.freeze()
      let count = try copy.catchUp(with: frozen)
      looks += count > 0 ? 1 : 0
      guard copy.isEqual(to: frozen) else {
        say("differs after \(looks) looks: \(copy.differences(from: frozen))")
        return
      }
      if isLast, count == 0 { break }
    }
    say("equal \(looks), \(copy.transactions) transactions")
  }
}

/// The objects of the race.
enum Orders {
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var note = ""
    @Persisted var tags: List<String>
    @Persisted var address: Address?
    @Persisted var previous: Order?
  }

  class Address: EmbeddedObject {
    @Persisted var street = ""
  }

  class Message: Object {
    @Persisted(primaryKey: true) var text = ""
    @Persisted var order: Order?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, objectTypes: [Order.self, Address.self, Message.self])
    configuration.history = .init()
    return configuration
  }

  /// Whether there is a file `stop`, or the process that could make the file has ended.
  static func mustStop(_ file: URL) -> Bool {
    getppid() == 1
      || FileManager.default.fileExists(
        atPath: file.deletingLastPathComponent().appendingPathComponent("stop").path)
  }

  static func change(_ realm: Realm) {
    let orders = realm.objects(Order.self)
    let order = orders.randomElement()
    switch Int.random(in: 0..<11) {
    case 0...2:
      realm.create(
        Order.self, value: ["number": Int.random(in: 0..<1_000), "note": "made"],
        update: .modified)
    case 3: order?.note = "note \(Int.random(in: 0..<1_000))"
    case 4: order?.tags.append("tag \(Int.random(in: 0..<10))")
    case 5: order?.tags.removeAll()
    case 6: order?.address = Address(value: ["street": "street \(Int.random(in: 0..<100))"])
    case 7: order?.address?.street += "+"
    case 8: order?.previous = orders.randomElement()
    case 9:
      let text = "message \(Int.random(in: 0..<50))"
      realm.create(Message.self, value: ["text": text, "order": order as Any], update: .all)
    default:
      switch Int.random(in: 0..<12) {
      case 0: realm.delete(realm.objects(Message.self))
      case 1: realm.delete(realm.objects(Message.self).where { $0.order == nil })
      default: if let order { realm.delete(order) }
      }
    }
  }

  /// The state of a program that only reads the objects named in the history.
  struct Copy {
    private var objects: [String: [HistoryValue: String]] = [:]
    private var token: HistoryToken?
    private(set) var transactions = 0

    /// Returns the number of transactions.
    mutating func catchUp(with realm: Realm) throws -> Int {
      let history = try realm.history(after: token)
      let today = Self.state(of: realm)
      for change in history.flatMap(\.changes) {
        if case .deletedAll = change.kind {
          objects[change.className] = today[change.className]
        } else if let key = change.primaryKey {
          objects[change.className, default: [:]][key] = today[change.className]?[key]
        }
      }
      token = history.last?.id ?? token
      transactions += history.count
      return history.count
    }

    func isEqual(to realm: Realm) -> Bool { differences(from: realm).isEmpty }

    func differences(from realm: Realm) -> [String] {
      let today = Self.state(of: realm)
      return ["Order", "Message"].flatMap { name in
        let (old, new) = (objects[name] ?? [:], today[name] ?? [:])
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map {
          "\(name) \($0): \(old[$0] ?? "none") instead of \(new[$0] ?? "none")"
        }
      }
    }

    private static func state(of realm: Realm) -> [String: [HistoryValue: String]] {
      var state: [String: [HistoryValue: String]] = ["Order": [:], "Message": [:]]
      for order in realm.objects(Order.self) {
        state["Order"]?[.int(order.number)] =
          "\(order.note) \(Array(order.tags)) \(order.address?.street ?? "-") "
          + "\(order.previous?.number ?? -1)"
      }
      for message in realm.objects(Message.self) {
        state["Message"]?[.string(message.text)] = "\(message.order?.number ?? -1)"
      }
      return state
    }
  }
}
