#if EncryptedRealmFiles
  internal import Crypto
  internal import CryptoExtras
  public import Foundation
  public import StrataRealmFile

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
#endif
