/// A class of a file.
public struct RealmClass: Sendable, Hashable {
  /// The kinds of classes.
  public enum Kind: String, Sendable, Hashable {
    /// A class of objects with a life of their own.
    case object
    /// A class of objects that live inside of others.
    case embedded
    /// A class of synchronised files whose objects are only sent.
    case asymmetric
  }

  /// The name in the file.
  public let name: String
  public let kind: Kind
  /// The name of the property that is the primary key.
  public let primaryKey: String?
  /// The properties, in the order of the file.
  public let properties: [RealmProperty]
  /// The number of objects, as the file says. Reading all of them checks it.
  public let count: Int

  /// The position of a property, with which cursors read it.
  ///
  /// - Throws: ``RealmFileError`` with code `unknownProperty`.
  public func position(of property: String) throws(RealmFileError) -> Int {
    guard let position = properties.firstIndex(where: { $0.name == property }) else {
      throw RealmFileError(
        .unknownProperty, "The class has no property '\(property)'",
        repair: "It has these: " + properties.map(\.name).joined(separator: ", ") + ".",
        place: .init(className: name))
    }
    return position
  }
}
