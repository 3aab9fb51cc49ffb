public import Foundation
import StrataStorage

extension Realm {
  /// Writes a compacted copy of the realm to a new file.
  ///
  /// ```swift
  /// try realm.writeCopy(toFile: folder.appendingPathComponent("people-copy.sqlite"))
  /// ```
  /// The copy is one file that is whole when this returns: everything that is committed, from the
  /// log too, as of one moment, while others continue to write. Inside of a write transaction it
  /// has the changes made so far, and takes as much memory as the file is large. This is the way to
  /// copy a file that is open: copying it by other means leaves out its WAL, and may cost other
  /// processes what they commit (`docs/reliability.md`).
  /// - Parameters:
  ///   - fileURL: Where the copy will be.
  ///   - encryptionKey: The key of the copy, whatever that of the realm is; nil for a copy that
  ///     isn't encrypted.
  /// - Throws: ``Realm/Error`` with code `fileExists` when there is a file already, `fileNotFound`
  ///   when there is no folder for it, `filePermissionDenied`, `fileAccess` when it can't be
  ///   written, and `fail` for a key that no file can have. Then no copy exists.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey, nil)
  }

  /// The same with a cancellation.
  package func writeCopy(
    toFile fileURL: URL, encryptionKey: Data?, _ cancellation: Cancellation?
  ) throws {
    var configuration = Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration, cancellation)
  }

  /// Writes a compacted copy of the realm to the file of a configuration: see
  /// ``writeCopy(toFile:encryptionKey:)``.
  public func writeCopy(configuration: Configuration) throws {
    try writeCopy(configuration: configuration, nil)
  }

  private func writeCopy(configuration: Configuration, _ cancellation: Cancellation?) throws {
    let resolved = try ResolvedConfiguration(configuration)
    if let replica = resolved.replica { throw replica.file.cannotBeChanged }
    guard case .file(let url) = resolved.location else {
      throw RealmError(
        .fail,
        "A realm can't be copied into memory: set `fileURL` instead of `inMemoryIdentifier`.")
    }
    try resolved.createDefaultFolder()
    try session.writeCopy(to: url, resolved.key, cancellation)
  }
}
