import StrataSchema
import TestKit
import Testing

@testable import StrataQuery

/// Comparisons without a tree, beside the trees that say the same.
@Suite struct PropertyConditionsTests {
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
    let conditions = try #require(PropertyConditions(path, `operator`, value))
    expectEqual(conditions.predicate, tree(path, `operator`, value))
    let (shape, constants) = try #require(QueryShape.of(conditions.predicate))
    expectEqual(shape.constants(of: conditions), constants)
  }

  @Test func `Only its own shape has it`() throws {
    let conditions = try #require(PropertyConditions(path, .less, .int(1)))
    let same = tree(path, .less, .int(2))
    let others = [
      tree(path, .lessOrEqual, .int(1)), tree(path, .less, .double(1)),
      tree(path, .less, .bool(true)), tree(QueryPath(names: ["mother"]), .less, .int(1)),
      tree(QueryPath(names: ["name", "mother"]), .less, .int(1)),
      tree(QueryPath(names: ["mother", "name"], variable: "c"), .less, .int(1)),
      .not(same), .and([same]), .and([same, same]), .or([same]),
    ]
    try expectEqual(#require(QueryShape.of(same)).shape.constants(of: conditions), [.integer(1)])
    for other in others {
      let shape = try #require(QueryShape.of(other)).shape
      expectNil(shape.constants(of: conditions))
    }
  }

  private func conditions(_ values: [QueryValue]) throws -> PropertyConditions {
    let all = try values.map { try #require(PropertyConditions(path, .less, $0)) }
    let first = try #require(all.first)
    return all.dropFirst().reduce(first) { $0.and($1) }
  }

  @Test(arguments: [1, 2, 3, 7, 8])
  func `Several of which all must be true are the same as their tree`(_ count: Int) throws {
    let values = Array(Self.values[0..<count])
    let conditions = try conditions(values)
    let parts = values.map { tree(path, .less, $0) }
    expectEqual(conditions.count, count)
    expectEqual(conditions.predicate, (count == 1 ? parts[0] : .and(parts)))
    let (shape, constants) = try #require(QueryShape.of(conditions.predicate))
    expectEqual(shape.constants(of: conditions), constants)
    // Put together in another way they are the same chain.
    guard count > 2 else { return }
    let grouped = try self.conditions([values[0]]).and(self.conditions(Array(values[1...])))
    expectEqual(grouped.predicate, conditions.predicate)
    expectEqual(shape.constants(of: grouped), constants)
  }

  @Test func `Several have only the shape of their number, order and operators`() throws {
    let conditions = try conditions([.int(1), .string("a")])
    let (first, second) = (tree(path, .less, .int(2)), tree(path, .less, .string("b")))
    let others: [QueryPredicate] = [
      first, .or([first, second]), .and([second, first]), .and([first, second, second]),
      .and([first]), .not(.and([first, second])), .and([first, .not(second)]),
      .and([first, .and([second, second])]), .and([first, tree(path, .equal, .string("b"))]),
    ]
    let same = try #require(QueryShape.of(.and([first, second]))).shape
    expectEqual(same.constants(of: conditions), [.integer(1), .text("a")])
    for other in others {
      let shape = try #require(QueryShape.of(other)).shape
      expectNil(shape.constants(of: conditions))
    }
  }

  @Test(arguments: withoutShape)
  func `Values whose SQL is another one have none`(_ value: QueryValue) {
    expectNil(PropertyConditions(path, .equal, value))
    expectNil(QueryShape.of(tree(path, .equal, value)))
  }

  @Test(arguments: QueryOperator.allCases)
  func `Operators that are asked in several ways have none`(_ operator: QueryOperator) {
    let conditions = PropertyConditions(path, `operator`, .string("a"))
    expectEqual((conditions != nil), Self.operators.contains(`operator`))
  }

  @Test func `Elements of a subquery have none`() {
    expectNil(PropertyConditions(QueryPath(names: ["a"], variable: "c1"), .equal, .int(1)))
  }
}
