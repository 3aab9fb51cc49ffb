package import Foundation
package import GRDB
package import StrataRealmFile
package import StrataSchema
package import StrataStorage

/// The conversion of a Realm file into a file of this library, at its path and once.
package struct RealmFileConverter {
  package let conversion: RealmFileConversion
  private let target: URL
  /// The key of the new file; nil if it isn't encrypted.
  private let key: FileKey?
  private let cancellation: Cancellation?
  private let place: ConversionDestination

  /// A check that throws if a file with a version and a schema can't be opened.
  package typealias Check = (_ version: UInt64, _ schema: Schema) throws -> Void

  package init(
    _ conversion: RealmFileConversion, to target: URL, _ key: FileKey?,
    _ cancellation: Cancellation? = nil
  ) {
    self.conversion = conversion
    self.key = key
    self.target = target
    self.cancellation = cancellation
    // The new file is as private as the old one.
    place = ConversionDestination(
      target: target, permissions: FilePermissions(of: conversion.realmFile)?.writable)
  }

  /// Converts if there is an old file, and no new one.
  package func convertIfWanted(checking check: Check) throws {
    place.tidyUp()
    if isWanted { _ = try make(check) }
  }

  /// Whether there is an old file, and no new one.
  private var isWanted: Bool {
    !place.isTaken && FilePermissions(of: conversion.realmFile) != nil
  }

  /// Returns the result of ``convertIfWanted(checking:)`` as a database in memory; nil if there is
  /// nothing to convert.
  package func databaseIfWanted(checking check: Check) throws -> DatabaseQueue? {
    guard isWanted else { return nil }
    var conversion = conversion
    conversion.progress = nil
    let file = try FileConversion(conversion.realmFile, conversion, cancellation)
    try check(file.version, file.schema)
    return try file.writeToMemory()
  }

  /// - Throws: ``RealmError`` with code `fileExists` if there is a new file already.
  package func convert(checking check: Check) throws -> ConversionReport {
    place.tidyUp()
    if !place.isTaken, let report = try make(check) { return report }
    throw RealmError(
      .fileExists,
      "There is a file at '\(target.path)' already, and a conversion never replaces a file. Choose "
        + "another path, or remove that file.", fileURL: target)
  }

  private func make(_ check: Check) throws -> ConversionReport? {
    let start = ContinuousClock.now
    // All checks that need no writing come first.
    _ = try StoreFile.inspect(target, forWriting: true)
    var report = try place.make(cancellation) { temporary in
      let file = try FileConversion(conversion.realmFile, conversion, cancellation)
      try check(file.version, file.schema)
      let classes = try translatingErrors(of: temporary) { try file.write(to: temporary, key) }
      return ConversionReport(
        source: conversion.realmFile.path, path: target.path, fileFormat: file.file.fileFormat,
        schemaVersion: file.version, classes: classes, findings: file.notes.settled, duration: .zero
      )
    }
    report?.duration = ContinuousClock.now - start
    if let report { conversion.didConvert?(report) }
    return report
  }

  /// Names the final file in errors, and not the temporary one, which is removed.
  private func translatingErrors<Result>(
    of temporary: URL, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as CancellationError {
      throw error
    } catch {
      var translated = RealmError(error, at: target)
      translated.message = translated.message.replacingOccurrences(
        of: temporary.path, with: target.path)
      if translated.fileURL == temporary { translated.fileURL = target }
      throw translated
    }
  }
}

/// The destination of a conversion. Only one process at a time writes to it, and the files of a
/// killed process are removed.
///
/// Meanwhile there are, beside `people.sqlite`, the new file `people.sqlite.converting`, and
/// `people.sqlite.converting-lock`, which a process has locked. The lock file is removed last. If
/// it exists without a lock, a process was killed, and the next one removes the leftover files.
struct ConversionDestination {
  let target: URL
  /// The permissions of the new file; nil for the default permissions.
  let permissions: FilePermissions?

  private var temporary: URL { target.appendingPathExtension("converting") }
  private var lock: URL { URL(fileURLWithPath: temporary.path + "-lock") }

  /// Whether the target path exists, as a file or anything else.
  var isTaken: Bool { exists(target) }

  private func exists(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0
  }

  /// Removes the files of a killed process, if any.
  func tidyUp() {
    guard exists(lock), let held = FileLock.exclusive(lock) else { return }
    withExtendedLifetime(held) { removeAll() }
  }

  private func removeAll() {
    DatabaseCopy.remove(temporary)
    unlink(lock.path)
  }

  /// Writes a new file and gives it its name, unless there is a file by then.
  ///
  /// Waits while another process does the same.
  /// - Parameter write: Writes a file, which is on the disk when the closure returns.
  /// - Returns: Nil if there is a file already.
  /// - Throws: ``RealmError``, or the error of the closure; then there is no new file.
  func make<Result>(
    _ cancellation: Cancellation?, _ write: (_ temporary: URL) throws -> Result
  ) throws -> Result? {
    let held = try advising { try waitForLock(cancellation) }
    defer { withExtendedLifetime(held) {} }
    defer { removeAll() }
    guard !isTaken else { return nil }
    try refuseLog()
    DatabaseCopy.remove(temporary)
    try advising { try PlainFile.create(temporary, like: permissions) }
    let result = try write(temporary)
    return try advising { try PlainFile.name(temporary, target) } ? result : nil
  }

  /// Adds advice to an error of a file operation.
  private func advising<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as RealmError {
      error.message += " Free some space, and check that the folder is writable."
      throw error
    }
  }

  /// In microseconds.
  private static let pause: UInt32 = 20_000

  private func waitForLock(_ cancellation: Cancellation?) throws -> FileLock {
    while true {
      try cancellation?.check()
      if let held = try FileLock.exclusive(making: lock) { return held }
      usleep(Self.pause)
    }
  }

  /// SQLite would use a WAL without its database for the new file.
  private func refuseLog() throws(RealmError) {
    for companion in StoreFile.companions(of: target).dropFirst() where exists(companion) {
      throw RealmError(
        .fileExists,
        "'\(companion.path)' belongs to a file that no longer exists, and SQLite would treat it as "
          + "a part of the new file. Delete it, or restore the old file.", fileURL: target)
    }
  }
}

/// The reason why a conversion was refused: the `underlyingError` of the error.
public struct ConversionRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The data that a file of this library can't store, and for which no choice was made.
  public let findings: ConversionFindings

  public var description: String { findings.description }
}

extension RealmError {
  /// Creates the error of a Realm file that can't be read, with the place, the reason and the
  /// repair.
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
