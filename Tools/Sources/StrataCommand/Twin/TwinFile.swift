import Foundation
import GRDB
import Strata
import StrataSchema
import StrataStorage
import StrataStudio

/// A twin of a file: a new database with the schema and the rows of the file, and other values.
///
/// The new file is created empty, so that it contains no byte of the original, not even in unused
/// space.
struct TwinFile {
  /// A private copy of the original, which no other process uses.
  let original: URL
  let key: FileKey?
  let newKey: FileKey?
  let secret: TwinSecret
  /// The properties whose values stay, as `Class.property`.
  var kept: Set<String> = []
  var cancellation: Cancellation?

  /// The contents of a finished twin.
  struct Contents: Hashable {
    var version: UInt64 = 0
    var classes = 0
    var objects = 0
    var changedValues = 0
    /// Tables of other programs, which are empty in the twin.
    var emptyTables: [String] = []
    /// Items of other programs that the twin doesn't have.
    var leftOut: [String] = []
  }

  /// Writes the twin.
  ///
  /// - Parameters:
  ///   - url: The file to be made.
  ///   - source: The path of the file that was copied, for errors.
  ///   - target: The path of the twin in the end, for errors.
  /// - Throws: ``CommandFailure``, ``RealmError`` or `CancellationError`. A part of the file may be
  ///   left, which the caller deletes.
  func write(
    to url: URL, of source: URL, named target: URL, progress: @escaping (Double) -> Void
  ) throws -> Contents {
    do {
      let (state, header) = try read(source)
      try checkKept(in: state.schemaWithRetired)
      try PlainFile.create(url, like: FilePermissions(of: original))
      var configuration = Connections.configuration(newKey)
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: url.path, configuration: configuration)
      let contents = try queue.writeWithoutTransaction { db in
        try header.apply(to: db)
        try attach(to: db)
        let contents = try Cancellation.watch(db, for: cancellation) {
          try copy(to: db, state, progress)
        }
        try db.execute(sql: "DETACH DATABASE original")
        try Cancellation.watch(db, for: cancellation) { try DatabaseCopy.check(db, target) }
        return contents
      }
      try queue.close()
      try PlainFile.synchronize(url)
      return contents
    } catch let error as DatabaseError {
      throw RealmError(error, at: target)
    }
  }

  private func copy(
    to db: Database, _ state: FileState, _ progress: @escaping (Double) -> Void
  ) throws -> Contents {
    let schema = state.schemaWithRetired
    let tables = TwinTable.all(of: schema, state.catalog.columns, keeping: kept)
    let rows = try tables.map { table in
      let sql = "SELECT count(*) FROM original.\(SQLName.quote(table.name))"
      return try table.replacedCount * (Int.fetchOne(db, sql: sql) ?? 0)
    }
    // Each value is read twice.
    let total = Double(max(1, 2 * rows.reduce(0, +)))
    let functions = TwinFunctions(
      TwinValues(secret), classNames: Set(schema.objectSchema.map(\.className))
    ) { progress(min(1, Double($0) / total)) }
    try functions.add(to: db)
    defer { functions.remove(from: db) }
    var copier = TwinCopier(db: db, state: state, tables: tables, functions: functions)
    return try copier.copy()
  }

  /// Attaches the original as `original`.
  private func attach(to db: Database) throws {
    guard Realm.canEncrypt else {
      return try db.execute(
        sql: "ATTACH DATABASE ? AS original", arguments: [original.path])
    }
    // Without a key, SQLCipher would use the twin's.
    try db.execute(
      sql: "ATTACH DATABASE ? AS original KEY ?", arguments: [original.path, key?.literal ?? ""])
  }

  /// Reads the state of the original, and the numbers in its header.
  private func read(_ source: URL) throws -> (FileState, TwinHeader) {
    let queue = try DatabaseQueue(
      path: original.path, configuration: Connections.configuration(key))
    let result = try queue.writeWithoutTransaction { db in
      (try FileState.read(db, at: source), try TwinHeader(db))
    }
    try queue.close()
    return result
  }

  private func checkKept(in schema: Schema) throws(CommandFailure) {
    let names = Set(
      schema.stored.objectSchema.flatMap { object in
        object.properties.map { "\(object.className).\($0.columnName)" }
      })
    for name in kept.sorted() where !names.contains(name) {
      throw CommandFailure(
        .usage,
        "The file has no property '\(PlainText.of(name))'. Give '--keep' a class and a property, as in "
          + "'Pet.kind': 'strata schema' lists them.")
    }
  }
}

/// Numbers in the header of a database that are a part of its form.
private struct TwinHeader {
  private let pragmas: [(name: String, value: String)]

  init(_ db: Database) throws {
    pragmas = try ["page_size", "encoding", "auto_vacuum", "user_version", "application_id"].map {
      ($0, try String.fetchOne(db, sql: "PRAGMA \($0)") ?? "")
    }
  }

  /// Sets the numbers of a database that has nothing yet, and prepares it for being written once: a
  /// file that isn't complete gets no name, so no change must be undone.
  func apply(to db: Database) throws {
    for (name, value) in pragmas { try db.execute(sql: "PRAGMA \(name) = '\(value)'") }
    try db.execute(
      sql: """
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
        PRAGMA ignore_check_constraints = ON
        """)
  }
}
