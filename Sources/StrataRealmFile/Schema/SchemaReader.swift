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
      let version = try leaf.int(0, in: pass).map { UInt64(bitPattern: $0) }
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
    guard let bytes = try names.bytes(index, in: self) else { return "" }
    guard let name = String(validating: bytes, as: UTF8.self) else {
      throw .damaged("a name is no UTF-8", at: names.offset)
    }
    return name
  }
}
