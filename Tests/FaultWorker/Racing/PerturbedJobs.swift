import Foundation
import Strata
import StrataStorage
import Synchronization

/// Programs of several kinds on one file, while time passes anywhere in them.
extension Job {
  static let perturbed: [String: Job] = [
    "perturbed-writer": Job(prepare: fillVaults) { try writeVaults($0, rounds: 100) },
    "perturbed-observer": Job(prepare: fillVaults) { try observeVaults($0) },
    "perturbed-reader": Job(prepare: fillVaults) { try readVaults($0) },
    "perturbed-copier": Job(prepare: fillVaults) { try copyVaults($0) },
    "perturbed-publisher": Job(prepare: fillVaults) { try publishVaults($0) },
  ]

  /// The sum of all amounts and coins of vaults equals the sum of all debts.
  class Vault: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var amount = 0
    @Persisted var coins: List<Int>
  }

  class Debt: Object {
    @Persisted(indexed: true) var writer = 0
    @Persisted var number = 0
    @Persisted var amount = 0
    @Persisted var vault: Vault?
  }

  private static func vaults(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: file, objectTypes: [Vault.self, Debt.self])
    configuration.history = .init()
    return configuration
  }

  @Sendable private static func fillVaults(_ file: URL) throws {
    let realm = try Realm(configuration: vaults(file))
    try realm.write { for number in 0..<50 { realm.create(Vault.self, value: ["number": number]) } }
  }

  private struct Unbalanced: Error {
    var place: String
    var difference: Int
  }

  /// - Parameter realm: A frozen realm, or one in a transaction: others move on between queries.
  private static func check(_ realm: Realm, _ place: String) throws {
    let vaults = realm.objects(Vault.self)
    let coins = vaults.reduce(0) { $0 + $1.coins.reduce(0, +) }
    let debts: Int = realm.objects(Debt.self).sum(of: \.amount)
    let difference = vaults.sum(of: \.amount) + coins - debts
    guard difference == 0 else { throw Unbalanced(place: place, difference: difference) }
  }

  /// Says each number that it has committed.
  private static func writeVaults(_ file: URL, rounds: Int) throws {
    let realm = try Realm(configuration: vaults(file))
    let writer = Int(getpid())
    let own = realm.objects(Debt.self).where { $0.writer == writer }
    for number in 1...rounds {
      try realm.write {
        try check(realm, "a transaction")
        guard let vault = realm.object(ofType: Vault.self, forPrimaryKey: number % 50) else {
          return
        }
        realm.create(
          Debt.self,
          value: ["writer": writer, "number": number, "amount": number, "vault": vault])
        vault.amount += number - 1
        vault.coins.append(1)
        if number % 10 == 0,
          let paid = own.where({ $0.number == number - 5 && $0.amount > 0 }).first
        {
          vault.amount -= paid.amount
          paid.amount = 0
        }
      }
      say("\(number)")
    }
  }

  /// Applies each change of the vaults to a copy of the amounts, until there is a file `stop`.
  private static func observeVaults(_ file: URL) throws {
    let realm = try Realm(configuration: vaults(file))
    let queue = DispatchQueue(label: "vaults")
    let amounts = Mutex<[Int]>([])
    let token = realm.objects(Vault.self).sorted(byKeyPath: "number").observe(on: queue) { change in
      amounts.withLock { amounts in
        switch change {
        case .initial(let all): amounts = all.map(\.amount)
        case .update(let all, let deletions, let insertions, let modifications):
          for index in deletions.reversed() { amounts.remove(at: index) }
          for index in insertions { amounts.insert(all[index].amount, at: index) }
          for index in modifications { amounts[index] = all[index].amount }
          if amounts != all.map(\.amount) { say("wrong changes") }
        case .error(let error): say("ends with \(error)")
        }
      }
    }
    var count = 0
    while !Orders.mustStop(file) {
      try check(realm.freeze(), "a realm that is observed")
      realm.refresh()
      count += 1
    }
    token.invalidate()
    say("looked \(count > 0)")
  }

  /// Opens the file, reads it and closes it.
  private static func readVaults(_ file: URL) throws {
    while !Orders.mustStop(file) {
      try check(Realm(configuration: vaults(file)).freeze(), "a new realm")
      var configuration = vaults(file)
      configuration.readOnly = true
      try check(Realm(configuration: configuration).freeze(), "a realm that only reads")
    }
    say("read")
  }

  private static func copyVaults(_ file: URL) throws {
    let copy = file.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
    while !Orders.mustStop(file) {
      try Realm.makeBackup(at: copy, for: vaults(file))
      try check(Realm(configuration: vaults(copy)), "a backup")
      _ = try Realm.deleteFiles(for: vaults(copy))
    }
    say("copied")
  }

  /// Publishes the file, and reads each publication as a program beside a replica does.
  private static func publishVaults(_ file: URL) throws {
    let folder = ReplicaFolder(file.deletingLastPathComponent().appendingPathComponent("replica"))
    try PlainFile.makeFolder(folder.url)
    let lock = try folder.lock()
    let configuration = Realm.Configuration(
      replica: .init(folder: folder.url), objectTypes: [Vault.self, Debt.self])
    var position: UInt64 = 0
    while !Orders.mustStop(file) {
      position += 1
      _ = try folder.publish(PublicationName(position: position)) { part in
        try DatabaseCopy.make(of: file, at: part)
      }
      try folder.prune(PublicationRetention(newest: 2))
      try check(Realm(configuration: configuration).freeze(), "a replica")
    }
    withExtendedLifetime(lock) { say("published \(position > 0)") }
  }
}
