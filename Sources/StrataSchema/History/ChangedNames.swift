/// The names that a migration has changed so far, rename by rename: a name that it took from one
/// class may be another class's by then.
package struct ChangedNames: Sendable, Hashable {
  /// The new names of classes by the old ones.
  package private(set) var classes: [String: String] = [:]
  /// The new names of properties by the old ones, by the name that the class has now.
  package private(set) var properties: [String: [String: String]] = [:]

  package init() {}

  package mutating func renameClass(_ old: String, to new: String) {
    Self.rename(old, to: new, in: &classes)
    properties[new] = properties.removeValue(forKey: old)
  }

  /// - Parameter className: The name that the class has now.
  package mutating func renameProperty(_ old: String, of className: String, to new: String) {
    Self.rename(old, to: new, in: &properties[className, default: [:]])
  }

  private static func rename(_ old: String, to new: String, in names: inout [String: String]) {
    let origin = names.first { $0.value == old }?.key ?? old
    names[origin] = new
  }
}
