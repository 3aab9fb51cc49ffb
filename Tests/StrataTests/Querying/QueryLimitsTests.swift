import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// SQLite's limits: a query beyond them is refused when it is made, and every smaller one is
/// answered.
@Suite struct QueryLimitsTests {
  typealias Whole = Queried.Whole

  private let folder: TestFolder
  private let realm: Realm

  /// Objects in a row, each linked to the one before it; the first has a part.
  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Queried.types))
    try realm.write {
      var last: Whole?
      for id in 0..<40 {
        let whole = realm.create(Whole.self, value: ["id": id, "int": id])
        whole.next = last
        if id == 0 { whole.part = realm.create(Queried.Part.self, value: ["name": "x"]) }
        last = whole
      }
    }
  }

  private func found(_ format: String) throws -> [Int] {
    try realm.objects(Whole.self).filter(validating: format).map(\.id)
  }

  private func path(_ name: String, _ count: Int, _ last: String) -> String {
    (Array(repeating: name, count: count) + [last]).joined(separator: ".")
  }

  @Test func `A path has up to 30 names`() throws {
    try expectEqual(found("\(path("next", 29, "int")) == 1"), [30])
    try expectEqual(found("ANY \(path("previous", 29, "int")) == 39"), [10])
    try expectEqual(
      found("ANY \(path("previous", 29, "int")) > \(path("next", 29, "maybeInt"))"), [])
    try expectEqual(
      found("ANY \(path("previous", 29, "int")) > \(path("previous", 29, "id"))"), [])
    try expectEqual(
      found(
        "SUBQUERY(\(path("previous", 28, "previous")), $w, \(path("$w.next", 1, "next")).int == 37).@count > 0"
      ), [10])
    for path in [path("next", 30, "int"), path("previous", 40, "int"), path("next", 5000, "id")] {
      let error = #expect(throws: Realm.Error.self) { try found("ANY \(path) == 1") }
      let names = path.split(separator: ".")
      expectEqual(
        error?.message,
        "Invalid keypath '\(names.prefix(3).joined(separator: "."))…': it has \(names.count) "
          + "names, and 30 is the most. Find the objects in the middle first, and ask for those with "
          + "'IN %@'.")
    }
  }

  @Test func `A condition may have more links than SQLite joins tables`() throws {
    let parts = (0..<29).map { "\(path("next", $0, "part")).name == 'x'" }
    try expectEqual(found(parts.joined(separator: " OR ")), Array(0..<29))
    let texts = (0..<29).reversed().map { "\(path("next", $0, "part")).name != nil" }
    try expectEqual(found("NOT (\(texts.joined(separator: " OR ")))"), Array(29..<40))
    let sorted = realm.objects(Whole.self).filter(texts.joined(separator: " OR "))
      .sorted(by: (1..<29).map { SortDescriptor(keyPath: path("next", $0, "part.name")) })
    expectEqual(sorted.map(\.id).sorted(), Array(0..<29))
  }

  @Test(
    arguments: [
      "next.next.int == 1", "next.next.next.int == 1", "ANY parts.name == 'x'",
      "NONE parts.name IN {NULL, 'x'}", "ALL parts.name CONTAINS[cd] 'x'",
      "ANY previous.previous.part.name == 'x'", "#any == 1", "#any IN {1, 1.5, 'x', NULL}",
      "#any != maybeDecimal", "decimals.@sum > 3", "intMap['a'] == 1", "decimal BETWEEN {1, 2}",
      "strings.@count == 2", "SUBQUERY(parts, $p, $p.name == 'x').@count > 1",
      "part.maybeDecimal IN {1, NULL}", "next.next.#any IN {1, 'x'}",
      "maybeString LIKE[c] string", "next.next.part == nil",
    ])
  func `Each kind of comparison is answered as deep as it is accepted`(_ leaf: String) throws {
    let wholes = realm.objects(Whole.self)
    var accepted = 0
    for count in 14...33 {
      let deep =
        String(repeating: "(int == 0 AND (int == 2 OR ", count: count) + "(\(leaf))"
        + String(repeating: "))", count: count)
      for format in [deep, "NOT (\(deep))"] {
        let found: Results<Whole>
        do {
          found = try wholes.filter(validating: format)
        } catch {
          expectTrue(error.message.hasPrefix("The condition is nested deeper than 64 levels."))
          continue
        }
        accepted += 1
        let evaluator = NSPredicate(format: format)
        expectEqual(found.map(\.id), wholes.map { $0 }.filter(evaluator.evaluate).map(\.id))
      }
    }
    // Each is accepted to some depth, and none to all of them.
    expectTrue((2..<40).contains(accepted))
  }

  @Test func `Limits and distinct values follow each other up to a number`() throws {
    let message =
      "The query has too many limits and distinct values that follow each other: SQLite has room "
      + "for eight limits, or for four times distinct values, and less with deep conditions. Read "
      + "the results so far into an array, and go on with 'filter(\"SELF IN %@\", array)'."
    var limited = realm.objects(Whole.self)
    var distinct = limited
    for number in 0..<8 {
      limited = limited.sorted(byKeyPath: "next.int", ascending: number % 2 == 0).limit(30 - number)
    }
    for _ in 0..<4 {
      distinct = distinct.sorted(byKeyPath: "int").distinct(by: ["next.int"]).filter("id > 1")
    }
    expectTrue(limited.count == 23 && limited.last != nil)
    expectTrue(distinct.count == 38 && distinct.last?.id == 39)
    expectEqual(limited.filter("id >= 0").count, 23)
    for wrong in [
      { limited.limit(5).filter("id > 1") }, { distinct.distinct(by: ["id"]) },
      { limited.sorted(byKeyPath: "id").limit(5).limit(3) },
    ] {
      expectIssue(message) { expectTrue(wrong().isEmpty) }
      expectError(message) { try realm.write { realm.delete(wrong()) } }
    }
    expectEqual(realm.objects(Whole.self).count, 40)
  }

  @Test func `A list has any number of texts, with U+0000 in some or all of them`() throws {
    try realm.write {
      for name in ["a\0b", "a", "a\0c", "b", ""] {
        realm.create(Queried.Part.self, value: ["name": name])
      }
    }
    func found(_ texts: [String], _ format: String = "name IN %@") -> [String] {
      realm.objects(Queried.Part.self).filter(format, texts).compactMap(\.name).sorted()
    }
    let many = (0..<100_000).map { "\($0)\0" }
    expectEqual(found(many + ["a\0b", "b"]), ["a\0b", "b"])
    expectEqual(found((0..<50).map { "\($0)" } + ["a\0c", "", "a"]), ["", "a", "a\0c"])
    expectEqual(found(many + ["A\0B"], "name IN[c] %@"), ["a\0b"])
    expectEqual(found((0..<50).map { "\($0)" } + ["x\0"]), [])
  }
}
