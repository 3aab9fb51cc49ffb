/// A class of a file, and where its objects are.
final class Table: Sendable {
  let info: RealmClass
  /// What links name the class by.
  let key: Int64
  /// The ref of the tree of the objects.
  let root: Int
  let columns: [Column]

  init(info: RealmClass, key: Int64, root: Int, columns: [Column]) {
    self.info = info
    self.key = key
    self.root = root
    self.columns = columns
  }
}

/// A property of a class, and where its values are.
final class Column: Sendable {
  let property: RealmProperty
  /// The position of the column's leaf in a cluster.
  let leafIndex: Int
  /// Whether leaves have a form for nil.
  let isNullable: Bool
  /// The key of the table that links lead to.
  let targetKey: Int64?
  /// The ref of the distinct values of an enumerated column.
  let distinctTexts: Int?

  init(
    property: RealmProperty, leafIndex: Int, isNullable: Bool, targetKey: Int64?,
    distinctTexts: Int?
  ) {
    self.property = property
    self.leafIndex = leafIndex
    self.isNullable = isNullable
    self.targetKey = targetKey
    self.distinctTexts = distinctTexts
  }
}

extension Column {
  /// What the column's leaf in a cluster holds.
  func content(distinctTexts: TextLeaf?) -> LeafContent {
    LeafContent(
      values: property.collection == nil ? .type(property.type) : .collections,
      isOptional: isNullable, distinctTexts: distinctTexts)
  }

  /// What the leaves of a list or a set hold.
  var elementContent: LeafContent {
    LeafContent(
      values: property.type == .object ? .keys : .type(property.type), isOptional: isNullable)
  }
}

/// Everything that a file says of itself.
struct FileSchema: Sendable {
  let format: Int
  /// The version that the program gave the schema.
  var version: UInt64?
  /// The number of bytes that belong to the newest version.
  var end = FileHeader.size
  /// Whether the file was synchronised with a server.
  var isSynchronised = false
  /// The classes, in the order of the file.
  var tables: [Table] = []
  /// The names of the classes by the keys of their tables.
  var names: [Int64: String] = [:]

  /// Whether dictionaries are trees of clusters, as before format 23.
  var hasOldDictionaries: Bool { format < 23 }
}
