import TestKit
import Testing

@testable import StrataQuery

/// Texts that are parsed once, and get other arguments.
@Suite struct FormatTemplateTests {
  /// The condition of a text as the parser alone makes it.
  private func parsed(_ text: String, _ arguments: [QueryOperand]) throws -> QueryPredicate {
    var parser = try FormatParser(text, arguments)
    return try parser.parse()
  }

  private static let values: [QueryOperand] = [
    .value(.int(3)), .value(.string("0")), .value(.null), .value(.bool(true)),
    .value(.double(1.5)), .value(.objectId("1")), .value(.data([1])), .value(.decimal("1.0")),
  ]

  @Test(
    arguments: [
      ("a == %@", 1), ("%@ == a", 1), ("a == %@ AND b > %@", 2), ("a > 5 AND b == %@ AND c < 7", 1),
      ("NOT (a == %@ OR NOT b != %@) AND c == 'x'", 2), ("a == %@ OR b.c <= %@ OR d == %@", 3),
      ("ANY a.b == %@ AND a.@count > %@", 2), ("a BEGINSWITH[cd] %@", 1), ("%@ == %@", 2),
      ("a == %@ AND TRUEPREDICATE", 1), ("((a == (%@)))", 1), ("a IN %@", 1), ("a BETWEEN %@", 1),
      ("'%@' == %@", 1),
    ])
  func `A template gives what the parser gives`(_ text: String, _ count: Int) throws {
    let template = try #require(FormatTemplate(text, places: count))
    for first in Self.values.indices {
      let arguments = (0..<count).map { Self.values[(first + $0) % Self.values.count] }
      let expected = try parsed(text, arguments)
      expectEqual(template.filled(with: arguments), expected)
      try expectEqual(QueryFormat.parse(text, arguments), expected)
    }
  }

  @Test(
    arguments: [
      ("%K == %@", 2), ("a == %d", 1), ("a == %s", 1), ("a[%@] == 1", 1), ("a IN {1, %@}", 1),
      ("SUBQUERY(a, $x, $x.b == %@).@count == 0", 1), ("a == %@", 2), ("a == %@", 0),
      ("a = = %@", 1),
    ])
  func `Other texts have no template`(_ text: String, _ count: Int) {
    expectNil(FormatTemplate(text, places: count))
  }

  @Test func `Lists, and other numbers of arguments, are left to the parser`() throws {
    let text = "aa IN %@"
    let template = try #require(FormatTemplate(text, places: 1))
    let list = QueryOperand.list([.int(1), .int(2)])
    expectNil(template.filled(with: [list]))
    expectNil(template.filled(with: []))
    expectNil(template.filled(with: [.value(.int(1)), .value(.int(2))]))
    for argument in [QueryOperand.value(.int(1)), list, .value(.int(2))] {
      try expectEqual(QueryFormat.parse(text, [argument]), parsed(text, [argument]))
    }
    for _ in 0..<2 {
      let problem = mistake(in: text, [.value(.int(1)), .value(.int(2))])
      expectEqual(problem?.message.contains("argument"), true)
      expectEqual(mistake(in: text)?.message.contains("0 arguments"), true)
    }
  }

  @Test func `A text with a mistake says so each time`() {
    let first = mistake(in: "a == %@ AND", [.value(.int(1))])
    expectTrue(first != nil)
    expectEqual(mistake(in: "a == %@ AND", [.value(.string("x"))])?.message, first?.message)
  }

  @Test func `A limited number of texts is remembered, and no long ones`() {
    var templates = FormatTemplates()
    for number in 0..<1_000 {
      expectTrue(templates.template(of: "a\(number) == %@", places: 1) != nil)
      expectTrue(templates.template(of: "a\(number) == %@", places: 1) != nil)
    }
    expectTrue(templates.count <= FormatTemplates.maxCount)
    let count = templates.count
    let long = String(repeating: "a", count: 2_000) + " == %@"
    expectNil(templates.template(of: long, places: 1))
    expectEqual(templates.count, count)
  }
}
