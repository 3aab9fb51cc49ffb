import Foundation
import GRDB
import InMemoryLogging
import Logging
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

/// The length of the WAL: it stays short while kept versions advance, and shrinks after other
/// versions are released.
@Suite(.serialized, .timeLimit(.minutes(40))) struct WALLengthTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration
  private let log: InMemoryLogHandler

  /// In bytes.
  private static let shortLog = 8 << 20
  /// The limit while versions advance: an observer's thread may have to wait for other tests.
  private static let movingLog = 32 << 20

  init() throws {
    folder = try TestFolder()
    let handler = InMemoryLogHandler()
    log = handler
    var configuration = folder.configuration(Observed.types)
    configuration.logger = Logger(label: "test") { _ in handler }
    self.configuration = configuration
  }

  private static var commits: Int {
    ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all" ? 100_000 : 6_000
  }

  private var logSize: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file.path + "-wal")
      return try #require(attributes[.size] as? Int)
    }
  }

  private var warnings: [String] {
    log.entries.filter { $0.level == .warning }.map { "\($0.message)" }
  }

  /// A realm with an object whose age each commit raises.
  private func filled() throws -> (Realm, Observed.Person) {
    let realm = try Realm(configuration: configuration)
    let ada = Observed.person(1, "Ada")
    try realm.write {
      realm.add(ada)
      try realm.withDatabase { try $0.execute(sql: "CREATE TABLE filler(content)") }
    }
    return (realm, ada)
  }

  /// Commits so often, and returns the greatest length of the WAL.
  private func commit(_ count: Int, _ realm: Realm, _ ada: Observed.Person) throws -> Int {
    var longest = 0
    for number in 0..<count {
      try realm.write { ada.age += 1 }
      if number % 100 == 0 { longest = max(longest, try logSize) }
    }
    return max(longest, try logSize)
  }

  /// Writes some megabytes, in commits of a quarter of a megabyte.
  private func commit(megabytes: Int, _ realm: Realm) throws {
    for _ in 0..<megabytes * 4 {
      try realm.write {
        try realm.withDatabase { db in
          try db.execute(
            sql: "INSERT OR REPLACE INTO filler(rowid, content) VALUES (1, zeroblob(260000))")
        }
      }
    }
  }

  private func observe(
    _ realm: Realm, _ handler: @escaping @Sendable (Int) -> Void
  ) throws -> NotificationToken {
    let queue = DispatchQueue(label: "test.log")
    let started = DispatchSemaphore(value: 0)
    let token = realm.objects(Observed.Person.self).observe(on: queue) { change in
      switch change {
      case .initial: started.signal()
      case .update(let people, _, _, _): handler(people[0].age)
      case .error(let error): Issue.record("\(error)")
      }
    }
    started.wait()
    return token
  }

  @Test func `A prompt observer leaves the WAL short`() throws {
    let (realm, ada) = try filled()
    let heard = Heard<Int>()
    let token = try observe(realm) { heard.add($0) }
    let longest = try commit(Self.commits, realm, ada)
    expectTrue(longest < Self.movingLog, "\(longest) bytes")
    // A reader that begins again sees what it saw.
    let ages = heard.wait { $0.last == Self.commits }
    expectEqual(ages.last, Self.commits)
    expectTrue(zip(ages, ages.dropFirst()).allSatisfy { $0 < $1 })
    token.invalidate()
    expectTrue(warnings.isEmpty)
  }

  @Test func `A slow observer leaves the WAL short`() throws {
    let (realm, ada) = try filled()
    let token = try observe(realm) { _ in usleep(3_000) }
    let longest = try commit(Self.commits, realm, ada)
    expectTrue(longest < Self.movingLog, "\(longest) bytes")
    token.invalidate()
  }

  /// A way of reading for a moment, which a thread repeats.
  enum Reading: CaseIterable {
    case frozenObjects, frozenRealm, statement, loop

    func callAsFunction(_ realm: Realm) throws {
      switch self {
      case .frozenObjects:
        let people = realm.objects(Observed.Person.self).freeze()
        expectEqual(people.count, 1)
        usleep(20_000)
        withExtendedLifetime(people) {}
      case .frozenRealm:
        let realm = realm.freeze()
        expectEqual(realm.objects(Observed.Person.self).count, 1)
        usleep(20_000)
        withExtendedLifetime(realm) {}
      case .statement:
        try realm.withDatabase { db in
          let rows = try Row.fetchCursor(db, sql: "SELECT * FROM Person")
          while try rows.next() != nil { usleep(20_000) }
        }
      case .loop:
        for _ in realm.objects(Observed.Person.self) { usleep(20_000) }
      }
    }
  }

  @Test(arguments: Reading.allCases)
  func `Readers that follow each other leave the WAL short`(reading: Reading) throws {
    let (realm, _) = try filled()
    let isOver = Mutex(false)
    let configuration = configuration
    // One of them always reads.
    let readers = (0..<3).map { _ in
      startThread {
        while !isOver.withLock({ $0 }) { try reading(Realm(configuration: configuration)) }
      }
    }
    var longest = 0
    for number in 0..<4_000 {
      try realm.write {
        try realm.withDatabase { db in
          try db.execute(
            sql: "INSERT OR REPLACE INTO filler(rowid, content) VALUES (1, zeroblob(30000))")
        }
      }
      if number % 100 == 0 { longest = max(longest, try logSize) }
    }
    isOver.withLock { $0 = true }
    for reader in readers { try reader.wait() }
    expectTrue(longest < 3 * Self.movingLog, "\(longest) bytes")
  }

  @Test func `After an observer that is blocked the WAL becomes short again`() throws {
    let (realm, ada) = try filled()
    let open = DispatchSemaphore(value: 0)
    let isBlocked = Heard<Int>()
    let token = try observe(realm) { _ in
      isBlocked.add(1)
      if isBlocked.all.count == 1 { open.wait() }
    }
    try realm.write { ada.age += 1 }
    expectEqual(isBlocked.wait(for: 1).count, 1)
    try commit(megabytes: 70, realm)
    // Looked at twice a second.
    expectTrue(blockUntil { !warnings.isEmpty })
    try realm.write { ada.age += 1 }
    try expectTrue(logSize > 64 << 20)
    let warning = try #require(warnings.first)
    expectEqual(warnings.count, 1)
    expectTrue(warning.hasPrefix("An old version of the file is kept, "))
    expectTrue(warning.contains("queue 'test.log'"))
    open.signal()
    expectTrue(isBlocked.wait(for: 2).count >= 2)
    _ = try commit(400, realm, ada)
    try expectTrue(logSize <= Self.shortLog)
    token.invalidate()
  }

  @Test func `After a frozen realm is released the WAL becomes short again`() throws {
    let (realm, ada) = try filled()
    let token = try observe(realm) { _ in }
    do {
      let frozen = realm.freeze()
      try commit(megabytes: 20, realm)
      _ = try commit(200, realm, ada)
      try expectTrue(logSize > 16 << 20)
      expectEqual(frozen.objects(Observed.Person.self)[0].age, 0)
    }
    _ = try commit(400, realm, ada)
    try expectTrue(logSize <= Self.shortLog)
    expectEqual(ada.age, 600)
    token.invalidate()
  }

  @Test func `Without kept versions the WAL is SQLite's own`() throws {
    let (realm, ada) = try filled()
    let longest = try commit(2_000, realm, ada)
    expectTrue(longest < Self.shortLog)
    expectTrue(realm.activeVersions.isEmpty)
  }

  @Test func `Another program that writes sees and makes whole versions`() throws {
    let (realm, ada) = try filled()
    let heard = Heard<Int>()
    let token = try observe(realm) { heard.add($0) }
    let isOver = Mutex(false)
    let file = folder.file
    let other = startThread {
      let queue = try DatabaseQueue.otherProgram(at: file)
      while !isOver.withLock({ $0 }) {
        try queue.write { db in
          try db.execute(sql: "UPDATE Person SET age = age + 1")
          try db.execute(
            sql: "INSERT OR REPLACE INTO filler(rowid, content) VALUES (2, zeroblob(30000))")
        }
        usleep(300)
      }
      try queue.close()
    }
    for _ in 0..<1_000 { try realm.write { ada.age += 1 } }
    isOver.withLock { $0 = true }
    try other.wait()
    realm.refresh()
    try realm.write { ada.age += 1 }
    let last = ada.age
    let ages = heard.wait { $0.last == last }
    expectEqual(ages.last, last)
    expectTrue(zip(ages, ages.dropFirst()).allSatisfy { $0 < $1 })
    token.invalidate()
  }

  @Test func `The WAL that another program writes stays short while its rows are observed`() throws
  {
    let (realm, _) = try filled()
    let heard = Heard<Int>()
    let token = try observe(realm) { heard.add($0) }
    // As SQLite does it: at each commit from 1,000 frames on, without waiting for a reader.
    let queue = try DatabaseQueue.otherProgram(at: folder.file)
    let last = 2_000
    var longest = 0
    for age in 1...last {
      try queue.write { db in
        try db.execute(sql: "UPDATE Person SET age = ?", arguments: [age])
        try db.execute(
          sql: "INSERT OR REPLACE INTO filler(rowid, content) VALUES (2, zeroblob(40000))")
      }
      longest = max(longest, try logSize)
      usleep(1_000)
      // The observer's thread may have to wait for other tests. Until it runs, the versions that it
      // needs stay.
      if age.isMultiple(of: 100) { _ = heard.wait { $0.last ?? Int.min >= age - 200 } }
    }
    try queue.close()
    expectTrue(longest < 2 * Self.movingLog, "\(longest) bytes")
    let ages = heard.wait { $0.last == last }
    expectEqual(ages.last, last)
    expectTrue(zip(ages, ages.dropFirst()).allSatisfy { $0 < $1 })
    token.invalidate()
  }

  @Test func `The file can be closed, restored and opened after it`() async throws {
    do {
      let (realm, ada) = try filled()
      let token = try observe(realm) { _ in }
      _ = try commit(1_500, realm, ada)
      token.invalidate()
    }
    // The thread of the observer may still hold the file.
    try await Realm.close(configuration, within: .seconds(60))
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path + "-wal"))
    try folder.open(Observed.types) { realm in
      expectEqual(realm.objects(Observed.Person.self)[0].age, 1_500)
    }
  }
}
