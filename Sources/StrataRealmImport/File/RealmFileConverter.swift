package import Foundation
package import GRDB
import StrataRealmFile
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
