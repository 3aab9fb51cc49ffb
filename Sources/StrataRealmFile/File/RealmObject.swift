/// An object of a file: its key, and the values of the properties that were read.
public struct RealmObject: Sendable, Hashable {
  public let className: String
  /// The key of the object, which is unique in its class. Links store it.
  public let key: Int64
  /// The names of the properties that were read.
  public let names: [String]
  /// Their values, in the same order.
  public let values: [RealmValue]

  /// The value of a property; nil if it wasn't read, or the class has none of that name.
  public subscript(name: String) -> RealmValue? {
    names.firstIndex(of: name).map { values[$0] }
  }
}

extension RealmObject: CustomStringConvertible {
  /// The class, the key, and each property with its value.
  public var description: String {
    let properties = zip(names, values).map { "\($0): \($1)" }
    return "\(className) \(key) { \(properties.joined(separator: ", ")) }"
  }
}
