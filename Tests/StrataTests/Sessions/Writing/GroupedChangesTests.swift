import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Changes of many objects in one transaction, which the library writes in groups.
@Suite struct GroupedChangesTests {
  final class Note: Object {
    @Persisted var title = ""
    @Persisted var rank: Int?
    @Persisted var body: Data?
    @Persisted var any: AnyRealmValue
    @Persisted var next: Note?
    @Persisted(indexed: true) var tag = ""
  }

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private func realm(notes count: Int) throws -> Realm {
    let realm = try Realm(configuration: folder.configuration([Note.self]))
    try realm.write {
      for index in 0..<count { realm.add(Note(value: ["title": "\(index)", "rank": index])) }
    }
    return realm
  }

  private func rows(_ sql: String) throws -> [Row] {
    try folder.sql { try Row.fetchAll($0, sql: sql) }
  }

  @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 200])
  func `Objects that follow each other get their own values`(count: Int) throws {
    let realm = try realm(notes: count)
    try realm.write {
      for note in realm.objects(Note.self) { note.title += "!" }
    }
    let titles = try rows("SELECT title FROM Note ORDER BY _id").map { $0[0] as String }
    expectEqual(titles, (0..<count).map { "\($0)!" })
    expectEqual(realm.objects(Note.self).map(\.title), (0..<count).map { "\($0)!" })
  }

  @Test func `Rows between those that are changed stay as they are`() throws {
    let realm = try realm(notes: 300)
    try realm.write {
      for note in realm.objects(Note.self) where note.rank! % 3 == 0 { note.rank = nil }
    }
    let ranks = try rows("SELECT rank FROM Note ORDER BY _id").map { $0[0] as Int? }
    expectEqual(ranks, (0..<300).map { $0 % 3 == 0 ? nil : $0 })
  }

  @Test func `The order of the changes doesn't matter`() throws {
    let realm = try realm(notes: 200)
    let notes = Array(realm.objects(Note.self)).shuffled()
    try realm.write {
      for note in notes { note.tag = "tag \(note.rank!)" }
    }
    let tags = try rows("SELECT tag FROM Note ORDER BY _id").map { $0[0] as String }
    expectEqual(tags, (0..<200).map { "tag \($0)" })
    expectEqual(realm.objects(Note.self).where { $0.tag == "tag 7" }.map(\.rank), [7])
  }

  @Test func `Each kind of value arrives, also one of two columns`() throws {
    let realm = try realm(notes: 100)
    let long = String(repeating: "long ", count: 10_000)
    try realm.write {
      for (index, note) in realm.objects(Note.self).enumerated() {
        note.title = index % 2 == 0 ? long : ""
        note.body = index % 3 == 0 ? nil : Data(repeating: UInt8(index), count: index)
        note.any = index % 4 == 0 ? .none : index % 4 == 1 ? .string("x\(index)") : .int(index)
        note.next = index == 0 ? nil : realm.objects(Note.self)[index - 1]
      }
    }
    for (index, note) in try Realm(configuration: folder.configuration([Note.self]))
      .objects(Note.self).enumerated()
    {
      expectEqual(note.title, (index % 2 == 0 ? long : ""))
      expectEqual(note.body, (index % 3 == 0 ? nil : Data(repeating: UInt8(index), count: index)))
      expectEqual(
        note.any, (index % 4 == 0 ? .none : index % 4 == 1 ? .string("x\(index)") : .int(index)))
      expectEqual(note.next?.rank, (index == 0 ? nil : index - 1))
    }
  }

  @Test func `Objects with different changed properties each get theirs`() throws {
    let realm = try realm(notes: 128)
    try realm.write {
      for note in realm.objects(Note.self) {
        if note.rank! % 2 == 0 { note.title = "even" } else { note.tag = "odd" }
      }
    }
    let found = try rows("SELECT title, tag FROM Note ORDER BY _id")
    for (index, row) in found.enumerated() {
      expectEqual(row[0], (index % 2 == 0 ? "even" : "\(index)"))
      expectEqual(row[1], (index % 2 == 0 ? "" : "odd"))
    }
  }

  @Test func `Two instances of one row are one row`() throws {
    let realm = try realm(notes: 40)
    let first = Array(realm.objects(Note.self))
    let second = Array(realm.objects(Note.self))
    try realm.write {
      for (index, note) in first.enumerated() { note.title = "first \(index)" }
      for note in second { note.title += ", second" }
    }
    expectEqual(first.map(\.title), (0..<40).map { "first \($0), second" })
  }

  @Test func `A change that fails leaves all rows as they were`() throws {
    let realm = try realm(notes: 64)
    #expect(throws: (any Error).self) {
      try realm.write {
        for note in realm.objects(Note.self) { note.title = "changed" }
        try realm.withDatabase { try $0.execute(sql: "INSERT INTO NoSuchTable VALUES (1)") }
      }
    }
    expectEqual(realm.objects(Note.self).map(\.title), (0..<64).map { "\($0)" })
  }
}
