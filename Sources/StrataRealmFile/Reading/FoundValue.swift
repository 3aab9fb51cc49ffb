import Foundation

/// A value that was read, or where the collection is that it consists of.
enum FoundValue {
  case single(RealmValue)
  /// The ref of the collection; nil for an empty one.
  case collection(RealmCollection, root: Int?)

  /// Reads a value of a column, or of an element of its collection.
  init(
    _ leaf: Leaf, _ index: Int, _ column: Column, _ file: OpenFile, in pass: Pass
  ) throws(RealmFileError) {
    switch leaf {
    case .collections:
      self = .collection(column.property.collection ?? .list, root: try leaf.collection(index))
    case .mixed(let mixed):
      let item = try mixed.item(index, in: pass)
      if case .null = item {
        self = .single(.null)
        return
      }
      // The values of a dictionary are mixed ones, whatever its type is.
      let type = column.property.type
      guard type == .mixed || type.rawValue == item.typeName else {
        throw .wrongType(item.typeName, type.rawValue)
      }
      self = try Self.found(item, column, file, in: pass)
    default:
      self = .single(try Self.value(leaf, index, column, in: pass) ?? .null)
    }
  }

  private static func value(
    _ leaf: Leaf, _ index: Int, _ column: Column, in pass: Pass
  ) throws(RealmFileError) -> RealmValue? {
    switch leaf {
    case .ints, .optionalInts: return try leaf.int(index, in: pass).map { .int($0) }
    case .bools: return try leaf.bool(index, in: pass).map { .bool($0) }
    case .floats: return try leaf.float(index, in: pass).map { .float($0) }
    case .doubles: return try leaf.double(index, in: pass).map { .double($0) }
    case .dates: return try leaf.date(index, in: pass).map { .date($0) }
    case .decimals: return try leaf.decimal(index, in: pass).map { .decimal($0) }
    case .texts, .enumerated:
      return try leaf.text(index, in: pass).map { .string(pass.string($0)) }
    case .data: return try leaf.data(index, in: pass).map { .data(Data($0)) }
    case .objectIds: return try leaf.objectId(index, in: pass).map { .objectId($0) }
    case .uuids: return try leaf.uuid(index, in: pass).map { .uuid($0) }
    case .links:
      guard let key = try leaf.link(index, in: pass)?.key, let target = column.property.target
      else { return nil }
      return .object(RealmLink(className: target, objectKey: key))
    case .mixed, .collections: return nil
    }
  }

  private static func found(
    _ item: MixedLeaf.Item, _ column: Column, _ file: OpenFile, in pass: Pass
  ) throws(RealmFileError) -> FoundValue {
    switch item {
    case .null: return .single(.null)
    case .int(let value): return .single(.int(value))
    case .bool(let value): return .single(.bool(value))
    case .float(let value): return .single(.float(value))
    case .double(let value): return .single(.double(value))
    case .string(let bytes): return .single(.string(pass.string(bytes)))
    case .data(let bytes): return .single(.data(Data(bytes)))
    case .date(let value): return .single(.date(value))
    case .decimal(let value): return .single(.decimal(value))
    case .objectId(let bytes): return .single(.objectId(RealmObjectId(bytes)))
    case .uuid(let bytes):
      return .single(.uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))))
    case .link(let table, let key):
      guard column.targetKey == nil || column.targetKey == table,
        let name = file.schema.names[table]
      else { throw .damaged("a link leads to an object of another class", at: nil) }
      return .single(.object(RealmLink(className: name, objectKey: key)))
    case .list(let root): return .collection(.list, root: root)
    case .dictionary(let root): return .collection(.dictionary, root: root)
    }
  }
}
