import Strata

/// A value of any property as text: an object by its name, a collection by its elements.
package func shown(_ value: Any?) -> String {
  guard let value else { return "nil" }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return shown(mirror.children.first?.value) }
  if mirror.displayStyle == .tuple {
    return mirror.children.map { shown($0.value) }.joined(separator: ": ")
  }
  switch value {
  case let text as String: return text
  case let object as MigrationObject: return text(object["name"])
  case let object as ObjectBase: return text(object["name"])
  case let any as AnyRealmValue: return shown(any.rawValue)
  case let sequence as any Sequence:
    return "[\(sequence.map { shown($0) }.joined(separator: ", "))]"
  default: return "\(value)"
  }
}
