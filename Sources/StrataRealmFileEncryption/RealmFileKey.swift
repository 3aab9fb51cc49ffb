#if EncryptedRealmFiles
  internal import Crypto
  internal import CryptoExtras
  public import Foundation
  public import StrataRealmFile

  /// The key of a file that Realm encrypted, with which its pages are authenticated and decrypted.
  ///
  /// ```swift
  /// try Realm.convert(realmFile: url, encryptionKey: RealmFileKey(key), to: configuration)
  /// ```
  public struct RealmFileKey: RealmFileCipher {
    private let key: SymmetricKey
    private let authentication: HMACSHA224

    /// - Parameter bytes: The 64 bytes of Realm's `Configuration.encryptionKey`.
    /// - Throws: `RealmFileError` with code `wrongKey` unless there are 64 bytes.
    public init(_ bytes: Data) throws(RealmFileError) {
      guard bytes.count == 64 else {
        throw RealmFileError(
          .wrongKey, "The key has \(bytes.count) bytes, and one of Realm has 64",
          repair: "Give the 64 bytes with which Realm opens the file.")
      }
      // The AES-256 key comes first.
      key = SymmetricKey(data: bytes.prefix(32))
      authentication = HMACSHA224(key: Array(bytes.suffix(32)))
    }

    public func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8] {
      authentication.code(of: page)
    }

    public func decrypt(
      _ page: UnsafeRawBufferPointer, initializationVector: [UInt8],
      into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
      do {
        let vector = try AES._CBC.IV(ivBytes: initializationVector)
        let plain = try AES._CBC.decrypt(Data(page), using: key, iv: vector, noPadding: true)
        guard plain.count == output.count else { return false }
        plain.withUnsafeBytes { output.copyMemory(from: $0) }
        return true
      } catch {
        return false
      }
    }
  }

  extension RealmFile {
    /// Opens a file that Realm encrypted.
    ///
    /// Each page is authenticated and decrypted at its first use, and stays in memory while the
    /// file is open. Decrypted data is never written to the disk.
    ///
    /// ```swift
    /// let file = try RealmFile(url, encryptionKey: key)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - encryptionKey: The 64 bytes of Realm's `Configuration.encryptionKey`.
    ///   - limits: The limits of decoded bytes.
    /// - Throws: `RealmFileError` with code `wrongKey` if the key fits no page or doesn't have 64
    ///   bytes, `damagedPage` if the key fits but a required page doesn't have the bytes that Realm
    ///   wrote, `notEncrypted`, and the errors of an unencrypted file.
    public init(
      _ url: URL, encryptionKey: Data, limits: RealmFileLimits = RealmFileLimits()
    ) throws(RealmFileError) {
      do throws(RealmFileError) {
        try self.init(url, cipher: RealmFileKey(encryptionKey), limits: limits)
      } catch {
        throw error.at(path: url.path)
      }
    }

    /// Reads the bytes of a file that Realm encrypted. The bytes are copied.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - encryptionKey: The 64 bytes of Realm's `Configuration.encryptionKey`.
    ///   - limits: The limits of decoded bytes.
    public init(
      bytes: some ContiguousBytes, encryptionKey: Data, limits: RealmFileLimits = RealmFileLimits()
    ) throws(RealmFileError) {
      try self.init(bytes: bytes, cipher: RealmFileKey(encryptionKey), limits: limits)
    }
  }
#else
  /// The key of a file that Realm encrypted.
  @available(
    *, unavailable,
    message:
      "Turn on the trait 'EncryptedRealmFiles' of the package: traits: [\"EncryptedRealmFiles\"]"
  )
  public struct RealmFileKey {}
#endif

#if EncryptedRealmFiles
  /// SHA-224 (FIPS 180-4), which CryptoKit and swift-crypto don't offer.
  ///
  /// The hash is compared with codes that are stored in the file beside the authenticated data, so
  /// its time may depend on the data.
  struct SHA224 {
    static let blockSize = 64
    static let digestSize = 28

    private var state: [UInt32] = [
      0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939,
      0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7, 0xBEFA_4FA4,
    ]
    /// The bytes that don't fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      byteCount += UInt64(bytes.count)
      var input = bytes[...]
      if !rest.isEmpty {
        let missing = min(Self.blockSize - rest.count, input.count)
        rest += input.prefix(missing)
        input = input.dropFirst(missing)
        guard rest.count == Self.blockSize else { return }
        let block = rest
        rest.removeAll(keepingCapacity: true)
        block.withUnsafeBytes { compress($0) }
      }
      let whole = input.count / Self.blockSize * Self.blockSize
      compress(UnsafeRawBufferPointer(rebasing: input.prefix(whole)))
      rest += input.dropFirst(whole)
    }

    /// The digest of all bytes so far.
    func digest() -> [UInt8] {
      var copy = self
      let bitCount = byteCount * 8
      var padding: [UInt8] = [0x80]
      while (rest.count + padding.count) % Self.blockSize != Self.blockSize - 8 {
        padding.append(0)
      }
      for byte in 0..<8 {
        padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * byte)))
      }
      padding.withUnsafeBytes { copy.update($0) }
      let bytes = copy.state.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
      }
      return Array(bytes.prefix(Self.digestSize))
    }

    /// Compresses blocks. Sums wrap around, as defined by the standard.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
      state.withUnsafeMutableBufferPointer { state in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
          Self.constants.withUnsafeBufferPointer { constants in
            for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
              Self.expand(blocks, start, words)
              Self.round(state, words, constants)
            }
          }
        }
      }
    }

    private static func expand(
      _ blocks: UnsafeRawBufferPointer, _ start: Int, _ words: UnsafeMutableBufferPointer<UInt32>
    ) {
      for index in 0..<16 {
        words[index] = UInt32(
          bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let (first, second) = (words[index - 15], words[index - 2])
        let low = rotate(first, 7) ^ rotate(first, 18) ^ first >> 3
        let high = rotate(second, 17) ^ rotate(second, 19) ^ second >> 10
        words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
      }
    }

    private static func round(
      _ state: UnsafeMutableBufferPointer<UInt32>, _ words: UnsafeMutableBufferPointer<UInt32>,
      _ constants: UnsafeBufferPointer<UInt32>
    ) {
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<64 {
        let choice = e & f ^ ~e & g
        let first =
          h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[index]
          &+ words[index]
        let majority = a & b ^ a & c ^ b & c
        let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
      word >> bits | word << (32 - bits)
    }

    private static let constants: [UInt32] = [
      0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
      0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
      0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
      0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
      0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
      0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
      0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
      0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
      0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
      0xC671_78F2,
    ]
  }

  /// Message authentication codes with SHA-224 (RFC 2104).
  struct HMACSHA224 {
    /// The hashes after their first blocks, which depend only on the key.
    private let inner: SHA224
    private let outer: SHA224

    init(key: [UInt8]) {
      var key = key
      if key.count > SHA224.blockSize {
        var hash = SHA224()
        key.withUnsafeBytes { hash.update($0) }
        key = hash.digest()
      }
      key += [UInt8](repeating: 0, count: SHA224.blockSize - key.count)
      inner = Self.begin(key, with: 0x36)
      outer = Self.begin(key, with: 0x5C)
    }

    private static func begin(_ key: [UInt8], with byte: UInt8) -> SHA224 {
      var hash = SHA224()
      key.map { $0 ^ byte }.withUnsafeBytes { hash.update($0) }
      return hash
    }

    /// Returns the 28 bytes of the code of a message.
    func code(of message: UnsafeRawBufferPointer) -> [UInt8] {
      var inner = inner
      inner.update(message)
      var outer = outer
      inner.digest().withUnsafeBytes { outer.update($0) }
      return outer.digest()
    }
  }
#endif
