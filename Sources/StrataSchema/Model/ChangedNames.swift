/// The names that a migration has changed so far, rename by rename. A later rename may give a freed
/// name to another class.
package struct ChangedNames: Sendable, Hashable, Codable {
  /// The new names of classes, by their old names.
  package private(set) var classes: [String: String] = [:]
  /// The new names of properties, by their old names, by the present name of the class.
  package private(set) var properties: [String: [String: String]] = [:]

  package init() {}

  package mutating func renameClass(_ old: String, to new: String) {
    Self.rename(old, to: new, in: &classes)
    properties[new] = properties.removeValue(forKey: old)
  }

  /// - Parameter className: The present name of the class.
  package mutating func renameProperty(_ old: String, of className: String, to new: String) {
    Self.rename(old, to: new, in: &properties[className, default: [:]])
  }

  private static func rename(_ old: String, to new: String, in names: inout [String: String]) {
    let origin = names.first { $0.value == old }?.key ?? old
    names[origin] = new
  }
}
