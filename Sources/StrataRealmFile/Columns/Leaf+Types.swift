extension Leaf {
  /// A link of a column, a collection or a mixed value: the key of the object, and of its table if the value has it.
  ///
  /// - Returns: nil for nil, and for an object that is not there. The key is negative in a collection of such links.
  func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    switch self {
    case .links(let integers, let added):
      let element = integers[index]
      guard added == 1 else { return (element, nil) }
      return element > 0 ? (element - 1, nil) : nil
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .link(let table, let key): return (key, table)
      case let item: throw .wrongType(item.typeName, "link")
      }
    default: throw .wrongType(typeName, "link")
    }
  }

  /// The ref of a collection; nil for an empty one.
  func collection(_ index: Int) throws(RealmFileError) -> Int? {
    guard case .collections(let refs) = self else { throw .wrongType(typeName, "elements") }
    return try refs.ref(index)
  }

  /// The type of the values, for errors.
  var typeName: String {
    switch self {
    case .ints, .optionalInts: "int"
    case .bools: "bool"
    case .floats: "float"
    case .doubles: "double"
    case .dates: "date"
    case .decimals: "decimal"
    case .texts, .enumerated: "string"
    case .data: "data"
    case .objectIds: "objectId"
    case .uuids: "uuid"
    case .links: "object"
    case .mixed: "mixed"
    case .collections: "collection"
    }
  }
}

extension MixedLeaf.Item {
  /// The type of the value, for errors.
  var typeName: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .link: "object"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }
}
