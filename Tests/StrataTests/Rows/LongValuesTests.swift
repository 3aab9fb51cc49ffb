import Foundation
import GRDB
import GRDBSQLite
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Values beyond SQLite's maximum length. The connections have a smaller limit, so that tests need
/// no gigabytes.
@Suite struct LongValuesTests {
  private final class Thing: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var text: String?
    @Persisted var data = Data()
    @Persisted var anything: AnyRealmValue
    @Persisted var kind: Word?
    @Persisted var texts: List<String>
    @Persisted var datas: MutableSet<Data>
    @Persisted var map: Map<String, String>
    @Persisted var anythings: List<AnyRealmValue>
  }

  private struct Word: CustomPersistable {
    var text: String
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
  }

  private static let limit = 20_000
  private let long = String(repeating: "x", count: 20_001)
  private var bytes: Data { Data(long.utf8) }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a transaction on a connection that keeps little.
  private func write(_ body: (Realm) throws -> Void) throws {
    let realm = try Realm(configuration: folder.configuration([Thing.self]))
    try realm.write {
      try realm.withDatabase { db in
        _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(Self.limit))
      }
      try body(realm)
    }
  }

  private func message(_ place: String) -> String {
    "\(place) can't be stored: it has 20001 bytes, and SQLite stores at most 20000 in a value or "
      + "row. Keep it in a separate file, or divide it among several objects."
  }

  @Test func `A value that is too long for a property is an error that names it`() throws {
    let values: [(String, Any)] = [
      ("text", long), ("data", bytes), ("anything", long), ("anything", bytes), ("kind", long),
      ("id", long),
    ]
    for (name, value) in values {
      let error = #expect(throws: Realm.Error.self, "\(name)") {
        try write { $0.create(Thing.self, value: [name: value]) }
      }
      expectEqual(error?.code, .fail)
      expectEqual(error?.message, message("The value of 'Thing.\(name)'"))
    }
    try write { $0.create(Thing.self, value: ["id": "a", "text": "b"]) }
    for (name, value) in values where name != "id" {
      let error = #expect(throws: Realm.Error.self, "\(name)") {
        try write { $0.objects(Thing.self).first?[name] = value }
      }
      expectEqual(error?.message, message("The value of 'Thing.\(name)'"))
    }
    try folder.open([Thing.self]) { realm in
      let thing = try #require(realm.objects(Thing.self).first)
      expectTrue(
        thing.text == "b" && thing.anything == .none && realm.objects(Thing.self).count == 1)
    }
  }

  @Test func `A value that is too long for a collection is the same error`() throws {
    try write { $0.create(Thing.self, value: ["id": "a"]) }
    let changes: [(Thing) -> Void] = [
      { $0.texts.append(long) }, { $0.datas.insert(bytes) }, { $0.map["k"] = long },
      { $0.map[long] = "v" }, { $0.anythings.append(.string(long)) },
      { $0.anythings.append(.data(bytes)) }, { $0.texts = List([long]) },
    ]
    for (index, change) in changes.enumerated() {
      let error = #expect(throws: Realm.Error.self, "\(index)") {
        try write { realm in
          if let thing = realm.objects(Thing.self).first { change(thing) }
        }
      }
      expectEqual(error?.message, message("A value"), "\(index)")
    }
    try folder.open([Thing.self]) { realm in
      let thing = try #require(realm.objects(Thing.self).first)
      expectTrue(thing.texts.isEmpty && thing.datas.isEmpty && thing.map.isEmpty)
      expectTrue(thing.anythings.isEmpty)
    }
  }

  @Test func `A primary key that is too long finds nothing, and says so`() throws {
    expectError(message("A value")) {
      try write { _ = $0.object(ofType: Thing.self, forPrimaryKey: long) }
    }
  }

  @Test func `A row that is too long is an error, too`() throws {
    let most = String(repeating: "x", count: 15_000)
    expectError(
      containing: "A value, or a row with all of its values, is longer than SQLite allows",
      code: .fail
    ) {
      try write {
        $0.create(Thing.self, value: ["id": "a", "text": most, "data": Data(most.utf8)])
      }
    }
    try folder.open([Thing.self]) { expectTrue($0.objects(Thing.self).isEmpty) }
  }

  @Test func `A migration with a value that is too long fails, and leaves the file as it was`()
    throws
  {
    try write { $0.create(Thing.self, value: ["id": "a", "text": "b"]) }
    let changes: [@Sendable (Migration, DynamicObject) -> Void] = [
      { [long] in $1["text"] = long }, { [bytes] in $1["data"] = bytes },
      { [long] in $1["anything"] = long }, { [long] in $1["texts"] = [long] },
      { [long] in ($1["map"] as? Map<String, String>)?["k"] = long },
      { [long] migration, _ in migration.create("Thing", value: ["id": long]) },
      { [long] migration, _ in
        migration.create("Thing", value: ["id": "c", "anything": long] as [String: Any])
      },
    ]
    for (index, change) in changes.enumerated() {
      let error = try folder.expectUntouched([Thing.self], version: 1) { migration, _ in
        _ = sqlite3_limit(
          migration.context.new.flush().sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(Self.limit))
        migration.enumerateObjects(ofType: "Thing") { _, new in change(migration, new!) }
      }
      let message = error?.message ?? ""
      expectTrue(
        message.contains("SQLite stores at most 20000")
          || message.contains("is longer than SQLite allows"), "\(index): \(message)")
    }
  }
}

extension List {
  fileprivate convenience init(_ elements: [Element]) {
    self.init()
    append(objectsIn: elements)
  }
}
