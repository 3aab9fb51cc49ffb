import Foundation
import Strata

/// A server whose file is followed on another machine, and who reads there.
extension Job {
  static let replicas: [String: Job] = [
    "serve-slowly": Job(prepare: migrate.prepare) { file in
      try serveSlowly(Realm(configuration: Before.configuration(file)), Before.Account.self)
    },
    "serve-slowly-migrated": Job(prepare: migrate.prepare) { file in
      try serveSlowly(Realm(configuration: After.configuration(file)), After.Account.self)
    },
    "show-replica": Job(prepare: { _ in }) { file in
      try showReplica(file, Before.configuration(file), Before.Account.self)
    },
    "show-migrated-replica": Job(prepare: { _ in }) { file in
      try showReplica(file, After.configuration(file), After.Account.self)
    },
  ]

  private static var milliseconds: Int { Int(Date().timeIntervalSince1970 * 1_000) }

  /// Moves amounts between accounts and adds one with the time as its number, ten times a second,
  /// until it is killed. Says before each transaction what it will add.
  private static func serveSlowly<Account: Object>(
    _ realm: Realm, _ type: Account.Type
  ) throws {
    let accounts = realm.objects(type).filter("number < 10000").sorted(byKeyPath: "number")
    say("begins with \(realm.objects(type).count)")
    var last = 0
    for round in 1... {
      let number = max(milliseconds, last + 1)
      last = number
      say("writes \(number)")
      try realm.write {
        let (one, other) = (accounts[round % 50], accounts[50 + round % 50])
        one["amount"] = one["amount"] as! Int - round
        other["amount"] = other["amount"] as! Int + round
        realm.create(type, value: ["number": number, "amount": 0])
      }
      usleep(100_000)
    }
  }

  /// Observes a replica, applies the changes to a model of its own, and says each state: how many
  /// accounts there are, the greatest number, the sum of all amounts, and the time.
  private static func showReplica<Account: Object>(
    _ file: URL, _ original: Realm.Configuration, _ type: Account.Type
  ) throws {
    let folder = file.deletingLastPathComponent().appendingPathComponent("orders.replica")
    let configuration = Realm.Configuration(
      replica: .init(folder: folder, patience: .seconds(120)),
      schemaVersion: original.schemaVersion, objectTypes: original.objectTypes)
    let realm = try Realm(configuration: configuration)
    let queue = DispatchQueue(label: "replica")
    var model: [[Int]] = []
    func row(_ account: Account) -> [Int] {
      [account["number"] as! Int, account["amount"] as! Int]
    }
    let token = realm.objects(type).observe(on: queue) { change in
      switch change {
      case .initial(let all): model = all.map(row)
      case .update(let all, let deletions, let insertions, let modifications):
        let modified = Set(modifications.map { model[$0][0] })
        for index in deletions.reversed() { model.remove(at: index) }
        for index in insertions { model.insert(row(all[index]), at: index) }
        for index in model.indices where modified.contains(model[index][0]) {
          model[index] = row(all[index])
        }
        if model != all.map(row) { say("wrong changes") }
      case .error(let error):
        say("ends: \(error)")
        return
      }
      let state = (try? Realm(configuration: configuration))?.replicaState
      say(
        "state \(model.count) \(model.map { $0[0] }.max() ?? 0) \(model.reduce(0) { $0 + $1[1] }) "
          + "\(milliseconds) \(state?.version ?? "")")
    }
    // Not 'readLine', which holds the lock of a stream that 'say' flushes.
    while true {
      let bytes = FileHandle.standardInput.availableData
      guard !bytes.isEmpty else { break }
      if bytes == Data("lag\n".utf8) {
        say("lag \(realm.replicaState?.lag().map { "\($0)" } ?? "unknown")")
      }
    }
    token.invalidate()
  }
}
