import StrataQuery
import TestKit

/// Makes conditions that a format string can describe, of all kinds of parts.
struct RandomPredicate {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func predicate(depth: Int = 4, variables: [String] = []) -> QueryPredicate {
    guard depth > 0 else { return leaf(depth: 0, variables) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .constant(.random(using: &random))
    case 1: return .not(predicate(depth: depth - 1, variables: variables))
    case 2, 3:
      return .and(many { $0.predicate(depth: depth - 1, variables: variables) })
    case 4, 5:
      return .or(many { $0.predicate(depth: depth - 1, variables: variables) })
    default: return leaf(depth: depth, variables)
    }
  }

  private mutating func many<Part>(
    _ make: (inout RandomPredicate) -> Part
  ) -> [Part] {
    (0..<Int.random(in: 2...4, using: &random)).map { _ in make(&self) }
  }

  private mutating func leaf(depth: Int, _ variables: [String]) -> QueryPredicate {
    let quantifier = random.percent(30) ? one(of: QueryQuantifier.allCases) : nil
    return .comparison(
      QueryComparison(
        operand(depth: depth, variables), one(of: QueryOperator.allCases),
        operand(depth: depth, variables),
        options: QueryOptions(rawValue: .random(in: 0...3, using: &random)),
        quantifier: quantifier))
  }

  private mutating func operand(depth: Int, _ variables: [String]) -> QueryOperand {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4: return .path(path(variables))
    case 5...7: return .value(value())
    case 8: return .list(random.percent(20) ? [] : many { $0.value() })
    default:
      guard depth > 0 else { return .path(path(variables)) }
      let variable = one(of: ["d", "x", "Übung", "and"])
      return .subquery(
        QuerySubquery(
          path(variables), variable,
          predicate(depth: depth - 1, variables: variables + [variable])))
    }
  }

  private mutating func path(_ variables: [String]) -> QueryPath {
    let variable = variables.isEmpty || random.percent(50) ? nil : one(of: variables)
    let count = Int.random(in: 0...3, using: &random)
    return QueryPath((0..<count).map { _ in part() }, variable: variable)
  }

  private mutating func part() -> QueryPart {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .operation(one(of: QueryAggregate.allCases))
    case 1: .keys
    case 2: .values
    case 3: .key(text())
    default: .property(one(of: Self.names))
    }
  }

  private static let names = [
    "a", "name", "straße", "名前", "🐶", "order", "and", "OR", "not", "any", "true", "nil", "in",
    "text",
    "first", "SUBQUERY", "limit", "a b", "it's", "%@", "1st", "$x", "x-y", "#", "_", "a1",
    "truepredicate",
    "a\u{301}", "\u{301}a", "self",
  ]

  private mutating func text() -> String {
    one(of: [
      "", "Rex", "it's", "\"", "\\", "%@", "a\nb\r\t", "\u{0}", "\u{7F}\u{85}\u{200D}", "é",
      "e\u{301}",
      "\u{301}", "🐶", "\r\n", "'", "\\u0041", "AND b == 1",
    ])
  }

  private mutating func value() -> QueryValue {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .int(one(of: [0, 1, -1, .max, .min]))
    case 3: .int(.random(in: .min ... .max, using: &random))
    case 4: .float(.random(in: -10...10, using: &random))
    case 5: .double(Double(bitPattern: random.next()).nanAsZero)
    case 6:
      .double(one(of: [0, 1.5, -2e9, 1e300, Double.leastNonzeroMagnitude, .infinity, -.infinity]))
    case 7: .decimal(one(of: ["9223372036854775808", "1.0", "NaN", "Infinity", "5", "-1E+40"]))
    case 8: .data([1, 2])
    case 9: .date("2001-02-03 04:05:06.500000000")
    case 10: .uuid("01234567-89AB-CDEF-0123-456789ABCDEF")
    case 11: .objectId("0123456789abcdef01234567")
    case 12: .object(QueryObject(className: "Dog", row: 3, file: nil, instance: nil))
    default: .string(text())
    }
  }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}

extension Double {
  /// NaN equals nothing, not even itself.
  fileprivate var nanAsZero: Double { isNaN ? 0 : self }
}
