/// A class of a file, and the location of its objects.
final class Table: Sendable {
  let info: RealmClass
  /// The ref of the tree of the objects.
  let root: Int
  let columns: [Column]

  init(info: RealmClass, root: Int, columns: [Column]) {
    self.info = info
    self.root = root
    self.columns = columns
  }
}

/// A property of a class, and the location of its values.
final class Column: Sendable {
  let property: RealmProperty
  /// The position of the column's leaf in a cluster.
  let leafIndex: Int
  /// Whether leaves can represent nil.
  let isNullable: Bool
  /// The key of the table of linked objects.
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
  /// Returns the content of the column's leaf in a cluster.
  func content(distinctTexts: TextLeaf?) -> LeafContent {
    LeafContent(
      values: property.collection == nil ? .type(property.type) : .collections,
      isOptional: isNullable, distinctTexts: distinctTexts)
  }

  /// The content of the leaves of a list or a set.
  var elementContent: LeafContent {
    LeafContent(
      values: property.type == .object ? .keys : .type(property.type), isOptional: isNullable)
  }
}

/// The description of a file's contents.
struct FileSchema: Sendable {
  let format: Int
  /// The version of the program's schema.
  var version: UInt64?
  /// The number of bytes that belong to the newest version.
  var end = FileHeader.size
  /// Whether the file was synchronized with a server.
  var isSynchronised = false
  /// The classes, in the order of the file.
  var tables: [Table] = []
  /// The names of the classes by the keys of their tables.
  var names: [Int64: String] = [:]

  /// Whether dictionaries are trees of clusters, as before format 23.
  var hasOldDictionaries: Bool { format < 23 }
}

/// The first array of a table.
struct TableTop {
  let name: String
  let key: Int64
  let refs: Refs

  init(_ ref: Int, name: String, in pass: Pass) throws(RealmFileError) {
    self.name = name
    do throws(RealmFileError) {
      refs = try pass.refs(ref)
      guard let key = try refs.number(3), key < 1 << 31 else {
        throw RealmFileError.damaged("a table has no key", at: ref)
      }
      self.key = Int64(key)
    } catch {
      throw error.at(className: name)
    }
  }

  /// Returns the name of the column that is the primary key.
  func primaryKey(_ columns: [ColumnsReader.KeyedColumn]) throws(RealmFileError) -> String? {
    let element = refs.elements.element(11)
    guard element & 1 == 1 else { return nil }
    let key = UInt64(bitPattern: element) >> 1
    guard let column = columns.first(where: { $0.key == key })?.column else {
      throw .damaged("the primary key is no column", at: refs.offset)
    }
    return column.property.name
  }
}
