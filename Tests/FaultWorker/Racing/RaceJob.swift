import Foundation
import Strata

extension Job {
  /// Opens an old file at the same moment as other processes, and says when its block runs.
  static let race = Job(prepare: migrate.prepare) { file in
    waitForStart()
    var configuration = After.configuration(file)
    configuration.migrationBlock = { migration, oldSchemaVersion in
      say("block runs")
      After.migrate(migration, oldSchemaVersion)
    }
    let realm = try Realm(configuration: configuration)
    let names = realm.objects(After.Person.self).map(\.fullName).joined(separator: ",")
    let sum: Int = realm.objects(After.Account.self).sum(of: \.number)
    say("sees \(names) \(sum)")
  }

  /// The same for a file that is a copy of another one.
  static let raceForSeed = Job(prepare: seed.prepare) { file in
    waitForStart()
    try seed.run(file)
  }

  private static func waitForStart() {
    say("ready")
    _ = readLine()
  }
}
