public import Foundation
public import StrataRealmFile
import StrataRealmImport
import StrataStorage

extension Realm {
  /// Converts a Realm file to the file of a configuration, and migrates the result, without keeping
  /// it open.
  ///
  /// ```swift
  /// let report = try Realm.convert(realmFile: oldURL, to: configuration)
  /// print(report)
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// The new file gets the classes and the schema version of the old one, in one transaction and
  /// under a temporary name. It gets its own name when all data is on the disk. Then it is opened
  /// like any file of an older version: the migration block or plan of the configuration migrates
  /// it. If the migration fails, the new file stays at the old version, and the next opening
  /// migrates it.
  ///
  /// Objects keep their primary keys, links and the order of lists. The identities of objects are
  /// in the order of their keys in the old file. The old file is never changed, and no file is
  /// created next to it.
  ///
  /// Without `objectTypes`, the new file gets the program's classes that are in the old file, and
  /// the classes that they link to. With a migration block or a plan, it gets all classes of the
  /// program, because the block or plan may use any of them.
  ///
  /// The old file must not be in use. If Realm has it open on the same computer, this is detected;
  /// copy a file of another computer first.
  ///
  /// - Parameters:
  ///   - realmFile: A file of RealmSwift 5 to 20.
  ///   - encryptionKey: The cipher of the old file: `RealmFileKey` of `StrataRealmFileEncryption`.
  ///     Nil for an unencrypted file. The new file uses the key of the configuration.
  ///   - configuration: The configuration of the new file, which must not exist yet.
  ///   - choices: The handling of values that a file of this library can't store.
  ///   - limits: The limits of the decoded size.
  ///   - progress: A closure that receives the progress of the conversion, on the thread of the
  ///     caller. The migration reports to `migrationProgress`.
  /// - Returns: A report of the data that was read and written, by class.
  /// - Throws: ``Realm/Error`` with code `fileExists` when the new file exists; `fileNotFound`,
  ///   `invalidDatabase`, `filePermissionDenied` or `fileAccess` when the old file can't be read,
  ///   with the `RealmFileError` as `underlyingError`; `fail` when the old file has values that the
  ///   new one can't store, with a ``ConversionRefusal``; and the errors of opening. No new file
  ///   exists after an error before the opening.
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

  /// Converts a Realm file on another thread. Canceling the task ends the conversion and leaves no
  /// file, or a file at the old version if the migration has begun, which the next opening
  /// migrates.
  ///
  /// - Throws: The errors of the synchronous method, and `CancellationError`.
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

  /// Converts a Realm file with its own classes and schema version, for a program that doesn't know
  /// the classes.
  ///
  /// ```swift
  /// try Realm.convert(realmFile: oldURL, toFile: newURL)
  /// ```
  /// Takes the parameters of the method with a configuration, except for `fileURL`, the URL of the
  /// new file, and `fileEncryptionKey`, the 64 bytes of its key. Without a key, the new file isn't
  /// encrypted, even if the old one is.
  /// - Throws: The errors of the method with a configuration, except for migration errors.
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

  /// Converts a Realm file on another thread. Canceling the task ends the conversion and leaves no
  /// file.
  ///
  /// - Throws: The errors of the synchronous method, and `CancellationError`.
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

  /// Forecasts the result of a conversion. Reads the whole file, and writes nothing.
  ///
  /// ```swift
  /// let forecast = try Realm.conversionForecast(realmFile: oldURL)
  /// print(forecast)
  /// ```
  /// The description of the forecast is a table of the classes, with the values that can't be
  /// stored and the choices that solve this. Objects with the same primary key, which occur only in
  /// damaged files, are found by the conversion itself.
  ///
  /// - Parameters:
  ///   - realmFile: A file of RealmSwift 5 to 20.
  ///   - encryptionKey: The cipher of the file; nil for an unencrypted file.
  ///   - choices: The handling of values that a file of this library can't store.
  ///   - limits: The limits of the decoded size.
  ///   - progress: A closure that receives the progress of reading.
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

  /// Converts a Realm file with its own classes.
  ///
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
        // Without a closure, nothing can name a class that the old file doesn't have. Other classes
        // of the program are added by the first opening that uses them.
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
