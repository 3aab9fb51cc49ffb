/// One pass over a class, or over a whole file, which reaches each node at most once.
///
/// An intact file is a tree. Reaching each node only once prevents cycles and shared subtrees, and
/// makes the work linear in the size of the file. In addition, decoded bytes are counted, because
/// bytes can be shared.
final class Pass {
  let bytes: FileBytes
  /// The logical end. No node reaches past this byte.
  let end: Int
  let limits: RealmFileLimits
  private let reached: Region
  /// The number of bytes of a mapped file after which its memory is released.
  private static let maxMemory = 8 << 20
  private var reachedBytes = 0
  let account: Account
  /// The remaining number of decoded bytes: part of the account, and read without reference
  /// counting.
  private let rest: UnsafeMutablePointer<Int>
  /// The last value that is stored in several arrays of the file.
  var joinedValue: Region?

  /// - Parameter end: The logical size of the file, at most the number of its bytes.
  init(_ bytes: FileBytes, end: Int, limits: RealmFileLimits) throws(RealmFileError) {
    self.bytes = bytes
    self.end = end
    self.limits = limits
    reached = try Self.noMarks(bytes)
    account = Account(rest: limits.decodedBytes(fileSize: bytes.count))
    rest = account.rest
  }

  /// Creates a pass that may reach nodes again, and shares the account of another pass.
  init(again pass: Pass) throws(RealmFileError) {
    bytes = pass.bytes
    end = pass.end
    limits = pass.limits
    reached = try Self.noMarks(bytes)
    account = pass.account
    rest = account.rest
  }

  /// The account of decoded bytes.
  final class Account {
    let rest: UnsafeMutablePointer<Int>
    var repairedTexts = 0

    init(rest: Int) {
      self.rest = .allocate(capacity: 1)
      self.rest.initialize(to: rest)
    }

    deinit { rest.deallocate() }
  }

  /// Returns a cleared bit map with one bit for each 8 bytes.
  private static func noMarks(_ bytes: FileBytes) throws(RealmFileError) -> Region {
    guard let region = Region(zeros: bytes.count / 64 + 8) else {
      throw RealmFileError(
        .cannotOpen, "The file is too large for the memory of this program",
        repair: "Read it in a program with more memory.")
    }
    return region
  }

  /// Returns a node that is reached for the first time.
  func visit(_ ref: Int) throws(RealmFileError) -> Node {
    let node = try peek(ref)
    try mark(node)
    return node
  }

  /// Returns a node that may have been reached before.
  func peek(_ ref: Int) throws(RealmFileError) -> Node {
    guard ref >= FileHeader.size, ref % 8 == 0, ref <= end - Node.headerSize else {
      throw .damaged("no array can begin at byte \(ref)", at: ref)
    }
    let header = try bytes.pointer(to: ref, count: Node.headerSize)
    let node = try Node(header: header, offset: ref)
    let payload = node.payloadSize
    guard payload <= end - ref - Node.headerSize else {
      throw .damaged("an array reaches behind the end of the data", at: ref)
    }
    // For an encrypted file this decrypts the pages of the payload.
    _ = try bytes.pointer(to: ref, count: Node.headerSize + payload)
    return node
  }

  /// Marks a node as reached.
  func mark(_ node: Node) throws(RealmFileError) {
    let index = node.offset / 8
    let byte = reached.start.assumingMemoryBound(to: UInt8.self) + index / 8
    let bit: UInt8 = 1 << UInt8(index % 8)
    guard byte.pointee & bit == 0 else {
      throw .damaged("two places lead to the same array", at: node.offset)
    }
    byte.pointee |= bit
    reachedBytes += node.payloadSize
    guard reachedBytes >= Self.maxMemory else { return }
    reachedBytes = 0
    bytes.release()
  }

  /// Counts decoded bytes.
  func spend(_ count: Int, at offset: Int? = nil) throws(RealmFileError) {
    guard count <= rest.pointee else {
      throw .limitExceeded(limits, fileSize: bytes.count, at: offset)
    }
    rest.pointee -= count
  }
}

/// Texts should be UTF-8, which Realm doesn't check.
extension Pass {
  /// The number of texts with bytes that are not UTF-8.
  var repairedTexts: Int { account.repairedTexts }

  /// Returns a text. Invalid UTF-8 is replaced by U+FFFD, and the text is counted.
  func string(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    // A repaired text contains U+FFFD, which isn't ASCII. Only then are the bytes checked again.
    if text.utf8.count != bytes.count || !bytes.isASCII && !bytes.isUTF8 {
      account.repairedTexts += 1
    }
    return text
  }

  /// Returns a text as UTF-8: its own bytes, or the bytes of ``string(_:)``, which are valid until
  /// the next ones are read.
  func utf8(_ bytes: UnsafeRawBufferPointer) throws(RealmFileError) -> UnsafeRawBufferPointer {
    guard !bytes.isASCII else { return bytes }
    let repaired = repairedTexts
    var text = string(bytes)
    guard repairedTexts > repaired else { return bytes }
    guard let copy = text.withUTF8({ Region(copying: UnsafeRawBufferPointer($0)) }) else {
      throw .limitExceeded(limits, fileSize: self.bytes.count, at: nil)
    }
    joinedValue = copy
    return copy.bytes
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no byte has its highest bit set.
  fileprivate var isASCII: Bool {
    var bits: UInt64 = 0
    var index = 0
    while index + 8 <= count {
      bits |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < count {
      bits |= UInt64(self[index])
      index += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
