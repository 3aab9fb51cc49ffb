import IssueReporting

extension ObjectBase {
  /// The class and its properties, as the program declares them. Nil for `Object` and the other
  /// base classes, and for a class whose properties can't be read, which is reported through
  /// `IssueReporting`.
  public class func sharedSchema() -> ObjectSchema? {
    let bases: [ObjectBase.Type] = [ObjectBase.self, Object.self, EmbeddedObject.self]
    guard !bases.contains(where: { $0 == self }) else { return nil }
    return ClassInfo.reporting(self)?.objectSchema
  }
}

/// The name of a property in format strings and descriptors: `"dog.name"`.
///
/// ```swift
/// people.sorted(byKeyPath: _name(for: \Person.dog?.name))
/// ```
/// A key path that computes something has no name: it is reported through `IssueReporting`, and the
/// result is "".
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = keyPathString(of: keyPath) { return name }
  reportIssue(
    "The key path '\(keyPath)' has no name: it reads no property of '\(T.className())' that is in the "
      + "file. Give one to a property with '@Persisted'.")
  return ""
}
