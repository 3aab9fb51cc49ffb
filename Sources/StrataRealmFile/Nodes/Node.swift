/// An array of the file. All data is a tree of arrays.
struct Node {
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
    // Realm writes these letters in every version; a zeroed region lacks them.
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
  /// A flag whose meaning depends on the use of the array.
  var hasContext: Bool { flags & 0x20 != 0 }

  /// The number of bits or bytes of an element.
  var width: Int { widthCode == 0 ? 0 : 1 << (Int(widthCode) - 1) }

  /// The number of bytes after the header, at most 2³⁰.
  var payloadSize: Int {
    switch encoding {
    case .bits: (count * width + 7) / 8
    case .multiply: count * width
    case .bytes: count
    }
  }
}

/// The elements of an array of integers, each of the same width.
///
/// The creator has checked that the bytes exist. The reader must check that the position is less
/// than the count.
struct Integers {
  let start: UnsafeRawPointer
  let count: Int
  /// The width code. An element has `1 << (code - 1)` bits, and none for code 0.
  let widthCode: UInt8

  init(_ node: Node) {
    start = node.payload
    count = node.count
    widthCode = node.widthCode
  }

  /// Returns an element. Elements of at least 8 bits are signed, smaller ones unsigned.
  subscript(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count)
    switch widthCode {
    case 0: return 0
    case 1, 2, 3: return Int64(packed(index))
    case 4: return Int64(start.load(fromByteOffset: index, as: Int8.self))
    case 5: return Int64(Int16(littleEndian: start.load(fromByteOffset: 2 * index, as: Int16.self)))
    case 6: return Int64(Int32(littleEndian: start.load(fromByteOffset: 4 * index, as: Int32.self)))
    default: return Int64(littleEndian: start.load(fromByteOffset: 8 * index, as: Int64.self))
    }
  }

  /// Returns an element of an array of keys or offsets, whose elements of 8, 16 and 32 bits are
  /// unsigned.
  func unsigned(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count)
    switch widthCode {
    case 4: return Int64(start.load(fromByteOffset: index, as: UInt8.self))
    case 5:
      return Int64(UInt16(littleEndian: start.load(fromByteOffset: 2 * index, as: UInt16.self)))
    case 6:
      return Int64(UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self)))
    default: return self[index]
    }
  }

  /// Returns an element of 1, 2 or 4 bits. The lowest bits of a byte come first.
  private func packed(_ index: Int) -> UInt8 {
    let bits = 1 << (Int(widthCode) - 1)
    let position = index * bits
    let byte = start.load(fromByteOffset: position / 8, as: UInt8.self)
    return byte >> UInt8(position % 8) & UInt8(1 << bits - 1)
  }
}

extension Integers {
  /// Returns an element, or zero after the end of the array.
  func element(_ index: Int) -> Int64 { index < count ? self[index] : 0 }
}

/// The elements of an array with refs: nothing, another array, or a tagged number.
struct Refs {
  let elements: Integers
  /// The position of the array, for errors.
  let offset: Int

  init(_ node: Node) throws(RealmFileError) {
    guard node.hasRefs, node.encoding == .bits else {
      throw .damaged("an array of refs is expected", at: node.offset)
    }
    elements = Integers(node)
    offset = node.offset
  }

  var count: Int { elements.count }

  /// Returns the ref at a position; nil for 0, and after the end.
  func ref(_ index: Int) throws(RealmFileError) -> Int? {
    let element = elements.element(index)
    guard element != 0 else { return nil }
    guard element & 1 == 0, element > 0 else {
      throw .damaged("element \(index) of an array is no ref", at: offset)
    }
    return Int(element)
  }

  /// Returns the required ref at a position.
  func required(_ index: Int) throws(RealmFileError) -> Int {
    guard let ref = try ref(index) else {
      throw .damaged("element \(index) of an array is missing", at: offset)
    }
    return ref
  }

  /// Returns the tagged number at a position; nil for 0, and after the end.
  func number(_ index: Int) throws(RealmFileError) -> UInt64? {
    let element = elements.element(index)
    guard element != 0 else { return nil }
    guard element & 1 == 1 else {
      throw .damaged("element \(index) of an array is no tagged number", at: offset)
    }
    return UInt64(bitPattern: element) >> 1
  }

  /// Returns the tagged number at a position as a count up to a limit.
  func count(_ index: Int, upTo limit: Int) throws(RealmFileError) -> Int {
    guard let number = try number(index), number <= UInt64(limit) else {
      throw .damaged("element \(index) of an array is no count up to \(limit)", at: offset)
    }
    return Int(number)
  }
}

extension Pass {
  /// Returns an array of refs that is reached for the first time.
  func refs(_ ref: Int) throws(RealmFileError) -> Refs { try Refs(visit(ref)) }

  /// Returns an array of integers that is reached for the first time.
  func integers(_ ref: Int) throws(RealmFileError) -> Integers { try integers(visit(ref)) }

  func integers(_ node: Node) throws(RealmFileError) -> Integers {
    guard node.encoding == .bits, !node.hasRefs, !node.isInner else {
      throw .damaged("an array of integers is expected", at: node.offset)
    }
    return Integers(node)
  }
}

/// The first bytes of a file: its format, and the position of its newest version.
struct FileHeader {
  static let size = FileBytes.headerSize
  private static let footerSize = 16
  private static let footerMark: UInt64 = 0x3034_1252_37E5_26C8

  /// The readable formats. 0 is the format of a file that was never written to.
  static let formats: Set<Int> = [10, 11, 20, 21, 22, 23, 24]

  let format: Int
  /// The ref of the newest version; nil for a file that was never written to.
  let top: Int?

  init(_ bytes: FileBytes) throws(RealmFileError) {
    guard bytes.count >= Self.size else { throw .truncated("\(bytes.count) bytes are no header") }
    let start = try bytes.pointer(to: 0, count: Self.size)
    guard Self.hasMark(UnsafeRawBufferPointer(start: start, count: Self.size)) else {
      throw Self.notRealmFile
    }
    guard bytes.count % 8 == 0 else {
      throw .truncated("\(bytes.count) bytes are no multiple of 8")
    }
    let slot = Int(start.load(fromByteOffset: 23, as: UInt8.self) & 1)
    let slotRef = UInt64(littleEndian: start.load(fromByteOffset: 8 * slot, as: UInt64.self))
    let format = Int(start.load(fromByteOffset: 20 + slot, as: UInt8.self))
    let ref =
      slot == 0 && slotRef == .max ? try Self.footer(bytes) : slotRef
    self.format = format
    guard ref != 0 else {
      guard format == 0 || Self.formats.contains(format) else { throw Self.unreadable(format) }
      top = nil
      return
    }
    guard Self.formats.contains(format) else { throw Self.unreadable(format) }
    guard let top = Int(exactly: ref), top % 8 == 0 else {
      throw .damaged("its newest version begins nowhere", at: 8 * slot)
    }
    guard top <= bytes.count - Node.headerSize else {
      throw .truncated("its newest version begins at byte \(top) of \(bytes.count)")
    }
    self.top = top
  }

  /// Whether bytes are the start of an unencrypted file.
  static func hasMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= size && bytes[16..<20].elementsEqual("T-DB".utf8)
  }

  /// Returns the top ref of a file that Realm wrote as a stream, which is at its end.
  private static func footer(_ bytes: FileBytes) throws(RealmFileError) -> UInt64 {
    guard bytes.count >= size + footerSize else {
      throw .truncated("its last 16 bytes are missing")
    }
    let start = try bytes.pointer(to: bytes.count - footerSize, count: footerSize)
    guard UInt64(littleEndian: start.load(fromByteOffset: 8, as: UInt64.self)) == footerMark else {
      throw .truncated("it doesn't end as a copy that Realm made")
    }
    return UInt64(littleEndian: start.load(as: UInt64.self))
  }

  static let notRealmFile = RealmFileError(
    .notRealmFile, "The file is no '.realm' file",
    repair: "Give the path of a file that Realm wrote, which usually ends with '.realm'.")

  private static func unreadable(_ format: Int) -> RealmFileError {
    format < 10
      ? RealmFileError(
        .olderFormat,
        "The file has format \(format), and formats from 10 on can be read",
        repair:
          "Open a copy once with a program that uses RealmSwift 5.0 to 10.48, which changes it to a "
          + "newer format, and read that copy.")
      : RealmFileError(
        .newerFormat,
        "The file has format \(format), which this version doesn't know",
        repair: "Update this library, or export the file with the program that wrote it.")
  }
}
