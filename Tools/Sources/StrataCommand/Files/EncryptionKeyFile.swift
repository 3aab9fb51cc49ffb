import Foundation
import Strata

/// The key of an encrypted file, as another file holds it.
enum EncryptionKeyFile {
  static let length = 64

  /// The 64 bytes of a key: the contents of the file as they are, or as 128 hexadecimal digits,
  /// with or without a line break behind them. Nil for anything else.
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

  /// The key in a file.
  ///
  /// - Throws: ``CommandFailure`` for a file that can't be read, or holds no key.
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

  /// The SQLite library can make an encrypted file, or else the failure that says that it can't.
  static func requireEncryption(of path: String) throws(CommandFailure) {
    guard !Realm.canEncrypt else { return }
    throw CommandFailure(
      .data, path: path, "The SQLite library of 'strata' can't encrypt files",
      repair:
        "Start 'strata' with SQLCipher as its SQLite library (see docs/encryption.md), or leave out "
        + "'--new-key-file'.")
  }
}
