import StrataQuery
import TestKit
import Testing

@Suite("Printing of conditions")
struct FormatPrintingTests {
  @Test(arguments: 0..<40) func `What is printed parses to the same tree`(seed: UInt64) throws {
    var random = RandomPredicate(seed: seed)
    for _ in 0..<100 {
      let predicate = random.predicate()
      let (text, arguments) = predicate.format()
      let parsed = try QueryFormat.parse(text, arguments)
      expectEqual(parsed, predicate, "\(text)")
      guard parsed == predicate else { return }
    }
  }

  @Test(
    arguments: [
      ("a=1 and b==2", "a == 1 AND b == 2"),
      ("a=1 or b=2 and c=3", "a == 1 OR (b == 2 AND c == 3)"),
      ("!(a=1 or b=2)", "NOT (a == 1 OR b == 2)"), ("NOT a = 1", "NOT a == 1"),
      ("truepredicate", "TRUEPREDICATE"), ("FALSEPREDICATE", "FALSEPREDICATE"),
      ("none dogs.name =[cd] \"it's\"", #"NONE dogs.name ==[cd] 'it\'s'"#),
      ("a in {1,-2.5,nil,yes}", "a IN {1, -2.5, NULL, TRUE}"), ("a IN {}", "a IN {}"),
      ("map['k'] = 'a\nb'", #"map['k'] == 'a\nb'"#), ("self != nil", "SELF != NULL"),
      ("#order = 1", "order == 1"), ("dogs.@count => 1", "dogs.@count >= 1"),
      (
        "subquery(dogs,$d,$d.a=1 or $d=self).@count=0",
        "SUBQUERY(dogs, $d, $d.a == 1 OR $d == SELF).@count == 0"
      ),
    ])
  func `The description is a format string`(_ format: String, _ description: String) throws {
    try expectEqual(QueryFormat.parse(format).description, description)
  }

  @Test(
    arguments: [
      (.float(1.5), "1.5"), (.double(.nan), "nan"), (.decimal("1.50"), "1.50"),
      (.data([1, 2, 3]), "<3 bytes>"), (.date("2001-02-03"), "<date 2001-02-03>"),
      (.uuid("U"), "<UUID U>"), (.objectId("O"), "<ObjectId O>"),
      (.object(QueryObject(className: "Dog", row: 3, file: nil, instance: nil)), "<Dog 3>"),
      (.object(QueryObject(className: "Dog", row: nil, file: nil, instance: nil)), "<Dog>"),
      (.unsupported(typeName: "URL"), "<URL>"),
    ] as [(QueryValue, String)])
  func `Values without a literal are described`(_ value: QueryValue, _ text: String) {
    expectEqual(compare("a", .equal, value).description, "a == \(text)")
  }

  @Test func `What is invalid is described by its problem`() {
    let problem = PredicateProblem("Wrong.")
    expectEqual(
      QueryPredicate.and([.invalid(problem), .constant(true)]).description,
      "<Wrong.> AND TRUEPREDICATE")
    expectEqual(QueryPath([.property("a"), .invalid(problem)]).description, "a.<Wrong.>")
  }

  @Test func `Chains without parts are constants`() {
    expectEqual(QueryPredicate.and([]).description, "TRUEPREDICATE")
    expectEqual(QueryPredicate.or([]).description, "FALSEPREDICATE")
    expectEqual(QueryPredicate.not(.and([.or([.constant(true)])])).description, "NOT TRUEPREDICATE")
  }

  @Test func `A deep tree is printed`() {
    let deep = (0..<10_000).reduce(compare("a", .equal, .int(1))) { tree, _ in .not(tree) }
    expectEqual(deep.description, String(repeating: "NOT ", count: 10_000) + "a == 1")
  }
}
