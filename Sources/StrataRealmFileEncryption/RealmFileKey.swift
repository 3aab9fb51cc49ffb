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
