import StrataSchema

/// The reason why a key path can't be observed: what is wrong, where, and the repair.
package struct KeyPathProblem: Error, Sendable, Hashable {
  /// The whole text.
  package let message: String

  static func missingClass(_ className: String) -> KeyPathProblem {
    KeyPathProblem(
      message: "Class '\(className)' can't be observed: this realm doesn't have it. "
        + "Add it to 'objectTypes'.")
  }

  /// The first sentence is Realm's.
  static func unknownProperty(
    _ name: String, of schema: ObjectSchema, in keyPath: String
  ) -> KeyPathProblem {
    let known = schema.allProperties.map(\.name)
    var message =
      "Invalid property name: property '\(name)' not found in object of type "
      + "'\(schema.className)'."
    if name != keyPath { message += " The key path is '\(keyPath)'." }
    message += known.isEmpty ? " It has none." : " It has: \(known.joined(separator: ", "))."
    if let near = NearName.of(name, in: known) { message += " Did you mean '\(near)'?" }
    return KeyPathProblem(message: message)
  }

  /// The first sentence is Realm's.
  static func noLink(_ name: String, in keyPath: String) -> KeyPathProblem {
    KeyPathProblem(
      message: "Property '\(name)' in KeyPath '\(keyPath)' is not a collection of objects or an "
        + "object reference, so it cannot be used as an intermediate keypath element. "
        + "End the key path with it.")
  }
}
