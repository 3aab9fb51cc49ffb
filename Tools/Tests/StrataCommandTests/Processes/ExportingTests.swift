import Dispatch
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process that exports a file to which others write.
@Suite struct ExportingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.execute(
      """
      PRAGMA journal_mode = WAL;
      DELETE FROM Person; DELETE FROM Pet;
      INSERT INTO Person (fullName, age) SELECT 'Person number ' || i, i % 90 FROM
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n);
      INSERT INTO Pet (name, kind) SELECT fullName, 'dog' FROM Person
      """, in: "people.sqlite")
  }

  private func objects(_ name: String) throws -> Int {
    try String(contentsOf: folder.url(name), encoding: .utf8).split(separator: "\n").count
  }

  @Test func `All of a file is one state of it, while others write`() throws {
    let writer = Writer(folder.url("people.sqlite").path)
    Thread.detachNewThread { writer.write() }
    defer {
      writer.isOver.store(true, ordering: .relaxed)
      writer.hasEnded.wait()
    }
    writer.hasBegun.wait()
    for round in 0..<3 {
      let outcome = try Tool.run(
        ["export", "people.sqlite", "--format", "ndjson", "-o", "all\(round)"], in: folder)
      expectEqual(outcome.status, 0, "\(outcome.errors)")
      let people = try objects("all\(round)/Person.ndjson")
      expectTrue(people > 20_000)
      try expectEqual(objects("all\(round)/Pet.ndjson"), people)
    }
  }
}

/// Another program, which writes to two classes in each transaction.
private final class Writer: Sendable {
  let isOver = Atomic(false)
  let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let path: String

  init(_ path: String) { self.path = path }

  func write() {
    defer { hasEnded.signal() }
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      while !isOver.load(ordering: .relaxed) {
        try queue.write { db in
          try db.execute(
            sql: """
              INSERT INTO Person (fullName, age) VALUES ('New', 1);
              INSERT INTO Pet (name, kind) VALUES ('New', 'dog')
              """)
        }
        hasBegun.signal()
      }
      try queue.close()
    } catch {
      Issue.record(error)
      hasBegun.signal()
    }
  }
}
