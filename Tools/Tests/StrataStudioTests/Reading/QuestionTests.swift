import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Queries, their results, and SQLite's plans for them.
@Suite struct QuestionTests {
  final class City: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var size: Int?
    @Persisted var height = 0.0
  }

  private let folder: TestFolder
  private let reader: FileReader
  private static let count = 230

  init() throws {
    folder = try TestFolder()
    try folder.open([City.self]) { realm in
      try realm.write {
        for index in 0..<Self.count {
          realm.create(
            City.self,
            value: [
              "name": "City \(index % 7)", "size": index % 5 == 0 ? nil : index % 11,
              "height": Double(index) / 4,
            ] as [String: Any?])
        }
      }
    }
    try folder.execute("DELETE FROM City WHERE _id % 10 = 3")
    reader = Zoo.reader(folder)
  }

  private func pages(
    _ question: Question, limit: Int, backward: Bool
  ) async throws -> [Int64] {
    var identities: [Int64] = []
    var place = PagePart.start
    if backward {
      let last = try await reader.read { db, schema in
        try PageReader(question, schema, db).lastPage(limit: 1)
      }
      identities = last.identities
      place = .before(try #require(last.first.text))
    }
    while true {
      let current = place
      let answer = try await reader.read { db, schema in
        try PageReader(question, schema, db).json(current, limit: limit)
      }
      guard !answer.isEmpty else { return identities }
      if backward {
        identities = answer.identities + identities
        place = .before(try #require(answer.first.text))
      } else {
        expectEqual(answer.position, identities.count)
        identities += answer.identities
        place = .after(try #require(answer.last.text))
      }
    }
  }

  @Test(
    arguments: [
      [], [.init("name", ascending: true)], [.init("size", ascending: true)],
      [.init("size", ascending: false)],
      [.init("size", ascending: true), .init("height", ascending: false)],
      [.init("name", ascending: false), .init("size", ascending: true)],
    ] as [[Question.SortKey]])
  func `Pages have each object once, in the order of results`(
    sort: [Question.SortKey]
  ) async throws {
    for condition in ["", "size > 3 OR size == nil", "name BEGINSWITH 'City 2'"] {
      let question = Question("City", where: condition, sort: sort)
      let expected = try await withoutReader { realm in
        var results = realm.objects(City.self)
        if !condition.isEmpty { results = results.filter(condition) }
        results = results.sorted(
          by: sort.map { SortDescriptor(keyPath: $0.path, ascending: $0.ascending) })
        return results.map(\.height)
      }
      let heights = try await heights(pages(question, limit: 7, backward: false))
      expectEqual(heights, expected)
      let backward = try await self.heights(pages(question, limit: 7, backward: true))
      expectEqual(backward, expected)
    }
  }

  /// The file as a program with the class has it: a path is open with one set of classes.
  private func withoutReader<Result: Sendable>(
    _ body: (Realm) throws -> Result
  ) async throws -> Result {
    await reader.close()
    return try folder.open([City.self]) { try body($0) }
  }

  private func heights(_ identities: [Int64]) async throws -> [Double] {
    try await reader.read { db, _ in
      try identities.map { identity in
        try Double.fetchOne(
          db, sql: "SELECT height FROM City WHERE _id = ?", arguments: [identity]) ?? -1
      }
    }
  }

  @Test func `A place belongs to its question`() async throws {
    let first = Question("City", sort: [.init("size", ascending: true)])
    let key = try await reader.read { db, schema in
      try PageReader(first, schema, db).json(.start, limit: 5).last.text ?? ""
    }
    let other = Question("City", sort: [.init("size", ascending: false)])
    for (question, text) in [(other, key), (first, "nonsense"), (first, "")] {
      await #expect(throws: RequestFailure.otherKey) {
        _ = try await reader.read { db, schema in
          try PageReader(question, schema, db).json(.after(text), limit: 5)
        }
      }
    }
  }

  @Test(
    arguments: [
      [], [.init("size", ascending: true)], [.init("height", ascending: false)],
      [.init("name", ascending: true), .init("size", ascending: false)],
    ] as [[Question.SortKey]])
  func `What is visible is read again from its first row`(sort: [Question.SortKey]) async throws {
    let question = Question("City", where: "height < 90", sort: sort)
    let all = try await pages(question, limit: 100, backward: false)
    let visible = try await page(question, .start, limit: 60)
    let first = try await page(question, .after(try #require(visible.last.text)), limit: 20)
    let key = try #require(first.first.text)
    let again = try await page(question, .from(key), limit: 20)
    expectEqual(again.identities, Array(all[60..<80]))
    expectEqual(again.rows, first.rows)
    try await expectEqual(reader.position(of: key, question), 60)
    // Two before it are deleted, and itself.
    try folder.execute("DELETE FROM City WHERE _id IN (\(all[3]), \(all[10]), \(all[60]))")
    let later = try await page(question, .from(key), limit: 20)
    expectEqual(later.identities, Array(all[61..<81]))
    try await expectEqual(reader.position(of: key, question), 58)
  }

  private func page(_ question: Question, _ part: PagePart, limit: Int) async throws -> PageAnswer {
    try await reader.read { db, schema in
      try PageReader(question, schema, db).json(part, limit: limit)
    }
  }

  @Test func `A position is found among identities with gaps`() async throws {
    let question = Question("City")
    let all = try await pages(question, limit: 100, backward: false)
    for position in [0, 1, 50, 150, all.count - 1, all.count + 10] {
      let found = try await reader.read { db, schema in
        let reader = try PageReader(question, schema, db)
        let found = try #require(try reader.identity(at: position))
        return try reader.json(from: found.first, position: found.position, limit: 3)
      }
      // About the place; what is there says where it is.
      let place = try #require(found.position)
      expectTrue(abs(place - min(position, all.count - 1)) < 25)
      expectEqual(found.identities.first.map { all.firstIndex(of: $0) } ?? nil, found.position)
    }
  }

  @Test func `A list of identities is made once, and gives positions`() async throws {
    let question = Question("City", sort: [.init("height", ascending: false)])
    let lists = IdentityLists(reader)
    await expectNil(lists.ready(question, version: 1))
    let state = try await lists.state(question, version: 1, waiting: .seconds(120))
    guard case .ready(let list) = state else {
      Issue.record("It isn't there after two minutes.")
      return
    }
    try await expectEqual(pages(question, limit: 100, backward: false), list)
    await expectEqual(lists.ready(question, version: 1), list)
    await expectNil(lists.ready(question, version: 2))
    let answer = try await reader.read { db, schema in
      try PageReader(question, schema, db).json(Array(list[100..<105]), position: 100)
    }
    expectEqual(answer.identities, Array(list[100..<105]))
    let place = PagePart.after(try #require(answer.last.text))
    let next = try await reader.read { db, schema in
      try PageReader(question, schema, db).json(place, in: list, limit: 5)
    }
    expectEqual(next?.identities, Array(list[105..<110]))
  }

  @Test func `A mistake in a condition has its column`() async throws {
    for (condition, column) in [
      ("size >", 7), ("size > 1 AND nme == 'a'", 14), ("siz > 1", 1), ("name MATCHES 'x'", 6),
      ("height > 1 AND size == 'x'", 24), ("name == 'x' OR size == 'x'", 24),
      ("'x' == size", 1), ("size IN {1, 'x'}", 13), ("size > 3 AND size < true", 21),
      ("size > 1 AND height == nil", 14),
    ] {
      do {
        _ = try await reader.read { db, schema in
          try Question("City", where: condition).compiled(schema).count(db)
        }
        Issue.record("'\(condition)' was asked.")
      } catch let failure as RequestFailure {
        expectEqual(failure.code, "condition")
        expectEqual(failure.details, [.init("column", .int(column))], "\(condition)")
      }
    }
  }

  @Test(arguments: [
    ("", "reads all objects"), ("name == 'City 1'", "uses the index City.name"),
    ("size == 1", "reads all objects"),
  ])
  func `A question says what SQLite does`(condition: String, summary: String) async throws {
    let explanation = try await reader.read { db, schema in
      try Explanation(Question("City", where: condition), schema, db)
    }
    expectFalse(explanation.isSlow)
    expectTrue(explanation.sql.hasPrefix("SELECT"))
    expectEqual(explanation.summary, summary)
  }

  @Test func `An order without an index sorts`() {
    expectEqual(
      Explanation.summary(["SCAN t", "USE TEMP B-TREE FOR ORDER BY"]),
      "reads all objects and sorts them")
    expectEqual(
      Explanation.summary(["SEARCH t USING INDEX Person.city (city=?)"]),
      "uses the index Person.city")
    expectEqual(
      Explanation.summary(["SEARCH t USING INTEGER PRIMARY KEY (rowid>?)"]), "goes by identity")
  }

  @Test func `A property is summed up`() async throws {
    let (size, name) = try await reader.read { db, schema in
      let reader = ColumnReader(schema: schema, db: db)
      let question = Question("City", where: "height < 50")
      return (
        try reader.json(schema.property("size", of: "City"), of: question),
        try reader.json(schema.property("name", of: "City"), of: question)
      )
    }
    let sizes = try await withoutReader { realm in
      realm.objects(City.self).filter("height < 50").map(\.size)
    }
    expectEqual(size["count"], .int(sizes.count))
    expectEqual(size["nil"], .int(sizes.count { $0 == nil }))
    expectEqual(size["distinct"], .int(Set(sizes.compactMap(\.self)).count))
    expectEqual(size["min"], 0)
    expectEqual(size["max"], 10)
    let bars = size["histogram"]?.array ?? []
    expectTrue(
      bars.compactMap { $0["count"]?.integer }.reduce(0, +) == sizes.compactMap(\.self).count)
    expectEqual(size["frequent"]?.array?.count, 10)
    expectEqual(name["histogram"], .null)
    expectEqual(name["distinct"], 7)
  }

  // MARK: Limits

  @Test func `A question that takes too long ends`() async throws {
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    for (limit, text) in [(Duration.milliseconds(100), "0.1"), (.seconds(1), "1")] {
      let failure = await #expect(throws: RequestFailure.self) {
        _ = try await reader.read(atMost: limit) { db, _ in try Int.fetchOne(db, sql: endless) }
      }
      expectEqual(failure?.code, "slow")
      expectEqual(
        failure?.message,
        "The question took longer than \(text) seconds. Narrow it, or declare an index for it.")
    }
    // The connection is as good as before.
    try await expectTrue(reader.count(Question("City"), all: true).count > 0)
  }

  @Test func `A question ends with the task that asked`() async throws {
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    let (reader, began) = (reader, Flag())
    let task = Task {
      try await reader.read(atMost: .seconds(60)) { db, _ -> Int? in
        began.set()
        return try Int.fetchOne(db, sql: endless)
      }
    }
    await expectTrue(eventually { began.isSet })
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}

extension PageAnswer {
  var identities: [Int64] { rows.array?.compactMap { $0["id"]?.integer } ?? [] }
}
