/// Bytes of texts and data, by the positions of the values, which the caller has checked against the count.
extension Leaf {
  /// The bytes of a text or of data, which are valid until the next ones are read.
  func bytes(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let bytes: UnsafeRawBufferPointer?
    switch self {
    case .texts(let texts, let isOptional), .data(let texts, let isOptional):
      bytes = try texts.bytes(index, in: pass)
      return bytes == nil && !isOptional ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes
    case .enumerated(let positions, let distinct, let isOptional, let offset):
      let position = positions[index]
      guard position >= 0, position < distinct.count else {
        throw .damaged("text \(position) of \(distinct.count) distinct ones is meant", at: offset)
      }
      bytes = try distinct.bytes(Int(position), in: pass)
      return bytes == nil && !isOptional ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .string(let bytes), .data(let bytes): return bytes
      case let item: throw .wrongType(item.typeName, "bytes")
      }
    default: throw .wrongType(typeName, "bytes")
    }
  }

  /// The bytes of a text.
  func text(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch self {
    case .texts, .enumerated: return try bytes(index, in: pass)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .string(let bytes): return bytes
      case let item: throw .wrongType(item.typeName, "string")
      }
    default: throw .wrongType(typeName, "string")
    }
  }

  /// The bytes of data.
  func data(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch self {
    case .data: return try bytes(index, in: pass)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .data(let bytes): return bytes
      case let item: throw .wrongType(item.typeName, "data")
      }
    default: throw .wrongType(typeName, "data")
    }
  }
}
