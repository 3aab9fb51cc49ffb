package import Foundation
import GRDB
package import StrataRealmFile
package import StrataSchema
package import StrataStorage

/// One conversion of a Realm file, which reads all of the file once, and writes a new file or only
/// a forecast.
package struct FileConversion {
  package let file: RealmFile
  package let source: URL
  package let choices: ConversionChoices
  package let monitor: ConversionMonitor
  let notes: ConversionNotes
  package let converted: ConvertedSchema

  package init(
    _ source: URL, _ conversion: RealmFileConversion, _ cancellation: Cancellation? = nil
  ) throws(RealmError) {
    choices = try ConversionChoices(conversion.choices)
    self.source = source
    notes = ConversionNotes(conversion.didSettle)
    do throws(RealmFileError) {
      if let key = conversion.encryptionKey {
        file = try RealmFile(source, cipher: key, limits: conversion.limits)
      } else {
        file = try RealmFile(source, limits: conversion.limits)
      }
    } catch {
      throw RealmError(unreadable: error, source)
    }
    converted = ConvertedSchema(file, omitsBookkeeping: choices.bookkeepingClasses != nil)
    monitor = ConversionMonitor(
      conversion.progress, cancellation, total: file.classes.reduce(0) { $0 + $1.count })
  }

  /// The version of the new file. A file that never got a version from Realm has version 0.
  package var version: UInt64 { file.schemaVersion ?? 0 }

  package var schema: Schema { converted.schema }

  /// Reads everything without writing.
  package func forecast() throws -> ConversionForecast {
    try translatingFileErrors {
      try recordSchema()
      let classes = try convertClasses(nil)
      return ConversionForecast(
        source: source.path, fileFormat: file.fileFormat, schemaVersion: file.schemaVersion,
        isSynchronised: file.isSynchronised, schema: schema, classes: classes,
        findings: notes.settled, obstacles: notes.refused)
    }
  }

  /// Writes a new file, which only this process knows, and waits until it is on the disk.
  ///
  /// - Throws: ``RealmError``, a `DatabaseError` or `CancellationError`. Then the caller removes
  ///   the file.
  package func write(to url: URL, _ key: FileKey?) throws -> [ConversionReport.Class] {
    try translatingFileErrors {
      try recordUnsupportedByTables()
      let queue = try ConvertedFile.open(url, key)
      let classes = try write(to: queue)
      try queue.close()
      try PlainFile.synchronize(url)
      return classes
    }
  }

  func writeToMemory() throws -> DatabaseQueue {
    try translatingFileErrors {
      try recordUnsupportedByTables()
      let queue = try DatabaseQueue(configuration: ConvertedFile.configuration(nil))
      _ = try write(to: queue)
      return queue
    }
  }

  private func recordUnsupportedByTables() throws {
    try recordSchema()
    guard notes.refused.isEmpty else {
      _ = try convertClasses(nil)
      throw refusal
    }
  }

  private func write(to queue: DatabaseQueue) throws -> [ConversionReport.Class] {
    try ConvertedFile.migrate(queue, to: version) { db in
      try Cancellation.watch(db, for: monitor.cancellation) { try write(db) }
    }
  }

  private func write(_ db: Database) throws -> [ConversionReport.Class] {
    let writer = ConvertedFile(db: db, schema: schema)
    let start = ContinuousClock.now
    try writer.createTables()
    var classes = try convertClasses(db)
    guard !notes.isRefused else { throw refusal }
    try monitor.begin(nil)
    try writer.createIndexes(notes, keys: keys)
    guard !notes.isRefused else { throw refusal }
    try VersionTable.record(
      db, version: version, SchemaRecord(schema),
      history: VersionTable.History(
        from: nil, seconds: (ContinuousClock.now - start) / .seconds(1),
        rows: classes.reduce(0) { $0 + $1.read.objects }))
    for index in classes.indices { try writer.count(&classes[index]) }
    return classes
  }

  /// The error with all reasons that make the conversion impossible.
  private var refusal: RealmError {
    RealmError(
      .fail,
      "'\(source.path)' can't be converted: it has what a file of this library can't hold.\n"
        + notes.refused.withRepairs + "\nNothing was written.",
      fileURL: source, underlyingError: ConversionRefusal(findings: notes.refused))
  }

  private func recordSchema() throws {
    if version > UInt64(Int64.max) {
      notes.refuse(
        ConversionFinding(
          .schemaVersion,
          detail: "The schema version \(version) is above \(Int64.max), where SQLite's numbers end")
      )
    }
    for omission in converted.omissions { record(omission) }
    for problem in converted.problems {
      // The message continues with the repair.
      let text = problem.sentence
      notes.refuse(
        ConversionFinding(.schema, detail: text.hasSuffix(".") ? String(text.dropLast()) : text))
    }
  }

  private func record(_ omission: ConversionFinding) {
    let isSettled =
      switch omission.kind {
      case .asymmetricClass: choices.asymmetricClasses != nil
      case .bookkeepingClass: choices.bookkeepingClasses != nil
      // The class that a property leads to is refused, or omitted together with it.
      default: true
      }
    notes.record(omission, isSettled: isSettled)
  }

  private func keys(of className: String) throws(RealmFileError) -> ObjectKeys {
    let rows = try file.rows(className)
    var keys = ObjectKeys(count: rows.realmClass.count)
    while try rows.next() { _ = keys.append(try rows.soundKey()) }
    return keys
  }

  /// The classes that links can lead to.
  private var linked: Set<String> {
    let properties = schema.objectSchema.flatMap(\.properties)
    guard !properties.contains(where: { $0.type == .any }) else {
      return Set(schema.objectSchema.map(\.className))
    }
    return Set(properties.compactMap(\.objectClassName))
      .union(schema.objectSchema.filter(\.isEmbedded).map(\.className))
  }

  /// Converts all objects of all classes.
  ///
  /// - Parameter db: The database; nil to write nothing.
  private func convertClasses(_ db: Database?) throws -> [ConversionReport.Class] {
    var context = ConversionContext(
      choices: choices, notes: notes,
      embedded: Set(schema.objectSchema.filter(\.isEmbedded).map(\.className)))
    for name in linked where schema[name] != nil {
      try monitor.check()
      context.keys[name] = try keys(of: name)
    }
    let reading = try file.reading()
    let classes = try schema.objectSchema.map { schema in
      let rows = try reading.rows(schema.className)
      let converter = try ClassConverter(rows.realmClass, schema, context, db)
      try converter.run(rows, monitor)
      return converter.counts
    }
    for name in context.embedded.sorted() { recordOrphans(of: name, context.keys[name]) }
    return classes
  }

  private func recordOrphans(of className: String, _ keys: ObjectKeys?) {
    let children = notes.children(of: className)
    guard let keys, keys.count != children.count else { return }
    for key in keys.keys(without: children) {
      notes.refuse(ConversionFinding(.orphan, className: className, objectKey: key))
    }
  }

  private func translatingFileErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RealmFileError {
      throw RealmError(unreadable: error.at(path: source.path), source)
    }
  }
}
