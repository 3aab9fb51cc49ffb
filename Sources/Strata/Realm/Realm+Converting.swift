public import Foundation
public import StrataRealmFile
import StrataRealmImport
import StrataStorage

extension Realm {
  /// Makes the file of a configuration of a file that Realm wrote, and migrates it, without keeping
  /// it open.
  ///
  /// ```swift
  /// let report = try Realm.convert(realmFile: oldURL, to: configuration)
  /// print(report)
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// The new file gets the classes and the schema version of the old one, in one transaction and
  /// beside its place; it gets its name when all of it is on the disk. Then it is opened as any
  /// file of an older version: the migration block or plan of the configuration brings it to the
  /// present. If that fails, the file stays at the old version, and the next opening migrates it.
  ///
  /// Objects keep their primary keys, links and the order of lists. The identity of an object
  /// follows its key in the old file. The old file is never changed, nor is anything made beside
  /// it.
  ///
  /// Without `objectTypes` the new file gets those classes of the program that the old one has, and
  /// what they lead to. With a migration block or a plan it gets all of them, because these may use
  /// any.
  ///
  /// The old file must not be in use. Where Realm has it open on the same computer this is noticed;
  /// a file on another one must be copied first.
  ///
  /// - Parameters:
  ///   - realmFile: A file of RealmSwift 5 to 20.
  ///   - encryptionKey: What decrypts it: `RealmFileKey` of `StrataRealmFileEncryption`. Nil for a
  ///     file that isn't encrypted. The key of the new file is that of the configuration.
  ///   - configuration: Where the new file is, and its classes of today. There must be no file yet.
  ///   - choices: What becomes of values that a file of this library can't hold.
  ///   - limits: How much the file may decode to.
  ///   - progress: Hears how far the conversion is, on the thread of the caller. The migration has
  ///     `migrationProgress`.
  /// - Returns: What was read and written, class by class.
  /// - Throws: ``Realm/Error`` with code `fileExists` when there is a file; `fileNotFound`,
  ///   `invalidDatabase`, `filePermissionDenied` or `fileAccess` when the old one can't be read,
  ///   with the `RealmFileError` as `underlyingError`; `fail` when it has what the new file can't
  ///   hold, with a ``ConversionRefusal``; and the errors of opening. Until then nothing was
  ///   written.
  @discardableResult
  public static func convert(
    realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil,
    to configuration: Configuration = .current,
    choices: Set<ConversionChoice> = [], limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil
  ) throws -> ConversionReport {
    try convert(
      .automatically(
        from: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
        progress: progress), configuration, nil)
  }

  /// The same away from the caller's thread. Cancelling the task ends it, and leaves no file, or
  /// one at the old version where the migration has begun, which the next opening migrates.
  ///
  /// - Throws: As the other, and `CancellationError`.
  @discardableResult
  public static func convert(
    realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil,
    to configuration: Configuration = .current,
    choices: Set<ConversionChoice> = [], limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil
  ) async throws -> ConversionReport {
    try await inBackground { cancellation in
      try convert(
        .automatically(
          from: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
          progress: progress), configuration, cancellation)
    }
  }

  /// Makes a file of one that Realm wrote, with the classes and the schema version that it has, for
  /// a program that doesn't know the classes.
  ///
  /// ```swift
  /// try Realm.convert(realmFile: oldURL, toFile: newURL)
  /// ```
  /// The parameters are those of the other, except for the place of the new file and
  /// `fileEncryptionKey`, the 64 bytes of its key: without it the new file isn't encrypted, also
  /// where the old one is.
  /// - Throws: As with a configuration, without the errors of a migration.
  @discardableResult
  public static func convert(
    realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil, toFile fileURL: URL,
    fileEncryptionKey: Data? = nil, choices: Set<ConversionChoice> = [],
    limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil
  ) throws -> ConversionReport {
    try convert(
      .automatically(
        from: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
        progress: progress), toFile: fileURL, fileEncryptionKey, nil)
  }

  /// The same away from the caller's thread. Cancelling the task ends it, and leaves no file.
  ///
  /// - Throws: As the other, and `CancellationError`.
  @discardableResult
  public static func convert(
    realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil, toFile fileURL: URL,
    fileEncryptionKey: Data? = nil, choices: Set<ConversionChoice> = [],
    limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil
  ) async throws -> ConversionReport {
    try await inBackground { cancellation in
      try convert(
        .automatically(
          from: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
          progress: progress), toFile: fileURL, fileEncryptionKey, cancellation)
    }
  }

  /// Finds out what a conversion would do, by reading the whole file and without writing a byte.
  ///
  /// ```swift
  /// let forecast = try Realm.conversionForecast(realmFile: oldURL)
  /// print(forecast)
  /// ```
  /// Printed, it is a table of the classes, with what can't be held and which choice repairs it.
  /// Objects with the same primary key, which only damaged files have, are found by the conversion
  /// itself.
  ///
  /// - Parameters:
  ///   - realmFile: A file of RealmSwift 5 to 20.
  ///   - encryptionKey: What decrypts it; nil for a file that isn't encrypted.
  ///   - choices: What becomes of values that a file of this library can't hold.
  ///   - limits: How much the file may decode to.
  ///   - progress: Hears how far the reading is.
  /// - Throws: ``Realm/Error`` when the file can't be read.
  public static func conversionForecast(
    realmFile: URL, encryptionKey: (any RealmFileCipher)? = nil,
    choices: Set<ConversionChoice> = [], limits: RealmFileLimits = RealmFileLimits(),
    progress: (@Sendable (ConversionProgress) -> Void)? = nil
  ) throws -> ConversionForecast {
    let conversion = RealmFileConversion.automatically(
      from: realmFile, encryptionKey: encryptionKey, choices: choices, limits: limits,
      progress: progress)
    return try FileConversion(realmFile, conversion).forecast()
  }

  /// - Parameter key: The 64 bytes of the key of the new file.
  package static func convert(
    _ conversion: RealmFileConversion, toFile fileURL: URL, _ key: Data? = nil,
    _ cancellation: Cancellation? = nil
  ) throws -> ConversionReport {
    let configuration = Configuration(fileURL: fileURL, encryptionKey: key, objectTypes: [])
    return try whileClosed(configuration) { resolved in
      try RealmFileConverter(
        conversion, to: resolved.url ?? fileURL, resolved.key, cancellation
      )
      .convert { _, _ in }
    }
  }

  private static func convert(
    _ conversion: RealmFileConversion, _ configuration: Configuration,
    _ cancellation: Cancellation?
  ) throws -> ConversionReport {
    try whileClosed(configuration) { resolved in
      guard case .file = resolved.location else {
        throw RealmError(
          .fail,
          "The realm '\(resolved.name)' in memory has no file: set `convertsRealmFile`, and open it."
        )
      }
      var resolved = resolved
      resolved.cancellation = cancellation
      if resolved.types == nil, !resolved.runsClosure {
        // Nothing can name a class that the old file doesn't have: other classes of the program
        // come with the first opening that uses them.
        let names = try FileConversion(conversion.realmFile, conversion).schema.objectSchema
        resolved.types = try DiscoveredSchema.types(named: Set(names.map(\.className)))
      }
      let opener = try StoreOpener(resolved)
      let report = try opener.convert(conversion)
      _ = try opener.open()
      return report
    }
  }

  private static func whileClosed<Result>(
    _ configuration: Configuration, _ body: (ResolvedConfiguration) throws -> Result
  ) throws -> Result {
    let resolved = try ResolvedConfiguration(configuration)
    return try StoreRegistry.shared.whileClosed(
      resolved, noneFor: [.store],
      "Cannot convert a file to '\(resolved.name)' while that realm is open."
    ) {
      try body(resolved)
    }
  }
}
