/// A property of a class, as the file describes it.
public struct RealmProperty: Sendable, Hashable {
  /// The name in the file, which can be mapped to another one in the program.
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

  package init(
    name: String, type: RealmPropertyType, isOptional: Bool, collection: RealmCollectionKind?,
    target: String?, index: RealmIndex?
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.collection = collection
    self.target = target
    self.index = index
  }
}
