import Foundation
import StrataQuery

extension PredicateExpressions.Value: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    if let range = value as? any ConstantRange { return .range(range.predicateRange) }
    return .operand(QueryOperand(argument: value))
  }
}

extension PredicateExpressions.NilLiteral: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .operand(.value(.null))
  }
}

extension PredicateExpressions.Variable: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    guard let path = walk[key] else { throw .unsupportedExpression(Self.self) }
    return .operand(.path(path))
  }
}

extension PredicateExpressions.ForcedUnwrap: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .operand(.path(try walk.path(inner)))
  }
}

extension PredicateExpressions.OptionalFlatMap: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let link = try walk.path(wrapped)
    walk[variable.key] = link
    let fragment = try walk.fragment(transform)
    if case .condition(let condition) = fragment { return .ofLink(link, condition) }
    return fragment
  }
}

extension PredicateExpressions.NilCoalesce: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    switch try walk.fragment(lhs) {
    case .ofLink(let link, let condition):
      let isNil = link.isNull
      switch try walk.condition(rhs) {
      case .constant(false): return .condition(.and([.not(isNil), condition]))
      case .constant(true): return .condition(.or([isNil, condition]))
      case let other:
        return .condition(.or([.and([.not(isNil), condition]), .and([isNil, other])]))
      }
    case .operand(.path(let path)): return .defaulted(path, try walk.operand(rhs))
    default: throw .noValue(LHS.self)
    }
  }
}

// MARK: - Key paths

extension PredicateExpressions.KeyPath: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let root = try walk.fragment(self.root)
    if let counted = counted {
      let count = try counted.operand(of: root, Root.Output.self)
      return counted.isEmpty
        ? .condition(.comparison(QueryComparison(count.operand, .equal, .value(count.zero))))
        : .operand(count.operand)
    }
    guard let model = Root.Output.self as? ObjectBase.Type, case .operand(.path(var path)) = root
    else { throw .unsupportedKeyPath(Output.self, of: Root.Output.self) }
    guard let persisted = model.persistedPath(ofKeyPath: keyPath) else {
      throw .computed("\(Output.self)", of: model.className())
    }
    path.parts += persisted.properties.map { .property($0.name) }
    return .operand(.path(path))
  }

  /// The access to `count` or `isEmpty`; nil for other key paths.
  private var counted: CountedKeyPath? {
    switch kind {
    case .collectionCount: return .count
    case .collectionIsEmpty: return .isEmpty
    default: break
    }
    guard let type = Root.Output.self as? any CountedCollection.Type else { return nil }
    if keyPath == type.countKeyPath { return .count }
    if keyPath == type.isEmptyKeyPath { return .isEmpty }
    return nil
  }
}

extension ObjectBase {
  fileprivate static func persistedPath(ofKeyPath keyPath: AnyKeyPath) -> PersistedPath? {
    (keyPath as? PartialKeyPath<Self>).flatMap { Strata.persistedPath(of: $0) }
  }
}

/// A value of a whole collection that a predicate may read.
private enum CountedKeyPath {
  case count, isEmpty

  var isEmpty: Bool { self == .isEmpty }

  /// Returns the operand to compare, and the value with which the operand is equal if the
  /// collection is empty.
  func operand(
    of root: PredicateFragment, _ type: Any.Type
  ) throws(PredicateProblem) -> (operand: QueryOperand, zero: QueryValue) {
    let isText = type is any StringProtocol.Type
    switch root {
    case .elements(let subquery): return (.subquery(subquery), .int(0))
    case .operand(.path(let path)) where isText && isEmpty: return (.path(path), .string(""))
    case .operand(.path(let path)) where type == Data.self && isEmpty:
      return (.path(path), .data([]))
    case .operand(.path(var path)) where !isText && type != Data.self:
      path.parts.append(.operation(.count))
      return (.path(path), .int(0))
    default: throw .unsupportedKeyPath(isEmpty ? Bool.self : Int.self, of: type)
    }
  }
}

/// A collection of this library, whose key paths Foundation doesn't know.
private protocol CountedCollection {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension List: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \List.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \List.isEmpty }
}

extension MutableSet: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \MutableSet.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \MutableSet.isEmpty }
}

extension LinkingObjects: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \LinkingObjects.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \LinkingObjects.isEmpty }
}

extension Map: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \Map.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \Map.isEmpty }
}

// MARK: - Ranges

extension PredicateExpressions.Range: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .range(
      PredicateRange(
        lower: try walk.operand(lower), upper: try walk.operand(upper), includesUpper: false))
  }
}

extension PredicateExpressions.ClosedRange: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .range(
      PredicateRange(
        lower: try walk.operand(lower), upper: try walk.operand(upper), includesUpper: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    guard case .range(let range) = try walk.fragment(range) else {
      throw .unsupportedExpression(Self.self)
    }
    return .condition(range.contains(try walk.operand(element)))
  }
}

/// A constant range. It is also a sequence, which may be infinite.
private protocol ConstantRange {
  var predicateRange: PredicateRange { get }
}

extension Range: ConstantRange {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(
      lower: .value(QueryValue(lowerBound)), upper: .value(QueryValue(upperBound)),
      includesUpper: false)
  }
}

extension ClosedRange: ConstantRange {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(
      lower: .value(QueryValue(lowerBound)), upper: .value(QueryValue(upperBound)),
      includesUpper: true)
  }
}

extension PartialRangeFrom: ConstantRange {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lower: .value(QueryValue(lowerBound)), upper: nil, includesUpper: true)
  }
}

extension PartialRangeThrough: ConstantRange {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lower: nil, upper: .value(QueryValue(upperBound)), includesUpper: true)
  }
}

extension PartialRangeUpTo: ConstantRange {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lower: nil, upper: .value(QueryValue(upperBound)), includesUpper: false)
  }
}
