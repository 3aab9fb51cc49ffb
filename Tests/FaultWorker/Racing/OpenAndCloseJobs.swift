import Foundation
import Strata
import Synchronization

/// Programs that open a file, write one row and let it go, in loops.
extension Job {
  /// Three threads open, write and close, until each has done it a hundred times or the classes of
  /// the file have changed. Says how many rows they have committed.
  static let openWriteClose = Job(prepare: migrate.prepare) { file in
    say("ready")
    _ = readLine()
    let committed = Mutex(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for round in 0..<rounds {
        do {
          let number = Int(getpid()) * 10_000 + thread * 1_000 + round
          try autoclosed {
            let realm = try Realm(configuration: Before.configuration(file))
            try realm.write { realm.create(Before.Account.self, value: ["number": number]) }
          }
          committed.withLock { $0 += 1 }
        } catch let error as Realm.Error where isAboutOtherClasses(error) {
          return
        } catch {
          failure.withLock { $0 = error }
          return
        }
      }
    }
    say("committed \(committed.withLock { $0 })")
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Opens realms in memory, one after the other: each is a folder that goes with it.
  static let openInMemory = Job(prepare: { _ in }) { _ in
    say("ready")
    _ = readLine()
    for round in 0..<300 {
      try autoclosed {
        let realm = try Realm(
          configuration: Realm.Configuration(
            inMemoryIdentifier: "\(round)", objectTypes: Before.types))
        try realm.write { realm.create(Before.Account.self, value: ["number": round]) }
      }
    }
    say("committed 300")
  }

  private static let threads = 3
  private static let rounds = 100

  /// In a function of its own, so that the realm is gone when it returns.
  @inline(never)
  private static func autoclosed(_ body: () throws -> Void) rethrows { try body() }

  /// Whether the error says that the file has newer classes than the program.
  private static func isAboutOtherClasses(_ error: Realm.Error) -> Bool {
    error.message.contains("Unsupported schema changes were made by another client")
      || error.message.contains("is less than last set version")
  }
}

/// Ways to look at a file that the process has open.
extension Job {
  /// Writes a row, looks at the file, and waits until another process has looked as well; twenty
  /// times.
  private static func look(
    _ body: @escaping @Sendable (Realm, Realm.Configuration) throws -> Void
  ) -> Job {
    Job(prepare: migrate.prepare) { file in
      let configuration = Before.configuration(file)
      let realm = try Realm(configuration: configuration)
      for number in 1...20 {
        try realm.write {
          realm.create(Before.Account.self, value: ["number": 20_000 + number])
        }
        try body(realm, configuration)
        say("rows \(realm.objects(Before.Account.self).count)")
        _ = readLine()
      }
    }
  }

  static let looks: [String: Job] = [
    "look-problems": look { _, configuration in
      let problems = try Realm.problems(for: configuration)
      guard problems.isEmpty else { throw Found(problems: problems.map { "\($0)" }) }
    },
    "look-history": look { _, configuration in
      _ = try Realm.migrationHistory(at: configuration.fileURL!)
    },
    "look-plan": look { _, configuration in
      _ = try Realm.migrationForecast(for: configuration)
      _ = try Realm.migrationForecast(for: After.configuration(configuration.fileURL!))
    },
    "look-version": look { _, configuration in
      _ = try schemaVersionAtURL(configuration.fileURL!)
    },
    "look-backups": look { _, configuration in
      _ = try Realm.backups(for: configuration)
      _ = Realm.fileExists(for: configuration)
    },
    "look-seed": look { _, configuration in
      let file = configuration.fileURL!
      var other = Before.configuration(file.appendingPathExtension("copy"))
      other.seedFilePath = file
      do {
        _ = try Realm(configuration: other)
        try Realm.deleteFiles(for: other)
      } catch let error as Realm.Error where error.message.contains("are in") {
        // A seed with changes in its WAL is refused.
      }
    },
    "look-copy": look { realm, configuration in
      let copy = configuration.fileURL!.appendingPathExtension("copy")
      try realm.writeCopy(toFile: copy)
      let copied = Before.configuration(copy)
      let count = try Realm(configuration: copied).objects(Before.Account.self).count
      guard count == realm.objects(Before.Account.self).count else {
        throw Found(problems: ["\(count) rows"])
      }
      try Realm.deleteFiles(for: copied)
    },
    "look-again": look { _, configuration in
      _ = try Realm(configuration: configuration)
      var readOnly = configuration
      readOnly.readOnly = true
      refused { _ = try Realm(configuration: readOnly) }
      refused { try Realm.performMigration(for: configuration) }
      refused { try Realm.deleteFiles(for: configuration) }
    },
  ]

  struct Found: Error {
    var problems: [String]
  }

  private static func refused(_ body: () throws -> Void) {
    do {
      try body()
      say("failed: was not refused")
    } catch {
      // As it must be while the file is open.
    }
  }
}
