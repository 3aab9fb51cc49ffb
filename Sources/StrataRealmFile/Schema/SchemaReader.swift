/// A reader of a file's schema: the classes, their properties, and the version of the schema.
struct SchemaReader {
  private static let maxTables = 65_536
  private static let classPrefix = "class_"

  private let pass: Pass
  private var schema: FileSchema
  private var tops: [TableTop] = []

  /// Reads the schema of a file.
  static func read(
    _ header: FileHeader, _ bytes: FileBytes, limits: RealmFileLimits
  ) throws(RealmFileError) -> FileSchema {
    var schema = FileSchema(format: header.format)
    guard let top = header.top else { return schema }
    let start = try Pass(bytes, end: bytes.count, limits: limits)
    let group = try start.refs(top)
    guard [3, 5, 7, 9, 10, 11, 12].contains(group.count) else {
      throw .damaged("the newest version has \(group.count) parts", at: top)
    }
    guard let size = try group.number(2), size >= UInt64(FileHeader.size) else {
      throw .damaged("it has no size", at: top)
    }
    guard size <= UInt64(bytes.count) else {
      throw .truncated("\(bytes.count) bytes are left of \(size)")
    }
    schema.end = Int(size)
    let history = try group.number(7) ?? 0
    schema.isSynchronised = history == 3 || history == 4
    let pass = try Pass(bytes, end: schema.end, limits: limits)
    // No other data may contain the array of the group.
    _ = try pass.visit(top)
    var reader = SchemaReader(pass: pass, schema: schema)
    try reader.readTables(group)
    return reader.schema
  }

  private mutating func readTables(_ group: Refs) throws(RealmFileError) {
    let names = try pass.names(group.required(0))
    let tables = try pass.refs(group.required(1))
    var keys: Set<Int64> = []
    guard tables.count == names.count, names.count <= Self.maxTables else {
      throw .damaged("\(tables.count) tables have \(names.count) names", at: tables.offset)
    }
    for index in 0..<tables.count {
      // A number marks the position of a removed table.
      let element = tables.elements[index]
      guard element != 0, element & 1 == 0 else { continue }
      let name = try pass.name(names, index)
      let top = try TableTop(tables.required(index), name: name, in: pass)
      guard keys.insert(top.key).inserted else {
        throw .damaged("two tables have the key \(top.key)", at: top.refs.offset)
          .at(className: name)
      }
      schema.names[top.key] = className(name)
      tops.append(top)
    }
    guard Set(tops.map(\.name)).count == tops.count else {
      throw .damaged("two tables have the same name", at: tables.offset)
    }
    for top in tops {
      if let name = className(top.name) {
        do throws(RealmFileError) {
          schema.tables.append(try table(top, name))
        } catch {
          throw error.at(className: name)
        }
      } else if top.name == "metadata" {
        schema.version = try version(top)
      }
    }
  }

  /// Returns the name of the class; nil for a table without a class.
  private func className(_ name: String) -> String? {
    name.hasPrefix(Self.classPrefix) ? String(name.dropFirst(Self.classPrefix.count)) : nil
  }

  private func table(_ top: TableTop, _ name: String) throws(RealmFileError) -> Table {
    let kind: RealmClass.Kind =
      switch (try top.refs.number(12) ?? 0) & 3 {
      case 1: .embedded
      case 2: .asymmetric
      default: .object
      }
    let root = try top.refs.required(2)
    let columns = try ColumnsReader(
      pass: pass, names: schema.names
    ).columns(of: top)
    let info = RealmClass(
      name: name, kind: kind, primaryKey: try top.primaryKey(columns),
      properties: columns.map(\.column.property), count: try count(root))
    return Table(info: info, root: root, columns: columns.map(\.column))
  }

  /// Returns the number of objects in the root of the tree. The root belongs to one class only.
  private func count(_ root: Int) throws(RealmFileError) -> Int {
    let node = try pass.visit(root)
    return node.isInner
      ? try InnerCluster(node, in: pass).total : try Cluster(node, offset: 0, in: pass).count
  }

  /// Returns the version in the only row of the table in which Realm stores it.
  private func version(_ top: TableTop) throws(RealmFileError) -> UInt64? {
    do throws(RealmFileError) {
      let columns = try ColumnsReader(
        pass: pass, names: schema.names
      ).columns(of: top)
      guard let column = columns.first(where: { $0.column.property.name == "version" })?.column,
        column.property.type == .int, column.property.collection == nil
      else { return nil }
      var clusters = ClusterWalker(root: try top.refs.required(2))
      guard let cluster = try clusters.next(in: pass) else { return nil }
      let ref = try cluster.leaf(column.leafIndex)
      let leaf = try Leaf.open(
        ref, column.content(distinctTexts: nil), count: cluster.count, in: pass)
      let number = try leaf.value(0, as: .int, in: pass) { $0.int }
      let version = number.map { UInt64(bitPattern: $0) }
      return version == .max ? nil : version
    } catch {
      throw error.at(className: top.name)
    }
  }
}

extension Pass {
  func names(_ ref: Int) throws(RealmFileError) -> TextLeaf {
    try TextLeaf.open(visit(ref), isData: false, true, in: self)
  }

  /// Returns a name, which must be UTF-8. Nil is read as the empty name.
  func name(_ names: TextLeaf, _ index: Int) throws(RealmFileError) -> String {
    guard let bytes = try names.text(index, in: self) else { return "" }
    guard let name = String(validating: bytes, as: UTF8.self) else {
      throw .damaged("a name is no UTF-8", at: names.offset)
    }
    return name
  }
}

/// A reader of the columns of a table.
struct ColumnsReader {
  struct KeyedColumn {
    let key: UInt64
    let column: Column
  }

  private static let maxColumns = 65_536
  private static let backlink: Int64 = 14
  /// The type of a list of objects before format 24. Realm upgrades a file in place and changes the
  /// type only in the keys of columns, so a file of format 24 may have lists of both types.
  private static let listOfLinks: Int64 = 13
  /// The key that represents a missing table.
  private static let noTable: Int64 = 0x7FFF_FFFF

  private enum Attribute {
    static let indexed: Int64 = 1
    static let nullable: Int64 = 16
    static let list: Int64 = 32
    static let dictionary: Int64 = 64
    static let set: Int64 = 128
    static let fullText: Int64 = 256
  }

  let pass: Pass
  /// The names of classes by the keys of their tables.
  let names: [Int64: String]

  /// The parts of a table that describe its columns.
  private struct Spec {
    let types: Integers
    let names: TextLeaf
    let attributes: Integers
    let keys: Integers
    let distinctTexts: Refs?
    let targets: Integers?
    let offset: Int
  }

  func columns(of top: TableTop) throws(RealmFileError) -> [KeyedColumn] {
    let spec = try spec(top)
    var columns: [KeyedColumn] = []
    var leafIndexes: Set<Int> = []
    for index in 0..<spec.types.count where spec.types[index] & 0xFFFF != Self.backlink {
      guard index < spec.names.count else {
        throw .damaged("column \(index) has no name", at: spec.offset)
      }
      let name = try pass.name(spec.names, index)
      do throws(RealmFileError) {
        let column = try column(index, name, spec)
        guard leafIndexes.insert(column.leafIndex).inserted else {
          throw RealmFileError.damaged("two columns are in the same place", at: spec.offset)
        }
        columns.append(
          KeyedColumn(key: UInt64(bitPattern: spec.keys[index]), column: column))
      } catch {
        throw error.at(property: name)
      }
    }
    guard Set(columns.map(\.column.property.name)).count == columns.count else {
      throw .damaged("two columns have the same name", at: spec.offset)
    }
    return columns
  }

  private func spec(_ top: TableTop) throws(RealmFileError) -> Spec {
    let refs = try pass.refs(top.refs.required(0))
    let types = try pass.integers(refs.required(0))
    let attributes = try pass.integers(refs.required(2))
    let keys = try pass.integers(refs.required(5))
    guard types.count <= Self.maxColumns, attributes.count == types.count,
      keys.count == types.count
    else { throw .damaged("\(types.count) columns don't fit their attributes", at: refs.offset) }
    return Spec(
      types: types, names: try pass.names(refs.required(1)), attributes: attributes, keys: keys,
      distinctTexts: try refs.ref(4).map { ref throws(RealmFileError) in try pass.refs(ref) },
      targets: try top.refs.ref(7).map { ref throws(RealmFileError) in try pass.integers(ref) },
      offset: refs.offset)
  }

  private func column(
    _ index: Int, _ name: String, _ spec: Spec
  ) throws(RealmFileError) -> Column {
    let attributes = spec.attributes[index]
    let number = spec.types[index] & 0xFFFF
    guard let type = type(number) else {
      throw .damaged("a column has the unknown type \(number)", at: spec.offset)
    }
    let collection = try collection(number, attributes, spec)
    let leafIndex = Int(spec.keys[index] & 0xFFFF)
    let targetKey = type == .object ? try target(leafIndex, spec) : nil
    let isNullable = attributes & Attribute.nullable != 0
    let property = RealmProperty(
      name: name, type: type,
      isOptional: type == .mixed
        || (type == .object ? collection == nil || collection == .dictionary : isNullable),
      collection: collection, target: targetKey.flatMap { names[$0] },
      index: attributes & Attribute.fullText != 0
        ? .fullText : attributes & Attribute.indexed != 0 ? .general : nil)
    return Column(
      property: property, leafIndex: leafIndex, isNullable: isNullable, targetKey: targetKey,
      distinctTexts: type == .string && collection == nil ? try spec.distinctTexts?.ref(index) : nil
    )
  }

  private func type(_ number: Int64) -> RealmPropertyType? {
    switch number {
    case 0: .int
    case 1: .bool
    case 2: .string
    case 4: .data
    case 6: .mixed
    case 8: .date
    case 9: .float
    case 10: .double
    case 11: .decimal
    case 12: .object
    case Self.listOfLinks: .object
    case 15: .objectId
    case 17: .uuid
    default: nil
    }
  }

  private func collection(
    _ type: Int64, _ attributes: Int64, _ spec: Spec
  ) throws(RealmFileError) -> RealmCollectionKind? {
    switch attributes & (Attribute.list | Attribute.dictionary | Attribute.set) {
    case 0: return type == Self.listOfLinks ? .list : nil
    case Attribute.list: return .list
    case Attribute.set where type != Self.listOfLinks: return .set
    case Attribute.dictionary where type != Self.listOfLinks: return .dictionary
    default: throw .damaged("a column is more than one kind of collection", at: spec.offset)
    }
  }

  private func target(_ leafIndex: Int, _ spec: Spec) throws(RealmFileError) -> Int64 {
    guard let targets = spec.targets, leafIndex < targets.count,
      targets[leafIndex] != Self.noTable, names[targets[leafIndex]] != nil
    else { throw .damaged("links lead to no class", at: spec.offset) }
    return targets[leafIndex]
  }
}
