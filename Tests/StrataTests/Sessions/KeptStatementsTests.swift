import GRDB
import GRDBSQLite
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// The prepared statements that the connections of a file keep: however many texts a program asks
/// with, they take some megabytes at most.
struct KeptStatementsTests {
  class Pupil: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var friend: Pupil?
    @Persisted(indexed: true) var number = 0
  }

  private static let maxBytes = 7 << 20

  private func withPupils(_ count: Int, _ body: (Realm) throws -> Void) throws {
    try TestFolder().open([Pupil.self]) { realm in
      try realm.write {
        for number in 0..<count { realm.add(Pupil(value: ["number": number, "age": number % 9])) }
      }
      try body(realm)
    }
  }

  /// How many statements a connection keeps, and the bytes that they take.
  private func kept(_ connection: OpaquePointer?) -> (count: Int, bytes: Int) {
    var count = 0
    var statement = sqlite3_next_stmt(connection, nil)
    while statement != nil {
      count += 1
      statement = sqlite3_next_stmt(connection, statement)
    }
    var (bytes, most): (CInt, CInt) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_STMT_USED, &bytes, &most, 0)
    return (count, Int(bytes))
  }

  /// The greatest of what the idle readers of a realm keep.
  private func keptByReaders(_ realm: Realm) -> (count: Int, bytes: Int) {
    let idle = realm.session.store.readers.pool.withLock { $0.idle }
    let all = idle.map { reader in reader.queue.unsafeReentrantRead { kept($0.sqliteConnection) } }
    return (all.map(\.count).max() ?? 0, all.map(\.bytes).max() ?? 0)
  }

  @Test func `Observing keeps no statement for each object that changes`() throws {
    try withPupils(500) { realm in
      var changes = 0
      let token = realm.objects(Pupil.self).where { $0.age < 8 }.sorted(by: \.name).observe { _ in
        changes += 1
      }
      defer { token.invalidate() }
      realm.refresh()
      for pupil in Array(realm.objects(Pupil.self)) {
        try realm.write { pupil.name = "Pupil \(pupil.number)" }
        realm.refresh()
      }
      expectTrue(changes > 300)
      expectTrue(keptByReaders(realm).count < 60)
    }
  }

  @Test func `Observing keeps few statements for different numbers of objects that change`() throws
  {
    try withPupils(60_000) { realm in
      let pupils = Array(realm.objects(Pupil.self).prefix(120))
      let token = realm.objects(Pupil.self).where { $0.friend.age < 8 }.observe { _ in }
      let other = realm.objects(Pupil.self).sorted(by: \.name).observe { _ in }
      defer { for token in [token, other] { token.invalidate() } }
      realm.refresh()
      for count in 1...120 {
        try realm.write { for pupil in pupils.prefix(count) { pupil.age += 1 } }
        realm.refresh()
      }
      expectTrue(keptByReaders(realm).count < 60)
    }
  }

  /// Asks with conditions each of which has another text.
  private func ask(_ realm: Realm) {
    let pupils = realm.objects(Pupil.self)
    for number in 0..<700 {
      let comparisons = (0..<24).map { bit in
        number >> (bit % 10) & 1 == 0 ? "number == \(bit)" : "age == \(bit)"
      }
      let found = pupils.filter(comparisons.joined(separator: " OR "))
      expectTrue(found.sum(ofProperty: "age") < 100)
    }
  }

  @Test func `Statements of many texts take some megabytes`() throws {
    try withPupils(3) { realm in
      ask(realm)
      expectTrue(keptByReaders(realm).bytes < Self.maxBytes)
    }
  }

  @Test func `Statements of many texts take some megabytes in a frozen realm`() throws {
    try withPupils(3) { realm in
      let frozen = realm.freeze()
      ask(frozen)
      let snapshot = try #require(frozen.session.view.snapshot)
      expectTrue(snapshot.read { kept($0.sqliteConnection) }.bytes < Self.maxBytes)
    }
  }

  @Test func `Statements of many texts take some megabytes in transactions`() throws {
    try withPupils(3) { realm in
      for _ in 0..<2 { try realm.write { ask(realm) } }
      try realm.write {}
      let bytes = try realm.write {
        try realm.session.store.write { db, _ in kept(db.sqliteConnection) }.bytes
      }
      expectTrue(bytes < Self.maxBytes, "\(bytes)")
    }
  }
}
