import StrataQuery
import StrataSchema

/// A value that is stored as an embedded object: equal is what has equal members.
struct MemberwiseEquality {
  private let object: EmbeddedObject

  /// Nil for every other value.
  init?(_ value: Any, _ stored: QueryValue) {
    guard case .object(let stored) = stored, let object = stored.instance as? EmbeddedObject,
      unwrapped(value) is any _CustomPersistable
    else { return nil }
    self.object = object
  }

  /// The condition that a link leads to an object with the same members.
  func condition(on link: QueryContent) -> QueryContent {
    guard let info = ClassInfo.reporting(type(of: object)) else {
      return link.compared(.equal, QueryValue(object))
    }
    // An element of a collection is there; a link may lead nowhere.
    var condition = link.isElement ? nil : link.compared(.notEqual, .null)
    for property in info.properties {
      if let problem = PredicateProblem.memberwise(property, of: info.className) {
        return .invalid(problem)
      }
      let member = link.adding(.property(property.name))
        .compared(.equal, QueryValue(object[property.name]))
      condition = condition?.and(member) ?? member
    }
    return condition ?? link.compared(.notEqual, .null)
  }
}

extension PredicateProblem {
  /// Why objects can't be compared by a member; nil for one that they can be compared by.
  fileprivate static func memberwise(
    _ property: Property, of className: String
  ) -> PredicateProblem? {
    let reason: String
    if property.hasManyValues {
      reason = "equality on collections is not implemented."
    } else if property.type == .object {
      reason = "object links are not implemented."
    } else {
      return nil
    }
    return PredicateProblem(
      "Unsupported property '\(className).\(property.name)' for memberwise equality query: "
        + "\(reason) Compare the other properties one by one.")
  }
}

extension QueryContent {
  /// Whether this is a value; each element of a collection is asked on its own.
  func equals<Value>(_ value: Value, isNegated: Bool = false) -> QueryContent {
    let `operator`: QueryOperator = isNegated ? .notEqual : .equal
    if let usual = QueryValue(usualType: value) { return compared(`operator`, usual) }
    let stored = QueryValue(value)
    guard let memberwise = MemberwiseEquality(value, stored) else {
      return compared(`operator`, stored)
    }
    return anyElement(
      isNegated ? memberwise.condition(on: self).negated : memberwise.condition(on: self))
  }

  /// Whether this is one of some values.
  func isIn(_ values: some Sequence) -> QueryContent {
    var stored: [QueryValue] = []
    var memberwise: [QueryContent] = []
    for value in values {
      let constant = QueryValue(value)
      if let equality = MemberwiseEquality(value, constant) {
        memberwise.append(equality.condition(on: self))
      } else {
        stored.append(constant)
      }
    }
    guard let first = memberwise.first else { return compared(.in, .list(stored)) }
    let condition = memberwise.dropFirst().reduce(first) { $0.or($1) }
    return anyElement(stored.isEmpty ? condition : condition.or(compared(.in, .list(stored))))
  }

  /// A condition on one element of this operand's collection, if it has one.
  private func anyElement(_ condition: QueryContent) -> QueryContent {
    guard isPlural else { return condition }
    return condition.subqueryCount.compared(.greater, .int(0))
  }
}
