import Foundation
import Strata

/// The reader of files with an encryption key.
enum EncryptionKeyFile {
  static let length = 64

  /// Returns the 64 bytes of a key: either the contents of the file, or 128 hexadecimal digits with
  /// an optional line break. Returns nil for anything else.
  static func key(in bytes: [UInt8]) -> [UInt8]? {
    if bytes.count == length { return bytes }
    var digits: [UInt8] = []
    for byte in bytes where !isSpace(byte) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128 else {
        return nil
      }
      digits.append(UInt8(digit))
    }
    guard digits.count == 2 * length else { return nil }
    return (0..<length).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

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

  /// Checks that the SQLite library supports encryption.
  static func requireEncryption(of path: String) throws(CommandFailure) {
    guard !Realm.canEncrypt else { return }
    throw CommandFailure(
      .data, path: path, "The SQLite library of 'strata' can't encrypt files",
      repair:
        "Start 'strata' with SQLCipher as its SQLite library (see docs/encryption.md), or leave out "
        + "'--new-key-file'.")
  }
}
