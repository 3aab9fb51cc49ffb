#if EncryptedRealmFiles
  internal import Crypto
  internal import CryptoExtras
  public import Foundation
  public import StrataRealmFile

  extension RealmFile {
    /// Opens a file that Realm encrypted.
    ///
    /// Each page is authenticated and decrypted when it is first used, and stays in memory as long
    /// as the file is open. Nothing that was decrypted is written to the disk.
    ///
    /// ```swift
    /// let file = try RealmFile(url, encryptionKey: key)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - encryptionKey: The 64 bytes of Realm's `Configuration.encryptionKey`.
    ///   - limits: How much the file may decode to.
    /// - Throws: `RealmFileError` with code `wrongKey` if the key fits no page or hasn't 64 bytes,
    ///   `damagedPage` if it fits, and a page that is needed has other bytes than Realm wrote,
    ///   `notEncrypted`, and those of a plain file.
    public init(
      _ url: URL, encryptionKey: Data, limits: RealmFileLimits = RealmFileLimits()
    ) throws(RealmFileError) {
      do throws(RealmFileError) {
        try self.init(url, cipher: RealmFileKey(encryptionKey), limits: limits)
      } catch {
        throw error.at(path: url.path)
      }
    }

    /// Reads the bytes of a file that Realm encrypted. They are copied.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - encryptionKey: The 64 bytes of Realm's `Configuration.encryptionKey`.
    ///   - limits: How much the file may decode to.
    public init(
      bytes: some ContiguousBytes, encryptionKey: Data, limits: RealmFileLimits = RealmFileLimits()
    ) throws(RealmFileError) {
      try self.init(bytes: bytes, cipher: RealmFileKey(encryptionKey), limits: limits)
    }
  }
#endif
