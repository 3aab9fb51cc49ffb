import StrataQuery
import TestKit
import Testing

@Suite("Parsing of format strings")
struct FormatParserTests {
  private static let a = compare("a", .equal, .int(1))
  private static let b = compare("b", .equal, .int(2))
  private static let c = compare("c", .equal, .int(3))

  @Test(
    arguments: [
      ("a = 1", a), ("a == 1 AND b == 2", .and([a, b])), ("a == 1 && b == 2", .and([a, b])),
      ("a == 1 and b == 2 AND c == 3", .and([a, b, c])),
      ("a == 1 OR b == 2 || c == 3", .or([a, b, c])),
      ("a == 1 OR b == 2 AND c == 3", .or([a, .and([b, c])])),
      ("a == 1 AND b == 2 OR c == 3", .or([.and([a, b]), c])),
      ("(a == 1 OR b == 2) AND c == 3", .and([.or([a, b]), c])),
      ("a == 1 AND (b == 2 AND c == 3)", .and([a, .and([b, c])])),
      ("NOT a == 1", .not(a)), ("!a == 1", .not(a)), ("! (a == 1)", .not(a)),
      ("NOT NOT a == 1", .not(.not(a))), ("!!(a == 1)", .not(.not(a))),
      ("NOT a == 1 AND b == 2", .and([.not(a), b])),
      ("NOT (a == 1 AND b == 2)", .not(.and([a, b]))),
      ("NOT (a == 1) AND NOT (b == 2)", .and([.not(a), .not(b)])),
      ("((((a == 1))))", a), ("(a) == 1", a), ("((a) == (1))", a), ("((a)) == ((1))", a),
      ("(a == 1) AND (b) == 2", .and([a, b])), ("NOT (a) == 1", .not(a)),
      ("b == 2 AND ((a) == 1 OR c == 3)", .and([b, .or([a, c])])),
      ("TRUEPREDICATE", .constant(true)), ("falsepredicate OR a == 1", .or([.constant(false), a])),
      ("NOT TRUEPREDICATE", .not(.constant(true))), ("(TRUEPREDICATE)", .constant(true)),
      ("\n\ta\u{A0}==\r\n1\u{2003}", a), ("a==1&&b==2", .and([a, b])),
      ("(a==1)AND(b==2)", .and([a, b])),
    ] as [(String, QueryPredicate)])
  func `AND binds tighter than OR, and NOT tighter than both`(
    _ format: String, _ tree: QueryPredicate
  ) throws {
    try expectEqual(QueryFormat.parse(format), tree)
  }

  @Test(
    arguments: [
      ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
      ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual),
      ("=>", .greaterOrEqual), ("IN", .in), ("In", .in), ("BETWEEN", .between),
      ("CONTAINS", .contains), ("contains", .contains), ("BEGINSWITH", .beginsWith),
      ("beginsWith", .beginsWith), ("ENDSWITH", .endsWith), ("LIKE", .like), ("TEXT", .text),
    ] as [(String, QueryOperator)])
  func `Each operator has its spellings`(_ spelling: String, _ operator: QueryOperator) throws {
    try expectEqual(
      QueryFormat.parse("a \(spelling) {1, 2}"),
      compare(path("a"), `operator`, .list([.int(1), .int(2)])))
    try expectEqual(
      QueryFormat.parse("a \(spelling)[cd] 'x'"),
      compare(
        "a", `operator`, .string("x"), [.caseInsensitive, .diacriticInsensitive]))
  }

  @Test(
    arguments: [
      ("[c]", .caseInsensitive), ("[d]", .diacriticInsensitive), (" [C] ", .caseInsensitive),
      ("[dc]", [.caseInsensitive, .diacriticInsensitive]), ("[cc]", .caseInsensitive),
      ("[ c ]", .caseInsensitive),
    ] as [(String, QueryOptions)])
  func `Options are letters in brackets`(_ text: String, _ options: QueryOptions) throws {
    try expectEqual(
      QueryFormat.parse("a CONTAINS\(text)'x'"), compare("a", .contains, .string("x"), options))
  }

  @Test(
    arguments: [
      ("ANY", .any), ("SOME", .any), ("any", .any), ("NONE", .no), ("ALL", .all), ("All", .all),
    ] as [(String, QueryQuantifier)])
  func `A quantifier is before the path`(_ word: String, _ quantifier: QueryQuantifier) throws {
    try expectEqual(
      QueryFormat.parse("\(word) dogs.age > 3"),
      compare("dogs.age", .greater, .int(3), [], quantifier))
    try expectEqual(
      QueryFormat.parse("NOT \(word) (dogs.age) > 3"),
      .not(compare("dogs.age", .greater, .int(3), [], quantifier)))
  }

  // MARK: - Literals

  @Test(
    arguments: [
      ("12", .int(12)), ("-3", .int(-3)), ("0", .int(0)), ("007", .int(7)), ("-0", .int(0)),
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .decimal("9223372036854775808")),
      ("-9223372036854775809", .decimal("-9223372036854775809")),
      ("0000018446744073709551616", .decimal("18446744073709551616")),
      ("0x1F", .int(31)), ("0XfF", .int(255)), ("-0x10", .int(-16)),
      ("0xFFFFFFFFFFFFFFFF", .decimal("18446744073709551615")),
      ("1.5", .double(1.5)), ("-1.5", .double(-1.5)), (".5", .double(0.5)), ("-.5", .double(-0.5)),
      ("2e9", .double(2e9)), ("2E+9", .double(2e9)), ("1.5e-3", .double(1.5e-3)),
      ("1e999", .double(.infinity)), ("5e-324", .double(.leastNonzeroMagnitude)),
      ("TRUE", .bool(true)), ("yes", .bool(true)), ("False", .bool(false)), ("NO", .bool(false)),
      ("NULL", .null), ("nil", .null), ("'a'", .string("a")), ("\"a\"", .string("a")),
      ("''", .string("")), ("'\"'", .string("\"")), ("\"'\"", .string("'")),
      (#"'\\ \' \" \n\t\r'"#, .string("\\ ' \" \n\t\r")),
      (#"'\u00e9\u0000'"#, .string("\u{E9}\u{0}")),
      (#"'\uD83D\uDC36'"#, .string("🐶")), ("'é🐶\n'", .string("é🐶\n")),
      ("'%@ %d %K'", .string("%@ %d %K")), ("'100%'", .string("100%")),
      ("'\u{301}'", .string("\u{301}")),
    ] as [(String, QueryValue)])
  func `Literals are values`(_ literal: String, _ value: QueryValue) throws {
    try expectEqual(QueryFormat.parse("a == \(literal)"), compare("a", .equal, value))
    try expectEqual(
      QueryFormat.parse("a IN {\(literal),\(literal)}"),
      compare(path("a"), .in, .list([value, value])))
    try expectEqual(
      QueryFormat.parse("(\(literal)) < a"), compare(.value(value), .less, path("a")))
  }

  @Test func `A list may be empty`() throws {
    try expectEqual(QueryFormat.parse("a IN {}"), compare(path("a"), .in, .list([])))
    try expectEqual(QueryFormat.parse("a IN { }"), compare(path("a"), .in, .list([])))
  }

  // MARK: - Paths

  @Test(
    arguments: [
      ("dog.owner.name", queryPath("dog.owner.name")), ("_a1", queryPath("_a1")),
      ("straße.名前.🐶", queryPath("straße.名前.🐶")), ("#order", queryPath("order")),
      ("#and.#not", queryPath("and.not")), ("dog.and.or.in", queryPath("dog.and.or.in")),
      ("text", queryPath("text")), ("first.last.limit", queryPath("first.last.limit")),
      ("contains", queryPath("contains")), ("#true", queryPath("true")),
      ("SELF", QueryPath([])), ("self", QueryPath([])), ("SELF.name", queryPath("name")),
      ("tags.SELF", queryPath("tags")), ("dogs.@count", queryPath("dogs.@count")),
      ("@count", queryPath("@count")), ("SELF.@sum", queryPath("@sum")),
      ("dogs.@avg.age", queryPath("dogs.@avg.age")), ("a.@min", queryPath("a.@min")),
      ("a.@max", queryPath("a.@max")), ("map.@allKeys", queryPath("map.@allKeys")),
      ("map.@allValues.name", queryPath("map.@allValues.name")),
      ("map['key']", QueryPath([.property("map"), .key("key")])),
      (
        "dog.map[ \"a.b\" ].x",
        QueryPath([.property("dog"), .property("map"), .key("a.b"), .property("x")])
      ),
      ("SELF['k']", QueryPath([.key("k")])), ("map['']", QueryPath([.property("map"), .key("")])),
      ("dog . name", queryPath("dog.name")),
    ] as [(String, QueryPath)])
  func `A path has parts`(_ text: String, _ expected: QueryPath) throws {
    try expectEqual(
      QueryFormat.parse("\(text) != nil"), compare(.path(expected), .notEqual, .value(.null)))
    try expectEqual(
      QueryFormat.parse("x CONTAINS \(text)"), compare(path("x"), .contains, .path(expected)))
  }

  @Test func `Two paths are compared`() throws {
    try expectEqual(QueryFormat.parse("a.b < c"), compare(path("a.b"), .less, path("c")))
  }

  @Test func `A subquery counts elements`() throws {
    let inner = compare(path("age", variable: "d"), .greater, path("limit"))
    try expectEqual(
      QueryFormat.parse("SUBQUERY(dogs, $d, $d.age > limit).@count >= 2"),
      compare(
        .subquery(QuerySubquery(queryPath("dogs"), "d", inner)), .greaterOrEqual, .value(.int(2)))
    )
  }

  @Test func `Subqueries nest, also over what their variable leads to`() throws {
    let nested = compare(
      .subquery(
        QuerySubquery(
          queryPath("parents", variable: "d"), "p",
          .or([
            compare(path("", variable: "p"), .equal, path("", variable: "d")),
            compare(path("", variable: "p"), .equal, path("")),
          ]))), .equal, .value(.int(0)))
    try expectEqual(
      QueryFormat.parse(
        "0 < subquery ( kennel.dogs , $d , SUBQUERY($d.parents, $p, $p == $d OR $p = SELF).@count == 0 ) .@count"
      ),
      compare(
        .value(.int(0)), .less,
        .subquery(QuerySubquery(queryPath("kennel.dogs"), "d", nested))))
  }
}
