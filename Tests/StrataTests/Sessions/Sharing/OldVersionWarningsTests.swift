import Dispatch
import Foundation
import GRDB
import InMemoryLogging
import Logging
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Handlers that don't return, and the warnings about the versions that they keep.
@Suite struct OldVersionWarningsTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration
  private let log: InMemoryLogHandler

  init() throws {
    folder = try TestFolder()
    let handler = InMemoryLogHandler()
    log = handler
    var configuration = folder.configuration(Observed.types)
    configuration.logger = Logger(label: "test") { _ in handler }
    self.configuration = configuration
  }

  private var warnings: [String] {
    log.entries.filter { $0.level >= .warning }.map { "\($0.message)" }
  }

  @Test func `A version that a handler keeps for more than 30 seconds is warned of once`() throws {
    let realm = try Realm(configuration: configuration)
    let checkpointer = realm.session.store.writer.checkpointer
    let (isBlocked, open) = (Heard<Int>(), DispatchSemaphore(value: 0))
    let queue = DispatchQueue(label: "test.blocked")
    let token = realm.objects(Observed.Person.self).observe(on: queue) { _ in
      isBlocked.add(1)
      open.wait()
    }
    expectEqual(isBlocked.wait(for: 1).count, 1)
    // No version is newer: this one may stay.
    checkpointer.warnOfOldVersions(at: .now + .seconds(60))
    expectTrue(warnings.isEmpty)
    try realm.write { realm.add(Observed.person(1)) }
    let superseded = ContinuousClock.now
    expectTrue(realm.activeVersions.contains { "\($0)".contains("queue 'test.blocked'") })
    // The observations go on to the new version on a thread of their own.
    expectTrue(
      blockUntil { !realm.activeVersions.contains { "\($0)".contains("observations, queue") } })
    checkpointer.warnOfOldVersions(at: superseded + .seconds(90))
    expectEqual(warnings.count, 1)
    let warning = try #require(warnings.first)
    expectTrue(warning.hasPrefix("An old version of the file is kept, 0 MB and "))
    expectTrue(warning.contains(" s behind the newest one: queue 'test.blocked'. "))
    checkpointer.warnOfOldVersions(at: superseded + .seconds(120))
    expectEqual(warnings.count, 1)
    open.signal()
    open.signal()
    token.invalidate()
  }

  @Test func `A version that is kept for less than 30 seconds is not warned of`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1)) }
    let frozen = realm.freeze()
    try realm.write { realm.add(Observed.person(2)) }
    let checkpointer = realm.session.store.writer.checkpointer
    let superseded = ContinuousClock.now
    checkpointer.warnOfOldVersions(at: superseded + .seconds(29))
    expectTrue(warnings.isEmpty)
    checkpointer.warnOfOldVersions(at: superseded + .seconds(31))
    expectEqual(warnings.count, 1)
    expectEqual(frozen.objects(Observed.Person.self).count, 1)
  }

  @Test func `What another process writes is counted and warned of where this one only reads`()
    throws
  {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Observed.person(1)) }
    }
    let realm = try Realm(configuration: configuration)
    let frozen = realm.freeze()
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE filler(content)")
      for _ in 0..<10 { try db.execute(sql: "INSERT INTO filler VALUES (randomblob(1 << 20))") }
    }
    func version() throws -> Realm.ActiveVersion { try #require(realm.activeVersions.first) }
    try expectTrue(blockUntil { try version().walBytes >= 10 << 20 })
    expectTrue((10 << 20..<12 << 20).contains(try version().walBytes))
    expectTrue(warnings.isEmpty)
    try other.writeWithoutTransaction { db in
      for _ in 0..<60 { try db.execute(sql: "INSERT INTO filler VALUES (randomblob(1 << 20))") }
    }
    expectTrue(blockUntil { !warnings.isEmpty })
    expectEqual(warnings.count, 1)
    expectEqual(warnings.first?.hasPrefix("An old version of the file is kept, "), true)
    // The warning may come while the other one is still writing.
    try expectTrue(blockUntil { try version().walBytes >= 70 << 20 })
    expectTrue((70 << 20..<74 << 20).contains(try version().walBytes))
    // Its own changes are counted once.
    try realm.write { realm.add(Observed.person(2)) }
    expectTrue((70 << 20..<74 << 20).contains(try version().walBytes))
    expectEqual(frozen.objects(Observed.Person.self).count, 1)
    try other.close()
  }
}
