import Foundation
import Strata
import StrataSchema
import StrataStudio

/// The reader of files with an encryption key.
enum EncryptionKeyFile {
  static let length = 64

  /// Returns the 64 bytes of a key: either the contents of the file, or 128 hexadecimal digits with
  /// an optional line break. Returns nil for anything else.
  static func key(in bytes: [UInt8]) -> [UInt8]? {
    if bytes.count == length { return bytes }
    let key = hexBytes(bytes.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) })
    return key?.count == length ? key : nil
  }

  /// Reads the key in a file.
  ///
  /// - Throws: ``CommandFailure`` if the file can't be read, or holds no key.
  static func read(_ path: String) throws(CommandFailure) -> Data {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(
        .noInput, path: path, "The file with the key can't be read",
        repair: "Check the path and its permissions.")
    }
    guard let key = Self.key(in: [UInt8](bytes)) else {
      throw CommandFailure(
        .data, path: path,
        "This file of \(Figures.count(bytes.count, "byte")) holds no key",
        repair: "Write the 64 bytes of the key into it, or their 128 hexadecimal digits.")
    }
    return Data(key)
  }

  /// Reads the key of a new file; nil without one.
  ///
  /// - Throws: ``CommandFailure``, also if the SQLite library doesn't support encryption.
  static func read(_ path: String?, encrypting target: String) throws(CommandFailure) -> Data? {
    guard let path else { return nil }
    let key = try read(path)
    guard Realm.canEncrypt else {
      throw CommandFailure(
        .data, path: target, "The SQLite library of 'strata' can't encrypt files",
        repair:
          "Start 'strata' with SQLCipher as its SQLite library (see docs/encryption.md), or leave out "
          + "'--new-key-file'.")
    }
    return key
  }
}
