import StrataQuery
import StrataSchema
import StrataStorage

/// The rules for comparing two values. Nil is a value, and results are true or false, without SQL's
/// third value.
enum ValueComparison {
  /// Converts a value of unknown type to a property's type. The result is null if the value doesn't
  /// fit.
  static func constant(_ value: Any?, _ type: PropertyType) -> ResolvedConstant {
    if type == .any, let nested = AnyRealmValue.converting(value), nested.isNested {
      return ResolvedConstant(QueryValue(nested), type) ?? .null
    }
    return ResolvedConstant(QueryValue(value), type) ?? .null
  }

  /// Returns whether a value is in a list, or for `between` within the list's two bounds.
  static func isTrue(
    _ value: ResolvedConstant, _ operator: QueryOperator, _ list: [ResolvedConstant],
    _ options: QueryOptions
  ) -> Bool {
    guard `operator` == .between else {
      return list.contains { isEqual(value, $0, options) }
    }
    guard list.count == 2, list[0] != .null, list[1] != .null else { return false }
    return isTrue(value, .greaterOrEqual, list[0], []) && isTrue(value, .lessOrEqual, list[1], [])
  }

  static func isTrue(
    _ left: ResolvedConstant, _ operator: QueryOperator, _ right: ResolvedConstant,
    _ options: QueryOptions
  ) -> Bool {
    switch `operator` {
    case .equal, .in: return isEqual(left, right, options)
    case .notEqual: return !isEqual(left, right, options)
    case .less: return order(left, right) == -1
    case .greater: return order(left, right) == 1
    case .lessOrEqual, .greaterOrEqual:
      if left == .null, right == .null { return true }
      guard let order = order(left, right) else { return false }
      return order == 0 || (order < 0) == (`operator` == .lessOrEqual)
    case .contains: return compareTexts(left, right, options, TextSearch.contains)
    case .beginsWith: return compareTexts(left, right, options, TextSearch.begins)
    case .endsWith: return compareTexts(left, right, options, TextSearch.ends)
    case .like:
      return (left == .null && right == .null)
        || compareTexts(left, right, options, TextSearch.isLike)
    case .text: return hasWords(left, right)
    // A range is a list, and an area is compared with a point: both are handled elsewhere.
    case .between, .geoWithin: return false
    }
  }

  /// Returns whether a text contains the words of a full-text search, ignoring case and diacritics.
  private static func hasWords(_ left: ResolvedConstant, _ right: ResolvedConstant) -> Bool {
    guard case .value(.text(let text), _) = left, case .value(.text(let words), _) = right else {
      return false
    }
    let options: QueryOptions = [.caseInsensitive, .diacriticInsensitive]
    do throws(PredicateProblem) {
      return try TextWords(words).match(text) {
        String(decoding: fold(Array($0.utf8), options), as: UTF8.self)
      }
    } catch {
      return false
    }
  }

  private static func isEqual(
    _ left: ResolvedConstant, _ right: ResolvedConstant, _ options: QueryOptions
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.object(let one), .object(let other)): return one == other && one.instance != nil
    case (.value(let one, let type), .value(let other, let otherType)):
      if !options.isEmpty, type == otherType, type == .string || type == .data,
        let one = bytes(one), let other = bytes(other)
      {
        return fold(one, options) == fold(other, options)
      }
      return ComparableValue(one, typeName: type.rawValue)
        .order(to: ComparableValue(other, typeName: otherType.rawValue)) == 0
    default: return false
    }
  }

  /// Returns -1, 0 or 1; nil for different values without an order.
  private static func order(_ left: ResolvedConstant, _ right: ResolvedConstant) -> Int64? {
    if case .object = left { return isEqual(left, right, []) ? 0 : nil }
    guard case .value(let one, let type) = left, case .value(let other, let otherType) = right
    else { return nil }
    return ComparableValue(one, typeName: type.rawValue)
      .order(to: ComparableValue(other, typeName: otherType.rawValue))
  }

  // MARK: Texts

  private static func compareTexts(
    _ left: ResolvedConstant, _ right: ResolvedConstant, _ options: QueryOptions,
    _ isTrue: (TextSearch.Bytes, TextSearch.Bytes) -> Bool
  ) -> Bool {
    guard case .value(let text, let type) = left, case .value(let part, let partType) = right,
      type == partType, let text = bytes(text), let part = bytes(part)
    else { return false }
    return fold(text, options).withUnsafeBufferPointer { text in
      fold(part, options).withUnsafeBufferPointer { isTrue(text, $0) }
    }
  }

  private static func bytes(_ value: StoredValue) -> [UInt8]? {
    switch value {
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    case .null, .integer, .real: nil
    }
  }

  private static func fold(_ text: [UInt8], _ options: QueryOptions) -> [UInt8] {
    options.isEmpty ? text : TextFolder(options).fold(text)
  }

  // MARK: Aggregates

  /// Returns the result of a function over some values. Numbers of an `AnyRealmValue` count as
  /// decimals.
  static func aggregate(
    _ function: Aggregate, _ values: [ResolvedConstant], _ aggregate: ResolvedAggregate
  ) -> ResolvedConstant {
    let isDecimal = aggregate.type == .decimal128
    let stored = values.compactMap { constant -> StoredValue? in
      guard case .value(let value, let type) = constant else { return nil }
      guard isDecimal else { return value }
      return Decimal128(value, typeName: type.rawValue).map { .text($0.exactText) }
    }
    let type = isDecimal ? .decimal128 : aggregate.path.type
    guard let result = function.of(stored, type) else {
      return aggregate.operation == .sum
        ? .value(isDecimal ? .text("0") : .integer(0), type) : .null
    }
    return .value(result, aggregate.type)
  }
}
