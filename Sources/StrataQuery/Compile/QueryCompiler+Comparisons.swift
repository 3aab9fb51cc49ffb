import StrataSchema

/// A value in SQL, with the properties that affect its comparison.
struct SQLValue {
  var sql: String
  /// The type of an `AnyRealmValue`.
  var typeSQL: String?
  var type: PropertyType
  var allowsNil: Bool
  /// The class of a link.
  var className: String?
  /// The beginning of a search in its full-text index, up to the words.
  var search: String?
  /// The latitude of a point on the Earth, whose longitude is the value.
  var latitude: String?
  /// Whether this is a value in a list or a dictionary of an `AnyRealmValue`.
  var isNested = false

  /// The text that is NULL exactly if the value is nil.
  ///
  /// SQLite has no NaN, which only a nested value can be, and takes it for NULL. The type of NaN is
  /// a name.
  var nilText: String { isNested ? typeText : sql }
}

extension SQLValue {
  /// Sets the search of a property that has a full-text index.
  mutating func setSearch(_ property: QueryProperty, of identity: @autoclosure () -> String) {
    guard let table = property.textTable else { return }
    search = "\(identity()) IN (SELECT rowid FROM \(table) WHERE \(table) MATCH "
  }
}

extension QueryCompiler {
  func compile(
    _ comparison: ResolvedComparison, negated: Bool, _ context: Context
  ) -> String {
    if let sql = existence(comparison, negated: negated, context) { return sql }
    if let sql = alternative(comparison, negated: negated, context) { return sql }
    if comparison.left.hasCollection || comparison.right.hasCollection {
      return quantified(comparison, negated: negated, context)
    }
    if let sql = mapMembership(comparison, negated: negated, context) { return sql }
    return leaf(value(comparison.left), comparison, negated: negated)
  }

  // MARK: Operands

  /// Returns an operand that is not a constant.
  func value(_ operand: ResolvedOperand) -> SQLValue {
    switch operand {
    case .path(let path): return value(path)
    case .aggregate(let aggregate): return value(aggregate)
    case .count(let path, let elements, let predicate):
      return count(path, elements, where: predicate)
    case .constant(let constant): return value(constant)
    case .list: return SQLValue(sql: "NULL", type: .int, allowsNil: true)
    }
  }

  private func value(_ constant: ResolvedConstant) -> SQLValue {
    guard case .value(let value, let type) = constant else {
      return SQLValue(sql: "NULL", type: .int, allowsNil: true)
    }
    return SQLValue(sql: parameter(value), type: type, allowsNil: false)
  }

  /// Returns the value at the end of a path of single links.
  func value(_ path: ResolvedPath) -> SQLValue { nested(outerValue(path), path.nested) }

  /// Returns the value without the steps into an `AnyRealmValue`.
  func outerValue(_ path: ResolvedPath) -> SQLValue {
    let scope = scopes[path.depth]
    switch path.target {
    case .property(let property):
      record(property)
      var value = SQLValue(
        sql: scope.column(property.column, after: path.steps, self),
        typeSQL: property.typeColumn.map { scope.column($0, after: path.steps, self) },
        type: property.type, allowsNil: path.allowsNil, className: path.className)
      value.setSearch(property, of: scope.identity(after: path.steps, self))
      return value
    case .object:
      return SQLValue(
        sql: scope.identity, type: .object, allowsNil: false, className: path.className)
    case .mapValue(let property, let key):
      return mapValue(property, key, of: scope.identity(after: path.steps, self))
    case .point(let type, let coordinates):
      return point(
        type, coordinates, scope.column(type.column, after: path.steps, self),
        of: scope.identity(after: path.steps, self))
    case .element, .keys, .value:
      return SQLValue(sql: "NULL", type: path.type, allowsNil: true)
    }
  }

  func mapValue(_ property: QueryProperty, _ key: StoredText, of owner: String) -> SQLValue {
    record(property)
    let name = nextAlias("m")
    let rest =
      "FROM \(property.table) AS \(name) WHERE \(name).owner = \(owner) "
      + "AND \(name).key = \(parameter(.text(key.text)))"
    return SQLValue(
      sql: "(SELECT \(name).value \(rest))",
      typeSQL: property.type == .any ? "(SELECT \(name).value_type \(rest))" : nil,
      type: property.type, allowsNil: true, className: property.property.objectClassName)
  }

  // MARK: Leaves

  /// Returns a comparison of a value with a constant, a list or another value.
  func leaf(_ left: SQLValue, _ comparison: ResolvedComparison, negated: Bool) -> String {
    var negated = negated
    if comparison.operator == .notEqual { negated.toggle() }
    switch comparison.right {
    case .constant(let constant):
      return leaf(left, comparison.operator, constant, comparison.options, negated: negated)
    case .list(let list):
      let sql =
        comparison.operator == .between
        ? between(left, list) : membership(left, list, comparison.options)
      return negated ? Self.negate(sql) : sql
    case .path, .aggregate, .count:
      return leaf(
        left, comparison.operator, value(comparison.right), comparison.options, negated: negated)
    }
  }

  private func leaf(
    _ left: SQLValue, _ operator: QueryOperator, _ constant: ResolvedConstant,
    _ options: QueryOptions, negated: Bool
  ) -> String {
    let sql: String
    switch `operator` {
    case .equal, .notEqual: return equality(left, constant, options, negated: negated)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: sql = order(left, `operator`, constant)
    case .text: sql = search(left, constant)
    case .contains, .beginsWith, .endsWith, .like:
      sql = text(left, `operator`, constant, options)
    case .geoWithin: sql = within(left, constant)
    // The resolver accepts only lists.
    case .in, .between: return negated ? "1" : "0"
    }
    return negated ? Self.negate(sql) : sql
  }

  /// Returns an equality. A negated equality is `IS NOT`, which is true for NULL.
  private func equality(
    _ left: SQLValue, _ constant: ResolvedConstant, _ options: QueryOptions, negated: Bool
  ) -> String {
    switch constant {
    case .null: return "\(left.nilText) IS \(negated ? "NOT " : "")NULL"
    case _ where constant.isNaN: return negated ? "1" : "0"
    case .object(let object):
      guard let row = object.row else { return negated ? "1" : "0" }
      if let typeSQL = left.typeSQL {
        let sql = anyObject(left.sql, typeSQL, object.className, row)
        return negated ? Self.negate(sql) : sql
      }
      return "\(left.sql) \(negated ? "IS NOT" : "=") \(parameter(.integer(row)))"
    case .value(let value, let type):
      let sql: String
      if left.typeSQL != nil {
        sql = anyEquality(left, value, type, options)
      } else if !options.isEmpty {
        sql = "strata_equal(\(left.sql), \(parameter(value)), \(options.rawValue))"
      } else if left.type == .decimal128 {
        // The sign keeps SQLite from an index of its own, whose Bloom filter (seen in 3.40) leaves
        // out texts that are equal by a collation and have other lengths.
        sql = "+\(left.sql) = \(parameter(value)) COLLATE strata_decimal"
      } else if left.isNumber(unlike: type) {
        sql = compared(left, .equal, value, type)
      } else {
        return "\(left.sql) \(negated ? "IS NOT" : "=") \(parameter(value))"
      }
      return negated ? Self.negate(sql) : sql
    }
  }

  /// - Parameter operator: An operator that compares by order.
  func order(
    _ left: SQLValue, _ operator: QueryOperator, _ constant: ResolvedConstant
  ) -> String {
    switch constant {
    // Two nils are equal, and neither is less.
    case .null: return `operator`.includesEqual ? "\(left.nilText) IS NULL" : "0"
    case _ where constant.isNaN: return "0"
    case .object: return "0"
    case .value(let value, let type):
      if left.typeSQL != nil { return anyOrder(left, `operator`, value, type) }
      if left.isNumber(unlike: type) { return compared(left, `operator`, value, type) }
      guard left.type == .decimal128 else {
        return "\(left.sql) \(`operator`.rawValue) \(parameter(value))"
      }
      return decimalOrder(left.sql, `operator`, parameter(value))
    }
  }

  /// Returns a comparison with a number of another kind.
  func compared(
    _ left: SQLValue, _ operator: QueryOperator, _ value: StoredValue, _ type: PropertyType
  ) -> String {
    let typeText = StoredValue.text(type.rawValue).sqlLiteral
    let sign = `operator` == .equal ? "=" : `operator`.rawValue
    return """
      strata_compare(\(left.sql), \(left.typeText), \(parameter(value)), \(typeText)) \
      \(sign) 0
      """
  }

  /// Returns a comparison without NaN, which the collation sorts first but is neither less nor
  /// greater.
  func decimalOrder(_ left: String, _ operator: QueryOperator, _ right: String) -> String {
    let sql = "\(left) \(`operator`.rawValue) \(right) COLLATE strata_decimal"
    return `operator`.isLess ? "(\(sql) AND \(left) <> 'NaN')" : sql
  }

  private func between(_ left: SQLValue, _ list: [ResolvedConstant]) -> String {
    guard list.count == 2, list.allSatisfy({ $0 != .null && !$0.isNaN }) else { return "0" }
    if left.typeSQL == nil, left.type != .decimal128, case .value(let first, let type) = list[0],
      case .value(let last, let otherType) = list[1], !left.isNumber(unlike: type),
      !left.isNumber(unlike: otherType)
    {
      return "\(left.sql) BETWEEN \(parameter(first)) AND \(parameter(last))"
    }
    let first = order(left, .greaterOrEqual, list[0])
    return "(\(first) AND \(order(left, .lessOrEqual, list[1])))"
  }

  // MARK: Two columns

  func leaf(
    _ left: SQLValue, _ operator: QueryOperator, _ right: SQLValue, _ options: QueryOptions,
    negated: Bool
  ) -> String {
    let bothNil = "(\(left.nilText) IS NULL AND \(right.nilText) IS NULL)"
    let mayBothBeNil = left.allowsNil && right.allowsNil
    func orBothNil(_ sql: String) -> String { mayBothBeNil ? "(\(sql) OR \(bothNil))" : sql }
    var sql: String
    switch `operator` {
    case .equal, .notEqual:
      if options.isEmpty, left.isPlain, right.isPlain {
        return "\(left.sql) IS \(negated ? "NOT " : "")\(right.sql)"
      }
      sql = orBothNil(twoValues(left, "=", right, options))
    case .less, .greater: sql = twoValues(left, `operator`.rawValue, right, options)
    case .lessOrEqual, .greaterOrEqual:
      sql = orBothNil(twoValues(left, `operator`.rawValue, right, options))
    case .contains, .beginsWith, .endsWith, .like:
      sql = function(`operator`, left.sql, right.sql, options)
      if `operator` == .like { sql = orBothNil(sql) }
    case .in, .between, .text, .geoWithin: sql = "0"
    }
    return negated ? Self.negate(sql) : sql
  }

  private func twoValues(
    _ left: SQLValue, _ operator: String, _ right: SQLValue, _ options: QueryOptions
  ) -> String {
    // NULL for values that can't be compared.
    let compared = """
      strata_compare(\(left.sql), \(left.typeText), \(right.sql), \(right.typeText)) \
      \(`operator`) 0
      """
    if !options.isEmpty {
      let equal = "strata_equal(\(left.sql), \(right.sql), \(options.rawValue))"
      if left.typeSQL == nil, right.typeSQL == nil { return equal }
      // Options concern two strings, or two data.
      return """
        CASE WHEN \(left.typeText) IN ('string', 'data') AND \(left.typeText) = \(right.typeText) \
        THEN \(equal) ELSE \(compared) END
        """
    }
    return left.isPlain && right.isPlain ? "\(left.sql) \(`operator`) \(right.sql)" : compared
  }
}

extension SQLValue {
  /// Whether SQLite compares it like Realm.
  var isPlain: Bool { typeSQL == nil && type != .decimal128 }

  /// Whether the value is a number of SQLite and the other one is a decimal. A decimal is stored as
  /// text, and SQLite sorts every number before every text.
  func isNumber(unlike type: PropertyType) -> Bool {
    isPlain && self.type.isNumeric && type == .decimal128
  }

  /// The type as an argument of the library's functions.
  var typeText: String {
    // As the type of an `AnyRealmValue` names it.
    let name = className.map { AnyValueSQL.typeName(className: $0) } ?? type.rawValue
    return typeSQL ?? StoredValue.text(name).sqlLiteral
  }
}

extension QueryOperator {
  var includesEqual: Bool { self == .lessOrEqual || self == .greaterOrEqual }
  var isLess: Bool { self == .less || self == .lessOrEqual }
}

extension ResolvedOperand {
  var hasCollection: Bool {
    if case .path(let path) = self { path.hasCollection } else { false }
  }
}
