/// A class of a file.
public struct RealmClass: Sendable, Hashable {
  /// The kinds of classes.
  public enum Kind: String, Sendable, Hashable {
    /// A class of independent objects.
    case object
    /// A class of objects inside others.
    case embedded
    /// A class of synchronized files whose objects are only sent.
    case asymmetric
  }

  /// The name in the file.
  public let name: String
  public let kind: Kind
  /// The name of the property that is the primary key.
  public let primaryKey: String?
  /// The properties, in the order of the file.
  public let properties: [RealmProperty]
  /// The number of objects that is stored in the file. Reading all of them checks it.
  public let count: Int

  /// Returns the position of a property, with which cursors read it.
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

/// The kinds of collections in a file.
public enum RealmCollectionKind: String, Sendable, Hashable, CaseIterable {
  case list
  case set
  /// Values by keys, which are strings.
  case dictionary
}

/// The kinds of indexes that a property declares.
public enum RealmIndex: String, Sendable, Hashable, CaseIterable {
  case general
  case fullText
}

/// A property of a class, as described in the file.
public struct RealmProperty: Sendable, Hashable {
  /// The name in the file, which can be mapped to another name in the program.
  public let name: String
  /// The type of the value, or of the elements of a collection.
  public let type: RealmPropertyType
  /// Whether the value, or an element of a collection, may be nil.
  ///
  /// True for links, for `mixed`, and for dictionaries of objects; false for lists and sets of
  /// objects.
  public let isOptional: Bool
  /// The kind of collection; nil for a single value.
  public let collection: RealmCollectionKind?
  /// The class that a link leads to.
  public let target: String?
  /// The index that the property declares. A primary key needs none.
  public let index: RealmIndex?
}

/// The types of values in a file.
public enum RealmPropertyType: String, Sendable, Hashable, CaseIterable {
  /// Integers of every width, enums of integers.
  case int
  case bool
  case float
  case double
  case string
  case data
  case date
  case decimal
  case objectId
  case uuid
  /// `AnyRealmValue`: a value together with its type.
  case mixed
  /// A link to an object, or to an embedded one.
  case object
}
