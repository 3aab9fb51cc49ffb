import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite(.needsHook) struct HistoryTokenTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func add(_ text: String, _ realm: Realm) throws -> HistoryToken {
    try realm.write { realm.add(LedgerNote(text)) }
    return try #require(try realm.historyToken)
  }

  private func expectDiverged(
    _ folder: TestFolder, _ token: HistoryToken, _ source: SourceLocation = #_sourceLocation
  ) throws {
    let realm = try Realm(configuration: folder.ledger())
    let error = #expect(throws: Realm.Error.self, sourceLocation: source) {
      try realm.history(after: token)
    }
    expectEqual(error?.code, .historyDiverged, sourceLocation: source)
    expectEqual(
      error?.message,
      "The token '\(token)' is not of the history of the file at path '\(folder.file.path)': it was "
        + "restored, copied or has lost its last transactions since. Read all objects again, and go on "
        + "from `historyToken`.", sourceLocation: source)
  }

  @Test func `A token is a text, and back`() throws {
    let token = try add("a", Realm(configuration: folder.ledger()))
    expectEqual(HistoryToken(token.description), token)
    let json = try JSONEncoder().encode([token])
    expectEqual(String(decoding: json, as: UTF8.self), "[\"\(token)\"]")
    try expectEqual(JSONDecoder().decode([HistoryToken].self, from: json), [token])
    for text in [
      "", "abc", "1", "1-", "-1-0000000000000000", "1-000000000000000g", "1-00",
      "+1-0000000000000000",
    ] {
      expectNil(HistoryToken(text))
    }
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([HistoryToken].self, from: Data(#"["abc"]"#.utf8))
    }
    expectEqual(error.map { "\($0)" }?.contains("'abc' is no token of a history."), true)
  }

  @Test func `Any number is a limit`() throws {
    let realm = try Realm(configuration: folder.ledger())
    let tokens = try (0..<1_203).map { try add("\($0)", realm) }
    try expectTrue(realm.history(limit: .max).map(\.id).suffix(tokens.count).elementsEqual(tokens))
    try expectEqual(
      realm.history(after: tokens[0], limit: .max).map(\.id), Array(tokens.dropFirst()))
    try expectEqual(
      realm.history(after: tokens[0], limit: 1_001).map(\.id), Array(tokens[1...1_001]))
    for limit in [0, -1, Int.min] { try expectTrue(realm.history(limit: limit).isEmpty) }
  }

  @Test func `A restored backup is found out, by files of all kinds`() throws {
    let backup = folder.url.appendingPathComponent("backup.sqlite")
    let configuration = folder.ledger()
    let (common, lost): (HistoryToken, HistoryToken) = try {
      let realm = try Realm(configuration: configuration)
      let common = try add("a", realm)
      try Realm.makeBackup(at: backup, for: configuration)
      return (common, try add("b", realm))
    }()
    try Realm.restoreBackup(at: backup, for: configuration)
    try expectDiverged(folder, lost)
    let realm = try Realm(configuration: configuration)
    try expectEqual(realm.history(after: common).map(\.kind), [.restored])
  }

  @Test func `A copy accepts the tokens of the common beginning`() throws {
    let other = try TestFolder()
    let (common, own): (HistoryToken, HistoryToken) = try {
      let realm = try Realm(configuration: folder.ledger())
      let common = try add("a", realm)
      try Realm.makeBackup(at: other.file, for: folder.ledger())
      return (common, try add("b", realm))
    }()
    let copy = try Realm(configuration: other.ledger())
    try expectEqual(copy.history(after: common).map(\.kind), [.restored])
    // Behind its end.
    try expectDiverged(other, own)
    // The same position, and another mark.
    _ = try add("c", copy)
    try expectDiverged(other, own)
    try expectEqual(copy.changeTexts(after: common), [["Note 2 inserted"]])
  }

  @Test func `A token before what is kept has expired`() throws {
    let realm = try Realm(configuration: folder.ledger())
    let old = try add("a", realm)
    let kept = try add("b", realm)
    _ = try add("c", realm)
    try realm.deleteHistory(before: kept)
    try expectEqual(realm.history().map(\.id).first, kept)
    let error = #expect(throws: Realm.Error.self) { try realm.history(after: old) }
    expectEqual(error?.code, .historyExpired)
    let at = try folder.sql { db in
      try String.fetchOne(db, sql: "SELECT at FROM strata_history ORDER BY position LIMIT 1") ?? ""
    }
    expectEqual(
      error?.message,
      "The history after '\(old)' is no longer kept in the file at path '\(folder.file.path)': the "
        + "oldest transaction is '\(kept)' of \(at). Read all objects again, and go on from "
        + "`historyToken`.")
    try expectEqual(realm.history(after: kept).count, 1)
    #expect(throws: Realm.Error.self) {
      try realm.write { try realm.deleteHistory(before: kept) }
    }
  }

  @Test func `The end of a history deletes it, and another one is another`() throws {
    let token = try add("a", Realm(configuration: folder.ledger()))
    do {
      let realm = try Realm(configuration: folder.ledger(.off))
      try expectNil(realm.historyToken)
      try realm.write { realm.add(LedgerNote("b")) }
    }
    try expectFalse(folder.dump().contains("history"))
    try expectDiverged(folder, token)
    let realm = try Realm(configuration: folder.ledger(nil))
    try expectEqual(realm.history().map(\.kind), [.began])
  }

  @Test func `A row that says that there were more changes than memory is an error`() throws {
    let realm = try Realm(configuration: folder.ledger())
    _ = try add("a", realm)
    let newest = try #require(try realm.historyToken)
    for runs in [
      "[[\(Int64.min),\(Int64.max)],[1,2]]", "[[1,\(Int64.max)],[1,\(Int64.max)],[1,\(Int64.max)]]",
      "[[1,60000000],[70000000,130000000]]",
    ] {
      try folder.execute(
        "UPDATE strata_history SET changes = '[[\"LedgerNote\",\"i\",\(runs)]]' WHERE position = 2")
      expectError(
        "Realm file at path '\(folder.file.path)': row 2 of table 'strata_history' says that more than "
          + "100000000 objects changed, which is more than can be read. Read all objects again, and go on "
          + "from `historyToken`.", code: .fail
      ) { try realm.history() }
    }
    try expectTrue(realm.history(after: newest).isEmpty)
  }

  @Test func `A row that can't be read is an error that says which`() throws {
    let realm = try Realm(configuration: folder.ledger())
    _ = try add("a", realm)
    try folder.execute("UPDATE strata_history SET changes = '[[' WHERE position = 2")
    expectError(containing: "row 2 of table 'strata_history' can't be read", code: .invalidDatabase)
    { try realm.history() }
  }
}
