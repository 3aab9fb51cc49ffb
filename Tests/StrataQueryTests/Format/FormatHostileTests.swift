import StrataQuery
import TestKit
import Testing

/// Arbitrary texts: each gives a tree or a problem.
@Suite("Hostile format strings")
struct FormatHostileTests {
  @Test(
    arguments: [
      ("(", ")"), ("NOT ", ""), ("!", ""), ("NOT (", ")"), ("(a == 1 AND ", ")"),
      ("(a == 1 OR (b == 2 AND ", "))"),
    ])
  func `Nesting is refused beyond a depth`(_ before: String, _ after: String) throws {
    func nested(_ count: Int) -> String {
      String(repeating: before, count: count) + "c == 3" + String(repeating: after, count: count)
    }
    let levels = before.split(separator: "NOT", omittingEmptySubsequences: false).count - 1
    let each = max(1, levels + before.count { $0 == "(" || $0 == "!" })
    #expect(throws: Never.self) { try QueryFormat.parse(nested(QueryDepth.maxDepth / each)) }
    for count in [QueryDepth.maxDepth / each + 1, 10_000] {
      let problem = try #require(mistake(in: nested(count)))
      expectTrue(
        problem.message.hasSuffix(
          "). Write chains with AND or OR without parentheses."))
      expectTrue(problem.message.contains("The condition nests deeper than 200 levels (column "))
    }
  }

  @Test func `Parentheses around operands are refused beyond a depth`() throws {
    func nested(_ count: Int) -> String {
      let opened = String(repeating: "(", count: count)
      return "a == \(opened)1\(String(repeating: ")", count: count))"
    }
    try expectEqual(QueryFormat.parse(nested(200)), compare("a", .equal, .int(1)))
    try expectTrue(#require(mistake(in: nested(201))).message.contains("deeper than 200 levels"))
    try expectTrue(
      #require(mistake(in: "(" + nested(10_000))).message.contains("deeper than 200 levels"))
  }

  @Test func `Subqueries are refused beyond a depth`() throws {
    func nested(_ count: Int) -> String {
      (0..<count).reduce("a == 1") { inner, _ in "SUBQUERY(dogs, $d, \(inner)).@count > 0" }
    }
    #expect(throws: Never.self) { try QueryFormat.parse(nested(10)) }
    try expectTrue(#require(mistake(in: nested(11))).message.contains("deeper than 200 levels"))
    try expectTrue(#require(mistake(in: nested(10_000))).message.contains("deeper than 200 levels"))
  }

  @Test func `Levels side by side don't add up`() throws {
    let one = "(NOT (a == (1)) OR SUBQUERY(dogs, $d, NOT a == 1).@count == 0)"
    let chain = Array(repeating: one, count: 1_000).joined(separator: " AND ")
    guard case .and(let parts) = try QueryFormat.parse(chain) else {
      Issue.record("It is no chain.")
      return
    }
    expectEqual(parts.count, 1_000)
  }

  @Test(arguments: ["AND", "OR"]) func `A chain of 10,000 conditions is one node`(
    _ word: String
  ) throws {
    let chain = (0..<10_000).map { "a == \($0)" }.joined(separator: " \(word) ")
    let parts = (0..<10_000).map { compare("a", .equal, .int($0)) }
    try expectEqual(QueryFormat.parse(chain), (word == "AND" ? .and(parts) : .or(parts)))
  }

  @Test(
    arguments: [
      "a == '", "a == ", "a.", "(", "NOT ", "{", "a IN {1,", "a == \"\\", "%@", "%K.", "$x", "@",
      "é", "\u{301}", "0", "a[", "SUBQUERY(", "-", "#", "&&", "a\u{0}",
    ])
  func `Hundreds of thousands of repetitions end`(_ part: String) {
    let text = String(repeating: part, count: 300_000 / part.utf8.count)
    expectTrue(mistake(in: text) != nil)
    expectTrue(mistake(in: "a == 1 AND " + text) != nil)
  }

  @Test func `A long text, number, name and list are taken`() throws {
    let text = String(repeating: "é", count: 500_000)
    try expectEqual(QueryFormat.parse("a == '\(text)'"), compare("a", .equal, .string(text)))
    try expectEqual(QueryFormat.parse("\(text) == 1"), compare(text, .equal, .int(1)))
    let zeros = String(repeating: "0", count: 1_000_000)
    try expectEqual(QueryFormat.parse("a == \(zeros)1"), compare("a", .equal, .int(1)))
    let list = Array(repeating: "1", count: 100_000)
    try expectEqual(
      QueryFormat.parse("a IN {\(list.joined(separator: ","))}"),
      compare(path("a"), .in, .list(Array(repeating: .int(1), count: 100_000))))
    let names = Array(repeating: "a", count: 100_000).joined(separator: ".")
    try expectEqual(QueryFormat.parse("\(names) == 1"), compare(names, .equal, .int(1)))
  }

  @Test func `Random bytes give a tree or a problem`() {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    expectTrue(mistake(in: String(decoding: bytes, as: UTF8.self)) != nil)
    // In short texts, and of the signs of the language, more than the first token is reached.
    var start = 0
    while start < bytes.count {
      let end = min(start + Int.random(in: 1...40, using: &random), bytes.count)
      take(String(decoding: bytes[start..<end], as: UTF8.self))
      let signs = bytes[start..<end].map { Self.signs[Int($0) % Self.signs.count] }
      take(signs.joined())
      start = end
    }
  }

  private static let signs = [
    "a", "b.", "dogs", " ", " ", " AND ", " OR ", "NOT ", "(", ")", "{", "}", "[", "]", "'", "\"",
    "\\",
    "==", "<", "IN ", "ANY ", "NONE ", "@count", "@avg", "%@", "%K", "%d", "$x", "SUBQUERY(", ",",
    "1", "-2.5", "'x'", "NULL", "SELF", "é", "#and", "LIKE[c] ", "BETWEEN ", ".",
  ]

  /// The text of a tree must give the tree again.
  private func take(_ text: String) {
    let arguments = [QueryOperand.value(.string("a.b")), .value(.int(1))]
    let used = [text.components("%@"), text.components("%K"), text.components("%d")].reduce(0, +)
    guard
      let tree = try? QueryFormat.parse(
        text, Array(arguments.prefix(used)))
    else { return }
    let (format, values) = tree.format()
    expectEqual((try? QueryFormat.parse(format, values)), tree, "\(text)")
  }

  @Test(arguments: 0..<8) func `Mutated conditions give a tree or a problem`(seed: UInt64) {
    var predicates = RandomPredicate(seed: seed)
    var random = SplitMix64(seed: seed &+ 1_000)
    for _ in 0..<500 {
      let (text, arguments) = predicates.predicate(depth: 3).format()
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = .random(in: 0...255, using: &random)
        case 2:
          let other = Int.random(in: 0..<bytes.count, using: &random)
          bytes.insert(
            contentsOf: bytes[min(place, other)..<max(place, other)].prefix(40), at: place)
        default: bytes.removeSubrange(place..<min(place + 5, bytes.count))
        }
      }
      let mutated = String(decoding: bytes, as: UTF8.self)
      do throws(PredicateProblem) {
        let tree = try QueryFormat.parse(mutated, arguments)
        let (format, values) = tree.format()
        expectEqual((try? QueryFormat.parse(format, values)), tree, "\(mutated)")
      } catch {
        expectTrue(error.message.hasSuffix(".") || error.message.hasSuffix("'"), "\(error)")
      }
    }
  }
}

extension String {
  /// How often a part occurs.
  fileprivate func components(_ part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
