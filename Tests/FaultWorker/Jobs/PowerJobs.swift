import Foundation
import GRDB
import Strata
import StrataStorage

/// Jobs whose promises must hold after a power cut.
extension Job {
  static let promising: [String: Job] = [
    "count": counting(60, nil), "count-on": counting(3, nil),
    "count-with-history": counting(60, .init()), "count-with-history-on": counting(3, .init()),
    "back-up": Job(prepare: migrate.prepare) { file in
      for number in 1...2 {
        let backup = sibling(of: file, "backup-\(number).sqlite")
        try Realm.makeBackup(at: backup, for: Before.configuration(file))
        promise(backup)
        try add(1_000 + number, to: file)
      }
    },
    "copy": Job(prepare: migrate.prepare) { file in
      let copy = sibling(of: file, "copy.sqlite")
      try Realm(configuration: Before.configuration(file)).writeCopy(toFile: copy)
      promise(copy)
    },
    "create-in-folder": Job(prepare: { _ in }) { file in
      let folder = file.deletingLastPathComponent().appendingPathComponent("one/two")
      try PlainFile.makeFolder(folder)
      try add(1, to: folder.appendingPathComponent("new.sqlite"))
      Fault.promise("one/two/new.sqlite")
    },
    "restore-missing": restore { try StoreFile.delete($0) },
    "restore-beside-log": restore { try crash($0) { unlink($0.path) } },
    "restore-damaged": restore { try Data(repeating: 7, count: 10_000).write(to: $0) },
    "restore-damaged-beside-log": restore { file in
      try crash(file) { try Data(repeating: 7, count: 10_000).write(to: $0) }
    },
    "restore-over": restore { try add(1_000, to: $0) },
    "restore-over-history": restore(history: .init()) { try add(1_000, to: $0) },
    "publish": Job(prepare: migrate.prepare) { file in
      let url = sibling(of: file, "replica")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try PlainFile.synchronize(url.deletingLastPathComponent())
      let folder = ReplicaFolder(url)
      for position in 1...3 {
        let entry = try folder.publish(PublicationName(position: UInt64(position))) { part in
          try DatabaseCopy.make(of: file, at: part)
        }
        promise(url.appendingPathComponent("\(entry.name).sqlite"))
        if position == 3 { try folder.prune(PublicationRetention(newest: 1), at: .distantFuture) }
      }
    },
    "promote": Job(prepare: { file in
      try migrate.prepare(file)
      let folder = ReplicaFolder(sibling(of: file, "replica"))
      let lock = try folder.lock()
      _ = try folder.publish(PublicationName(position: 1)) { part in
        try DatabaseCopy.make(of: file, at: part)
      }
      withExtendedLifetime(lock) {}
    }) { file in
      let folder = ReplicaFolder(sibling(of: file, "replica"))
      let promoted = sibling(of: file, "promoted.sqlite")
      _ = try folder.promote(folder.newest(), to: promoted, nil)
      promise(promoted)
      try add(1_000, to: promoted)
    },
  ]

  private static func sibling(of file: URL, _ name: String) -> URL {
    file.deletingLastPathComponent().appendingPathComponent(name)
  }

  static func promise(_ file: URL) {
    let folder = file.deletingLastPathComponent().lastPathComponent
    let isBelow = ["replica", "test-backups"].contains(folder)
    Fault.promise(isBelow ? "\(folder)/\(file.lastPathComponent)" : file.lastPathComponent)
  }

  /// Leaves a WAL of commits beside what a closure makes of the file.
  private static func crash(_ file: URL, _ damage: (URL) throws -> Void) throws {
    let (log, kept) = (URL(fileURLWithPath: file.path + "-wal"), sibling(of: file, "kept"))
    try deletePersons(file) { try FileManager.default.copyItem(at: log, to: kept) }
    try FileManager.default.moveItem(at: kept, to: log)
    try damage(file)
  }

  private static func deletePersons(_ file: URL, _ before: () throws -> Void) throws {
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.write { realm.delete(realm.objects(Before.Person.self)) }
    try before()
  }

  private static func add(_ number: Int, to file: URL) throws {
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.write { realm.create(Before.Account.self, value: ["number": number]) }
  }

  /// The file gets the contents of the only backup.
  private static func restore(
    history: Realm.Configuration.History? = nil,
    after change: @escaping @Sendable (URL) throws -> Void
  ) -> Job {
    Job(
      prepare: { file in
        try migrate.prepare(file)
        var configuration = Before.configuration(file)
        configuration.history = history
        _ = try Realm(configuration: configuration)
        try Realm.makeBackup(
          at: sibling(of: file, "backup.sqlite"), for: Before.configuration(file))
        try change(file)
      },
      run: { file in
        try Realm.restoreBackup(
          at: sibling(of: file, "backup.sqlite"), for: Before.configuration(file))
      })
  }

  // MARK: Counting

  class Counter: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var count = 0
    @Persisted var content = Data()
  }

  class Step: Object {
    @Persisted(indexed: true) var count = 0
  }

  private static func counting(_ steps: Int, _ history: Realm.Configuration.History?) -> Job {
    Job(prepare: { try makeCounters($0, history) }) { try count(steps, $0, history) }
  }

  private static func configuration(_ file: URL, _ history: Realm.Configuration.History?)
    -> Realm.Configuration
  {
    var configuration = Realm.Configuration(
      fileURL: file, objectTypes: [Counter.self, Step.self])
    configuration.history = history
    return configuration
  }

  /// Small pages, so that 1,000 of them are a small WAL.
  private static func makeCounters(_ file: URL, _ history: Realm.Configuration.History?) throws {
    try fill(Realm(configuration: configuration(file, history)))
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM")
    }
    try queue.close()
  }

  private static func fill(_ realm: Realm) throws {
    try realm.write {
      for number in 0..<4 { realm.create(Counter.self, value: ["number": number]) }
    }
  }

  /// Counts in one of four objects, and in the number of others. In 60 steps the WAL begins again
  /// three times.
  private static func count(
    _ steps: Int, _ file: URL, _ history: Realm.Configuration.History?
  ) throws {
    let realm = try Realm(configuration: configuration(file, history))
    let begin = realm.objects(Step.self).count
    for count in begin + 1...begin + steps {
      try realm.write {
        let counter = realm.object(ofType: Counter.self, forPrimaryKey: count % 4)
        counter?.count = count
        counter?.content = Data(repeating: UInt8(count % 256), count: 26_000 + count * 10)
        realm.create(Step.self, value: ["count": count])
      }
      Fault.promise("count")
    }
  }
}
