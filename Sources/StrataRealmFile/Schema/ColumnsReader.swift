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
