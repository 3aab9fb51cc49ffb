import GRDB
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// The pauses of a program that writes beside others: see `WritePauses`.
struct PausesTests {
  final class Note: Object {
    @Persisted var length = 0
  }

  @Test func `Commits of others make pauses, and those of the program itself make none`() throws {
    let folder = try TestFolder()
    try folder.open([Note.self]) { realm in
      let others = realm.session.store.writer.others
      func knowsOthers() -> Bool { others.pauses.withLock { $0.lastCommitOfOthers != nil } }
      for _ in 0..<10 { try realm.write { realm.create(Note.self) } }
      try realm.withDatabase { db in _ = try db.tableExists("Note") }
      try realm.write { realm.create(Note.self) }
      expectFalse(knowsOthers())
      try folder.execute("UPDATE Note SET length = 1")
      try realm.write { realm.create(Note.self) }
      expectTrue(knowsOthers())
    }
  }

  @Test func `A transaction that is rolled back is a part of the run that a pause ends`() throws {
    let folder = try TestFolder()
    try folder.open([Note.self]) { realm in
      try realm.write { realm.create(Note.self) }
      try folder.execute("UPDATE Note SET length = 1")
      try realm.write { realm.create(Note.self) }
      let others = realm.session.store.writer.others
      let end = try #require(others.pauses.withLock { $0.lastEnd })
      realm.beginWrite()
      realm.cancelWrite()
      expectTrue(others.pauses.withLock { $0.lastEnd != end })
    }
  }
}
