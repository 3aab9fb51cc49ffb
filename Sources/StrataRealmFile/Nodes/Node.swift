/// An array of the file: everything in it is a tree of these.
struct Node {
  /// The encoding of an element.
  enum Encoding: UInt8 {
    /// A number of `width` bits.
    case bits
    /// `width` bytes.
    case multiply
    /// One byte.
    case bytes
  }

  /// The position of the header, in bytes.
  let offset: Int
  let payload: UnsafeRawPointer
  let count: Int
  let encoding: Encoding
  /// The code of the width: 0 for 0, and 1 to 7 for 1 to 64.
  let widthCode: UInt8
  private let flags: UInt8

  static let headerSize = 8

  /// Reads the header of a node, which must have 8 bytes.
  init(header: UnsafeRawPointer, offset: Int) throws(RealmFileError) {
    // Realm writes these letters in every version; a zeroed region has none.
    guard header.load(as: UInt32.self) == 0x4141_4141 else {
      throw .damaged("there is no array at byte \(offset)", at: offset)
    }
    flags = header.load(fromByteOffset: 4, as: UInt8.self)
    guard let encoding = Encoding(rawValue: (flags & 0x18) >> 3) else {
      throw .damaged("an array has an encoding that its format doesn't know", at: offset)
    }
    self.encoding = encoding
    widthCode = flags & 7
    count =
      Int(header.load(fromByteOffset: 5, as: UInt8.self)) << 16
      | Int(header.load(fromByteOffset: 6, as: UInt8.self)) << 8
      | Int(header.load(fromByteOffset: 7, as: UInt8.self))
    self.offset = offset
    payload = header + Self.headerSize
  }

  /// Whether this is an inner node of a tree.
  var isInner: Bool { flags & 0x80 != 0 }
  /// Whether the elements are refs of other nodes and tagged numbers.
  var hasRefs: Bool { flags & 0x40 != 0 }
  /// A flag whose meaning depends on what the array is used for.
  var hasContext: Bool { flags & 0x20 != 0 }

  /// The number of bits or bytes of an element.
  var width: Int { widthCode == 0 ? 0 : 1 << (Int(widthCode) - 1) }

  /// The number of bytes behind the header, at most 2³⁰.
  var payloadSize: Int {
    switch encoding {
    case .bits: (count * width + 7) / 8
    case .multiply: count * width
    case .bytes: count
    }
  }
}
