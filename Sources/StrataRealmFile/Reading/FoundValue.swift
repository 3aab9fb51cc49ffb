import Foundation

/// A value that was read, or the location of its collection.
enum FoundValue {
  case single(RealmValue)
  /// The ref of the collection; nil for an empty one.
  case collection(RealmCollectionKind, root: Int?)

  /// Reads a value of a column, or of an element of its collection.
  init(
    _ leaf: Leaf, _ index: Int, _ column: Column, _ file: OpenFile, in pass: Pass
  ) throws(RealmFileError) {
    switch leaf.kind {
    case .collections:
      self = .collection(column.property.collection ?? .list, root: try leaf.collection(index))
    case .links:
      guard let key = try leaf.link(index, in: pass)?.key, let target = column.property.target
      else {
        self = .single(.null)
        return
      }
      self = .single(.object(RealmLink(className: target, objectKey: key)))
    case .mixed:
      let item = try unsafeDowncast(leaf, to: MixedLeaf.self).item(index, in: pass)
      try item.expectType(of: column)
      self = try Self.found(item, column, file, in: pass)
    case .single: self = .single(try leaf.value(index, in: pass))
    }
  }

  private static func found(
    _ item: MixedValues.Item, _ column: Column, _ file: OpenFile, in pass: Pass
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
      return .single(.uuid(UUID(reading: bytes)))
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

extension MixedValues.Item {
  /// Checks the type of a value of a dictionary. Its values are stored as mixed ones, whatever the
  /// type of the dictionary.
  func expectType(of column: Column) throws(RealmFileError) {
    if case .null = self { return }
    let type = column.property.type
    guard type == .mixed || type.rawValue == typeName else {
      throw .damaged("a value of type '\(typeName)' is in a dictionary of '\(type)'", at: nil)
    }
  }
}
