import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Copies of a file at each token: after reading again the objects that the later history names,
/// each copy must equal the current file.
@Suite struct HistoryModelTests {
  private typealias State = [String: [Int64: String]]

  /// Everything of each object, as text.
  private static func state(_ db: Database) throws -> State {
    let notes = try Row.fetchAll(db, sql: "SELECT _id, text, person FROM LedgerNote")
    let people = try Row.fetchAll(
      db,
      sql: """
        SELECT p._id, p.name, p.age, p.friend, p.value, p.value_type, p."e-mail",
          (SELECT group_concat(value) FROM (SELECT value FROM LedgerPerson_tags
            WHERE owner = p._id ORDER BY position)),
          (SELECT group_concat(value) FROM (SELECT value FROM LedgerPerson_marks
            WHERE owner = p._id ORDER BY value)),
          (SELECT group_concat(key || '=' || value) FROM (SELECT key, value FROM
            LedgerPerson_notes WHERE owner = p._id ORDER BY key)),
          (SELECT street || coalesce((SELECT city FROM LedgerPlace WHERE _id = a.place), '-')
            FROM LedgerAddress AS a WHERE a._id = p.address),
          (SELECT group_concat(street) FROM (SELECT street FROM LedgerPerson_others JOIN
            LedgerAddress AS a ON a._id = value WHERE owner = p._id ORDER BY position))
        FROM LedgerPerson AS p
        """)
    func texts(_ rows: [Row]) -> [Int64: String] {
      Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0.description) })
    }
    return ["LedgerNote": texts(notes), "LedgerPerson": texts(people)]
  }

  private static func apply(
    _ history: [HistoryTransaction], to state: inout State, _ today: State
  ) {
    for change in history.flatMap(\.changes) {
      if case .deletedAll = change.kind {
        state[change.className] = state[change.className]?.filter { row in
          today[change.className]?[row.key] != nil
        }
      } else {
        state[change.className]?[change.identity] = today[change.className]?[change.identity]
      }
    }
  }

  private struct Chain {
    var random: SplitMix64
    let folder: TestFolder
    let realm: Realm
    var number = 0

    mutating func any(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func person() -> LedgerPerson? {
      realm.objects(LedgerPerson.self).randomElement(using: &random)
    }

    mutating func change() throws {
      number += 1
      switch any(16) {
      case 0, 1: realm.add(LedgerPerson("P\(number)", age: number), update: .modified)
      case 2: realm.add(LedgerNote("N\(number)"))
      case 3:
        if let note = realm.objects(LedgerNote.self).randomElement(using: &random) {
          note.person = person()
        }
      case 4: person()?.age += 1
      case 5: person()?.tags.append("t\(number)")
      case 6: person()?.marks.insert(any(4))
      case 7: person()?.notes["k\(any(3))"] = "\(number)"
      case 8:
        let address = LedgerAddress()
        address.street = "S\(number)"
        if any(2) == 0 { address.place = LedgerPlace() }
        person()?.address = any(4) == 0 ? nil : address
      case 9: person()?.address?.street = "S\(number)"
      case 10: person()?.address?.place?.city = "C\(number)"
      case 11:
        let address = LedgerAddress()
        address.street = "S\(number)"
        person()?.others.append(address)
      case 12: person()?.others.randomElement(using: &random)?.street = "T\(number)"
      case 13: if let person = person() { realm.delete(person) }
      case 14:
        let value = person().map { AnyRealmValue.object($0) } ?? .int(number)
        person()?.value = value
        person()?.friend = person()
      default:
        if any(6) == 0 {
          realm.delete(realm.objects(LedgerNote.self))
        } else {
          realm.delete(realm.objects(LedgerNote.self).where { $0.person == nil })
        }
      }
    }

    mutating func otherProgram() throws {
      number += 1
      let statements = [
        "UPDATE LedgerPerson SET age = age + 1 WHERE _id % 2 = 0",
        "DELETE FROM LedgerPerson WHERE _id = (SELECT min(_id) FROM LedgerPerson)",
        "INSERT INTO LedgerNote (text) VALUES ('other \(number)')",
        "UPDATE LedgerAddress SET street = 'other \(number)'",
        "DELETE FROM LedgerPerson_tags",
        "INSERT OR REPLACE INTO LedgerPerson_notes SELECT _id, 'k1', '\(number)' FROM LedgerPerson",
        "DELETE FROM LedgerNote",
      ]
      try folder.execute(statements[any(statements.count)])
    }
  }

  @Test(arguments: 0..<16) func `The history after a token leads to the state of today`(
    seed: UInt64
  ) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    var chain = Chain(random: SplitMix64(seed: seed), folder: folder, realm: realm)
    var copies: [(HistoryToken, State)] = []
    for _ in 0..<14 {
      copies.append((try #require(try realm.historyToken), try realm.withDatabase(Self.state)))
      if chain.any(4) == 0 {
        try chain.otherProgram()
        realm.refresh()
      } else {
        try realm.write { for _ in 0...chain.any(5) { try chain.change() } }
      }
    }
    let today = try realm.withDatabase(Self.state)
    for (token, copy) in copies {
      var state = copy
      let history = try realm.history(after: token)
      Self.apply(history, to: &state, today)
      expectEqual(state, today, "seed \(seed), after \(token)")
      // Each change says what is true of the object before and after.
      guard !history.contains(where: { $0.kind == .otherProgram }) else { continue }
      var alive = copy.mapValues { Set($0.keys) }
      for transaction in history {
        for change in transaction.changes {
          switch change.kind {
          case .inserted:
            let isNew = alive[change.className, default: []].insert(change.identity).inserted
            expectTrue(isNew, "\(history.map(\.texts))")
          case .deleted:
            let wasThere = alive[change.className, default: []].remove(change.identity) != nil
            expectTrue(wasThere, "\(history.map(\.texts))")
          case .updated: break
          case .deletedAll: alive[change.className] = []
          }
        }
      }
    }
  }
}
