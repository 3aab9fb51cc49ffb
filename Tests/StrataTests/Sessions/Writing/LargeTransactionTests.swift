import Foundation
import GRDB
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

/// Transactions with many new objects, which are written in batches.
@Suite(.serialized) struct LargeTransactionTests {
  class Item: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var text = ""

    convenience init(_ number: Int) {
      self.init()
      self.number = number
      text = "text \(number)"
    }
  }

  /// An object whose end is noted.
  class Ending: Object {
    @Persisted var number = 0
    static let threads = Mutex<Set<String>>([])

    deinit { Self.threads.withLock { _ = $0.insert("\(Thread.current)") } }
  }

  /// A value whose conversion is noted.
  struct Noting: CustomPersistable, Equatable {
    static let threads = Mutex<Set<String>>([])
    var text: String

    init(text: String) { self.text = text }
    init(persistedValue: String) { text = persistedValue }

    var persistableValue: String {
      Self.threads.withLock { _ = $0.insert("\(Thread.current)") }
      return text
    }
  }

  class Custom: Object {
    @Persisted var value = Noting(text: "")
  }

  private static let types = [Item.self, Ending.self, Custom.self]
  /// Enough for many batches.
  private static let count = 1_200

  private func withRealm(_ body: (TestFolder, Realm) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.open(Self.types) { try body(folder, $0) }
    try expectTrue(folder.isSound())
  }

  private func add(_ count: Int, from first: Int = 0, to realm: Realm) {
    for number in first..<(first + count) { realm.add(Item(number)) }
  }

  @Test(arguments: [900, 1_190]) func `A key that is there twice takes all back`(
    _ twice: Int
  ) throws {
    try withRealm { folder, realm in
      try realm.write { realm.add(Item(twice)) }
      let error = #expect(throws: RealmError.self) {
        try realm.write { add(Self.count, to: realm) }
      }
      expectEqual(error?.message.contains("\(twice)"), true)
      expectEqual(error?.message.contains("existing primary key"), true)
      expectEqual(realm.objects(Item.self).map(\.number), [twice])
      try realm.write { add(twice, to: realm) }
      expectEqual(realm.objects(Item.self).count, twice + 1)
    }
  }

  @Test func `A transaction whose thread has ended takes its rows with it`() throws {
    try withRealm { folder, realm in
      for round in 0..<2 {
        let configuration = folder.configuration(Self.types)
        try inThread(configuration) { realm in
          realm.beginWrite()
          for number in 0..<900 { realm.add(Item(number)) }
        }
        try realm.write { realm.add(Item(round)) }
        expectEqual(realm.objects(Item.self).map(\.number), Array(0...round))
      }
    }
  }

  @Test func `Statements of the program come after what was added before, and before the rest`()
    throws
  {
    try withRealm { folder, realm in
      try realm.write {
        add(800, to: realm)
        try realm.withDatabase { db in
          let count = try Int.fetchOne(db, sql: #"SELECT count(*) FROM "Item""#)
          expectEqual(count, 800)
          add(300, from: 800, to: realm)
          try db.execute(sql: #"UPDATE "Item" SET "text" = 'set'"#)
        }
        add(100, from: 1_100, to: realm)
      }
      let set = realm.objects(Item.self).where { $0.text == "set" }.count
      expectTrue((800...1_100).contains(set))
      expectEqual(realm.objects(Item.self).count, 1_200)
    }
  }

  @Test func `Objects end on the thread that added them`() throws {
    Ending.threads.withLock { $0 = [] }
    try withRealm { _, realm in
      try realm.write { for _ in 0..<Self.count { realm.add(Ending()) } }
      realm.beginWrite()
      for _ in 0..<Self.count { realm.add(Ending()) }
      realm.cancelWrite()
    }
    expectEqual(Ending.threads.withLock { $0 }, ["\(Thread.current)"])
  }

  @Test func `Types of the program are converted on the thread that added them`() throws {
    Noting.threads.withLock { $0 = [] }
    try withRealm { _, realm in
      try realm.write {
        for number in 0..<Self.count {
          let custom = Custom()
          custom.value = Noting(text: "\(number)")
          realm.add(custom)
        }
      }
    }
    expectEqual(Noting.threads.withLock { $0 }, ["\(Thread.current)"])
  }

  @Test(.needsHook) func `Observers and histories hear of each row`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    let heard = Heard<Int>()
    let token = realm.objects(LedgerNote.self).observe(on: DispatchQueue(label: "observer")) {
      switch $0 {
      case .initial: heard.add(0)
      case .update(_, _, let insertions, _): heard.add(insertions.count)
      case .error(let error): Issue.record(error)
      }
    }
    expectEqual(heard.wait(for: 1), [0])
    try realm.write { for number in 0..<Self.count { realm.add(LedgerNote("\(number)")) } }
    expectEqual(heard.wait(for: 2), [0, Self.count])
    token.invalidate()
    try expectEqual(realm.history().flatMap { $0.changes(of: LedgerNote.self) }.count, Self.count)
  }
}
