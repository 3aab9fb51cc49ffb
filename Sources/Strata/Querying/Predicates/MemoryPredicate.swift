import IssueReporting
import StrataQuery
import StrataStorage
import Synchronization

/// A condition that is evaluated for individual objects or values in memory.
///
/// The condition is resolved once for each class.
final class MemoryPredicate: Sendable {
  let condition: QueryPredicate
  private let evaluators = Mutex<[ObjectIdentifier: PredicateEvaluator]>([:])

  init(_ condition: QueryPredicate) {
    self.condition = condition
  }

  /// Returns whether the condition is true. A condition that isn't valid for the value is reported
  /// and false.
  func isTrue(for value: Any?) -> Bool {
    let value = unwrapped(value)
    guard let value = value as? any RealmCollectionValue else {
      reportIssue("\(Self.message(for: value))")
      return false
    }
    do throws(RealmError) {
      return try evaluator(for: value).isTrue(for: value._dynamicElement)
    } catch {
      reportIssue("\(error.message)")
      return false
    }
  }

  private func evaluator<Value: RealmCollectionValue>(
    for value: Value
  ) throws(RealmError) -> PredicateEvaluator {
    let identifier = ObjectIdentifier(type(of: value))
    if let known = evaluators.withLock({ $0[identifier] }) { return known }
    let evaluator: PredicateEvaluator
    if let object = value as? ObjectBase {
      evaluator = try PredicateEvaluator(condition, ofObjects: type(of: object))
    } else {
      evaluator = try PredicateEvaluator(condition, of: Value.self)
    }
    evaluators.withLock { $0[identifier] = evaluator }
    return evaluator
  }

  private static func message(for value: Any?) -> String {
    let type = value.map { "'\(Swift.type(of: $0))'" } ?? "nil"
    return "A predicate with a format can't be evaluated with \(type). Evaluate it with an object "
      + "of a model class, or with a value that a property can have."
  }
}
