import StrataSchema

extension QueryCompiler {
  /// What is computed of all elements of a collection; for each object that is asked about.
  func value(_ aggregate: ResolvedAggregate) -> SQLValue {
    let chain = ElementChain(aggregate.path, self)
    let expression =
      aggregate.operation == .count ? "count(*)" : Self.function(aggregate.operation, chain.value)
    return SQLValue(
      sql:
        "(SELECT \(expression) FROM \(chain.tables) WHERE \(chain.ownerColumn) = \(chain.owner))",
      type: aggregate.type, allowsNil: aggregate.allowsNil)
  }

  /// The number of elements for which a condition is true.
  func count(
    _ path: ResolvedPath, _ elements: QueryClass, where predicate: ResolvedPredicate
  ) -> SQLValue {
    let chain = ElementChain(path, self, rowsOf: elements)
    guard let row = chain.row else {
      return SQLValue(sql: "0", type: .int, allowsNil: false)
    }
    let scope = QueryScope(row, elements)
    let condition = within(scope) { compile(predicate, Context(isSelective: true)) }
    return SQLValue(
      sql: """
        (SELECT count(*) FROM \(chain.tables)\(scope.joinText()) \
        WHERE \(chain.ownerColumn) = \(chain.owner) AND \(condition))
        """, type: .int, allowsNil: false)
  }

  /// A call of an aggregate function.
  ///
  /// SQLite's `sum` fails when integers overflow, where Realm's goes around, and it knows no
  /// decimals.
  static func function(_ operation: QueryAggregate, _ value: SQLValue) -> String {
    let isPlain = value.typeSQL == nil && value.type != .decimal128
    switch operation {
    case .count: return "count(*)"
    case .sum where isPlain && value.type != .int: return "total(\(value.sql))"
    case .average where isPlain: return "avg(\(value.sql))"
    case .min where isPlain: return "min(\(value.sql))"
    case .max where isPlain: return "max(\(value.sql))"
    case .sum where isPlain: return "strata_sum(\(value.sql))"
    case .sum: return "strata_decimal_sum(\(value.sql), \(value.typeText))"
    case .average: return "strata_decimal_average(\(value.sql), \(value.typeText))"
    case .min: return "strata_decimal_min(\(value.sql), \(value.typeText))"
    case .max: return "strata_decimal_max(\(value.sql), \(value.typeText))"
    }
  }
}
