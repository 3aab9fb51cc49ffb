import StrataSchema
import Testing

@testable import StrataQuery

/// Comparisons without a tree, beside the trees that say the same.
@Suite struct PropertyComparisonTests {
  private static let values: [QueryValue] = [
    .string(""), .string("a long text with a ' and a \0 in it"), .int(0), .int(.min), .bool(true),
    .bool(false), .double(-0.0), .double(1e300),
  ]
  private static let withoutShape: [QueryValue] = [
    .null, .double(.nan), .double(.infinity), .float(1), .decimal("1"), .data([1]), .date("2000"),
    .unsupported(typeName: "Int128"),
  ]
  private static let operators: [QueryOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]
  private let path = QueryPath(names: ["mother", "name"])

  private func tree(
    _ path: QueryPath, _ operator: QueryOperator, _ value: QueryValue
  ) -> QueryPredicate {
    .comparison(QueryComparison(.path(path), `operator`, .value(value)))
  }

  @Test(arguments: values, operators)
  func `It is the same condition as its tree`(
    _ value: QueryValue, _ operator: QueryOperator
  ) throws {
    let comparison = try #require(PropertyComparison(path, `operator`, value))
    #expect(comparison.predicate == tree(path, `operator`, value))
    let (shape, constants) = try #require(QueryShape.of(comparison.predicate))
    #expect(shape.constants(of: comparison) == constants)
  }

  @Test func `Only its own shape has it`() throws {
    let comparison = try #require(PropertyComparison(path, .less, .int(1)))
    let same = tree(path, .less, .int(2))
    let others = [
      tree(path, .lessOrEqual, .int(1)), tree(path, .less, .double(1)),
      tree(path, .less, .bool(true)), tree(QueryPath(names: ["mother"]), .less, .int(1)),
      tree(QueryPath(names: ["name", "mother"]), .less, .int(1)),
      tree(QueryPath(names: ["mother", "name"], variable: "c"), .less, .int(1)),
      .not(same), .and([same]), .and([same, same]), .or([same]),
    ]
    #expect(try #require(QueryShape.of(same)).shape.constants(of: comparison) == [.integer(1)])
    for other in others {
      let shape = try #require(QueryShape.of(other)).shape
      #expect(shape.constants(of: comparison) == nil)
    }
  }

  @Test(arguments: withoutShape)
  func `Values whose SQL is another one have none`(_ value: QueryValue) {
    #expect(PropertyComparison(path, .equal, value) == nil)
    #expect(QueryShape.of(tree(path, .equal, value)) == nil)
  }

  @Test(arguments: QueryOperator.allCases)
  func `Operators that are asked in several ways have none`(_ operator: QueryOperator) {
    let comparison = PropertyComparison(path, `operator`, .string("a"))
    #expect((comparison != nil) == Self.operators.contains(`operator`))
  }

  @Test func `Elements of a subquery have none`() {
    #expect(PropertyComparison(QueryPath(names: ["a"], variable: "c1"), .equal, .int(1)) == nil)
  }
}
