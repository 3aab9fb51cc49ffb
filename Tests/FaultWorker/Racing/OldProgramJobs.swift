import Foundation
import Strata

/// Programs that go on with the old classes while another process migrates the file.
extension Job {
  /// Moves amounts between accounts and adds people, one transaction after the other, until it is
  /// told that the file has changed.
  static let oldWriter = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    let accounts = realm.objects(Before.Account.self)
    say("ready")
    for number in 1...1_000_000 {
      try realm.write {
        accounts[number % 50].amount -= number
        accounts[50 + number % 50].amount += number
        realm.create(Before.Account.self, value: ["number": 10_000 + number, "amount": 0])
      }
      say("wrote \(number)")
    }
  }

  /// Adds up the amounts again and again, until there is a file called `stop`.
  static let oldReader = Job(prepare: migrate.prepare) { file in
    let stop = file.deletingLastPathComponent().appendingPathComponent("stop").path
    let realm = try Realm(configuration: Before.configuration(file))
    let accounts = realm.objects(Before.Account.self)
    say("ready")
    var seen: [Int] = []
    while !FileManager.default.fileExists(atPath: stop) {
      let total: Int = accounts.sum(of: \.amount)
      guard !seen.contains(total) else { continue }
      seen.append(total)
      say("total \(total)")
    }
    say("people \(realm.objects(Before.Person.self).map(\.firstName).count)")
  }

  /// The same with the new classes.
  static let newWriter = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: After.configuration(file))
    say("ready")
    for number in 1...50 {
      try realm.write {
        realm.create(
          After.Account.self, value: ["number": Int(getpid()) * 1_000 + number, "amount": 0])
      }
      say("wrote \(number)")
    }
  }
}
