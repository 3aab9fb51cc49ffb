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

/// The kinds of collections in a file.
public enum RealmCollection: String, Sendable, Hashable, CaseIterable {
  case list
  case set
  /// Values by keys, which are texts.
  case dictionary
}

/// The kinds of indexes that a property declares.
public enum RealmIndex: String, Sendable, Hashable, CaseIterable {
  case general
  case fullText
}

/// A property of a class, as the file describes it.
public struct RealmProperty: Sendable, Hashable {
  /// The name in the file, which can be mapped to another one in the program.
  public let name: String
  /// The type of the value, or of the elements of a collection.
  public let type: RealmPropertyType
  /// Whether the value, or an element of a collection, may be nil.
  ///
  /// True for links, for `mixed`, and for dictionaries of objects; false for lists and sets of objects.
  public let isOptional: Bool
  /// The kind of collection; nil for a single value.
  public let collection: RealmCollection?
  /// The class that a link leads to.
  public let target: String?
  /// The index that the property declares. A primary key needs none.
  public let index: RealmIndex?
}
