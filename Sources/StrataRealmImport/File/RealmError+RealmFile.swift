package import Foundation
package import StrataRealmFile
import StrataStorage

extension RealmError {
  /// A file of Realm can't be read: where and why, and how to repair it.
  package init(unreadable error: RealmFileError, _ source: URL) {
    var error = error
    if error.code == .encrypted {
      error.repair =
        "Give its key: 'encryptionKey: RealmFileKey(key)' of 'StrataRealmFileEncryption', which needs "
        + "the trait 'EncryptedRealmFiles' of the package."
    }
    if error.code == .notEncrypted { error.repair = "Convert it without a key." }
    self.init(
      Self.code(error.code, source), "The file of Realm can't be converted: \(error)",
      fileURL: source, underlyingError: error)
  }

  private static func code(_ code: RealmFileError.Code, _ source: URL) -> Code {
    switch code {
    case .cannotOpen:
      access(source.path, F_OK) != 0 && errno == ENOENT
        ? .fileNotFound : access(source.path, R_OK) != 0 ? .filePermissionDenied : .fileAccess
    case .inUse, .changed: .fileAccess
    default: .invalidDatabase
    }
  }
}
