import Synchronization

/// The pages of an encrypted file, each decrypted at its first use.
///
/// The file is a sequence of groups: a table page with 64 entries, then 64 data pages.
final class EncryptedPages: Sendable {
  static let pageSize = 4096
  static let entrySize = 64
  private static let pagesOfGroup = 64

  /// The number of bytes of the decrypted file.
  let count: Int

  private let source: Region
  private let target: Region
  private let cipher: any RealmFileCipher
  private let states: Mutex<[State]>

  private enum State: UInt8 { case unknown, readable, unreadable }

  init(_ source: Region, cipher: any RealmFileCipher) throws(RealmFileError) {
    let all = source.count / Self.pageSize
    let tables = (all + Self.pagesOfGroup) / (Self.pagesOfGroup + 1)
    guard all > tables, let target = Region(zeros: (all - tables) * Self.pageSize) else {
      throw .truncated("an encrypted file has at least two pages")
    }
    self.source = source
    self.target = target
    self.cipher = cipher
    count = target.count
    states = Mutex(Array(repeating: .unknown, count: all - tables))
    guard try isReadable(0) else { throw firstPageError() }
  }

  /// Whether unencrypted bytes look like the first table page of an encrypted file.
  ///
  /// An entry begins with a counter of writes, and contains a second counter in its middle. Entries
  /// after the last page are zeros.
  static func look(like bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 2 * pageSize, bytes.count % pageSize == 0 else { return false }
    let pages = min(bytes.count / pageSize - 1, pagesOfGroup)
    for index in 0..<pagesOfGroup {
      let entry = UnsafeRawBufferPointer(
        rebasing: bytes[index * entrySize..<(index + 1) * entrySize])
      if index >= pages {
        guard entry.allSatisfy({ $0 == 0 }) else { return false }
      } else if counter(entry, 0) >= 1 << 24 || counter(entry, 32) >= 1 << 24 {
        return false
      }
    }
    return counter(bytes, 0) != 0
  }

  func pointer(to offset: Int, count: Int) throws(RealmFileError) -> UnsafeRawPointer {
    if count > 0 {
      for page in offset / Self.pageSize...(offset + count - 1) / Self.pageSize {
        guard try isReadable(page) else {
          throw RealmFileError(
            .damagedPage, "A page of the encrypted file has other bytes than Realm wrote",
            repair: "Read a backup of the file, or a copy that Realm makes with 'writeCopy'.",
            place: .init(offset: page * Self.pageSize))
        }
      }
    }
    return UnsafeRawPointer(target.start + offset)
  }

  /// A wrong key fits no page. If the key fits another page, the first page is damaged.
  private func firstPageError() -> RealmFileError {
    let fits = (1..<count / Self.pageSize).prefix(256).contains { initializationVector($0) != nil }
    return fits
      ? RealmFileError(
        .damagedPage, "The first page of the encrypted file has other bytes than Realm wrote",
        repair: "Read a backup of the file, or a copy that Realm makes with 'writeCopy'.",
        place: .init(offset: 0))
      : RealmFileError(
        .wrongKey, "The key fits no page of the encrypted file",
        repair: "Give the 64 bytes with which Realm opens the file. If they are right, the file is "
          + "damaged: read a backup.")
  }

  private func isReadable(_ page: Int) throws(RealmFileError) -> Bool {
    states.withLock { states in
      if states[page] == .unknown { states[page] = decrypt(page) ? .readable : .unreadable }
      return states[page] == .readable
    }
  }

  private func decrypt(_ page: Int) -> Bool {
    guard let counter = initializationVector(page) else { return false }
    let position = UInt64(page * Self.pageSize)
    var vector = [UInt8](repeating: 0, count: 16)
    for byte in 0..<4 { vector[byte] = UInt8(truncatingIfNeeded: counter >> (8 * UInt32(byte))) }
    for byte in 0..<8 {
      vector[4 + byte] = UInt8(truncatingIfNeeded: position >> (8 * UInt64(byte)))
    }
    let output = UnsafeMutableRawBufferPointer(
      start: target.start + page * Self.pageSize, count: Self.pageSize)
    return cipher.decrypt(ciphertext(page), initializationVector: vector, into: output)
  }

  /// Returns the counter with which a page was encrypted; nil if the page was never written
  /// completely, or is damaged.
  ///
  /// An entry has the counter and the code of the newest and of the previous write. If a program
  /// ended between writing the entry and the page, the previous ones fit.
  private func initializationVector(_ page: Int) -> UInt32? {
    let group = page / Self.pagesOfGroup
    let start = group * (Self.pagesOfGroup + 1) * Self.pageSize
    let offset = start + page % Self.pagesOfGroup * Self.entrySize
    let entry = UnsafeRawBufferPointer(
      rebasing: source.bytes[offset..<offset + Self.entrySize])
    let newest = Self.counter(entry, 0)
    let previous = Self.counter(entry, 32)
    guard newest != 0 else { return nil }
    let code = cipher.authenticationCode(of: ciphertext(page))
    guard code.count == 28 else { return nil }
    if entry[4..<32].elementsEqual(code) { return newest }
    return previous != 0 && entry[36..<64].elementsEqual(code) ? previous : nil
  }

  private func ciphertext(_ page: Int) -> UnsafeRawBufferPointer {
    let start = (page + page / Self.pagesOfGroup + 1) * Self.pageSize
    return UnsafeRawBufferPointer(rebasing: source.bytes[start..<start + Self.pageSize])
  }

  private static func counter(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

/// A cipher that decrypts the pages of an encrypted file with its key.
///
/// The library `StrataRealmFileEncryption` contains one, with the initializer
/// `RealmFile(_:encryptionKey:)`. With this protocol, programs that read only unencrypted files
/// don't need cryptography.
public protocol RealmFileCipher: Sendable {
  /// Returns the first 28 bytes of the HMAC-SHA-224 of a page, with the second half of the key.
  ///
  /// - Parameter page: 4,096 encrypted bytes.
  func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8]

  /// Decrypts a page by AES-256 in CBC mode without padding, with the first half of the key.
  ///
  /// - Parameters:
  ///   - page: 4,096 encrypted bytes.
  ///   - initializationVector: 16 bytes.
  ///   - output: The destination of the 4,096 bytes.
  /// - Returns: Whether the page could be decrypted.
  func decrypt(
    _ page: UnsafeRawBufferPointer, initializationVector: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool
}
