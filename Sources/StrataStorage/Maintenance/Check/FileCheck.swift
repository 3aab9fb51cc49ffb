package import Foundation
import GRDB
package import StrataSchema

/// A check for all problems of a file. The check changes nothing.
package final class FileCheck {
  private let db: Database
  private let url: URL
  private let isReadable: ValueReading
  private let progress: Progress
  private var problems: [FileProblem] = []
  private var steps = 0
  /// The steps for the pages and the file as a whole; the classes are added.
  private var allSteps = 3

  /// The number of rows that are listed for each property and kind of problem.
  package static let listed = 100
  /// The number of problems that SQLite lists.
  private static let damages = 100

  /// Whether a value that isn't NULL can be read by objects as the property's type.
  package typealias ValueReading = (Property, _StoredElement) -> Bool

  /// A closure that receives the progress of the check, and ends it by throwing.
  package typealias Progress = (FileCheckProgress) throws -> Void

  /// - Throws: ``RealmError`` for a path at which no database can be read, and the error of the
  ///   closure.
  package static func problems(
    of url: URL, _ key: FileKey?, isReadable: @escaping ValueReading,
    _ cancellation: Cancellation? = nil, progress: @escaping Progress = { _ in }
  ) throws -> [FileProblem] {
    try StoreFile.requireDatabase(url, ifEmpty: ErrorText.notInitialized(url.path))
    // The closure's error is passed on unchanged: it isn't an error of the file.
    var ended: (any Error)?
    do {
      return try translatingErrors(at: url) {
        try Connections.openChecker(url, key).unsafeRead { db in
          let check = FileCheck(db: db, url: url, isReadable: isReadable) { step in
            do {
              try progress(step)
            } catch {
              ended = error
              throw error
            }
          }
          return try Cancellation.watch(db, for: cancellation) { try check.run() }
        }
      }
    } catch  where cancellation?.isCancelled == true {
      throw CancellationError()
    } catch {
      throw ended ?? error
    }
  }

  private init(
    db: Database, url: URL, isReadable: @escaping ValueReading, progress: @escaping Progress
  ) {
    self.progress = progress
    self.db = db
    self.url = url
    self.isReadable = isReadable
  }

  /// Runs all checks in one transaction, while others may write.
  private func run() throws -> [FileProblem] {
    try damageIsProblem {
      try db.beginTransaction(.deferred)
      try step("pages")
      try checkPages()
      try checkContent()
    }
    if db.isInsideTransaction { try db.rollback() }
    return problems
  }

  private func step(_ subject: String) throws {
    try progress(
      FileCheckProgress(subject: subject, completedSteps: steps, totalSteps: allSteps))
    steps += 1
  }

  /// Runs a part of the check. If SQLite can't read that part, adds a problem instead of failing.
  private func damageIsProblem(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      add(damage: error.message ?? "\(error.resultCode)")
    } catch let error as RealmError where error.code == .invalidDatabase {
      add(
        .record, error.message, repair: "Nothing else of the file's classes could be checked.")
    }
  }

  private func add(
    _ kind: FileProblem.Kind, className: String? = nil, property: String? = nil, _ message: String,
    repair: String = "Open the file for writing: it is rebuilt."
  ) {
    problems.append(
      FileProblem(kind, className: className, property: property, message, repair: repair))
  }

  private func add(damage: String) {
    let problem = FileProblem(
      .damage, "SQLite finds the file damaged: \(damage).",
      repair: "Restore it from a backup, or save what 'sqlite3 file .recover' finds.")
    if !problems.contains(problem) { problems.append(problem) }
  }

  private func checkPages() throws {
    for text in try PageCheck.problems("integrity_check(\(Self.damages))", db) {
      add(damage: text)
    }
  }

  // MARK: The contents that the file declares

  private func checkContent() throws {
    let catalog = try Catalog.read(db)
    guard catalog.hasTable(VersionTable.name),
      let current = try VersionTable.current(db, at: url)
    else {
      add(
        .record, ErrorText.notInitialized(url.path),
        repair: "If it had objects, restore it from a backup.")
      return
    }
    _ = try VersionTable.history(db, at: url)
    let record = try VersionTable.decodeRecord(current.schema, at: url)
    let schema = record.schemaWithRetired
    let wrong = CatalogCheck.problems(stored: schema, columns: catalog.columns)
    problems += wrong.map {
      FileProblem(.table, $0, repair: "Restore the missing parts, or the file from a backup.")
    }
    guard wrong.isEmpty else { return }
    checkIndexes(record.schema, catalog)
    checkHelpers(schema, catalog)
    allSteps += schema.objectSchema.count
    for object in schema.objectSchema {
      try step(object.className)
      try checkValues(of: object)
    }
    try step("links")
    for query in ContentQuery.all(schema) { try run(query) }
    try step("texts")
    try checkTexts(schema, catalog)
    try checkOtherReferences(schema)
  }

  private func checkIndexes(_ schema: Schema, _ catalog: Catalog) {
    for text in catalog.missingPrimaryKeys(of: schema) {
      problems.append(
        FileProblem(.index, text, repair: "Delete the duplicates, then create the index again."))
    }
    let present = catalog.withPresentIndexes(schema)
    for (object, now) in zip(schema.objectSchema, present.objectSchema) {
      for (property, left) in zip(object.properties, now.properties)
      where property.wantsIndex && !left.wantsIndex {
        let name = IndexSQL.name(table: object.className, column: property.columnName)
        add(
          .index, className: object.className, property: property.columnName,
          "The index '\(name)' is missing.")
      }
      for columns in object.compoundIndexes where !now.compoundIndexes.contains(columns) {
        let name = IndexSQL.name(table: object.className, columns: columns)
        add(.index, className: object.className, "The index '\(name)' is missing.")
      }
    }
  }

  private func checkHelpers(_ schema: Schema, _ catalog: Catalog) {
    let items = HelperItems(of: schema, in: catalog)
    for index in items.missingIndexes {
      let state = items.wrongIndexes.contains(index.name) ? "not as it must be" : "missing"
      add(.index, "The index '\(index.name)' is \(state).")
    }
    for trigger in items.missingTriggers {
      let state = items.wrongTriggers.contains(trigger.name) ? "not as it must be" : "missing"
      add(.trigger, "The trigger '\(trigger.name)' is \(state).")
    }
    for table in items.staleTextTables {
      let isThere = !items.missingTextTables.contains(table)
      add(
        .index, className: table.className, property: table.column,
        isThere
          ? "The triggers of the full-text index '\(table.name)' are not as they must be."
          : "The full-text index '\(table.name)' is missing, or not as it must be.")
    }
    for name in items.wrongTextTables
    where !items.missingTextTables.contains(where: { $0.name == name }) {
      add(
        .index, "The full-text index '\(name)' belongs to no class of the file.",
        repair: "Open the file for writing: it is removed.")
    }
    for name in items.wrongTriggers
    where !items.missingTriggers.contains(where: { $0.name == name })
      && !items.staleTextTables.flatMap(\.triggers).contains(where: { $0.name == name })
    {
      add(
        .trigger, "The trigger '\(name)' belongs to no class of the file.",
        repair: "Open the file for writing: it is removed.")
    }
  }

  /// Checks whether the full-text indexes contain the words of the texts. A missing index is a
  /// separate problem.
  ///
  /// The words are compared in temporary tables, which even a connection may write that must not
  /// write the file.
  private func checkTexts(_ schema: Schema, _ catalog: Catalog) throws {
    let tables = schema.textTables.filter {
      catalog.hasTable($0.name) && catalog.hasTable($0.name + "_docsize")
    }
    guard !tables.isEmpty else { return }
    guard try TextSearchSupport.hasModule(db) else {
      for table in tables { try run(ContentQuery.texts(of: table, words: false)) }
      return
    }
    try db.execute(sql: "PRAGMA query_only = 0")
    for table in tables {
      try damageIsProblem {
        for sql in table.prepareComparison { try db.execute(sql: sql) }
        try run(ContentQuery.texts(of: table, words: true))
      }
      for sql in TextTable.finishComparison { try db.execute(sql: sql) }
    }
    try db.execute(sql: "PRAGMA query_only = 1")
  }

  // MARK: Rows

  private func checkValues(of object: ObjectSchema) throws {
    var found: [FileProblem] = []
    try damageIsProblem { found = try ValueCheck(db, object, isReadable: isReadable).problems() }
    problems += found
  }

  private func run(_ query: ContentQuery) throws {
    var rows: [Int64] = []
    var count = 0
    try damageIsProblem {
      let cursor = try Int64?.fetchCursor(db, sql: query.sql)
      while let row = try cursor.next() {
        count += 1
        if let row, rows.count < Self.listed { rows.append(row) }
      }
    }
    problems += rows.map(query.problem)
    if count > rows.count { problems.append(query.rest(count - rows.count)) }
  }

  /// Checks references in tables of other programs. The references of classes have been checked one
  /// by one.
  private func checkOtherReferences(_ schema: Schema) throws {
    let own = Set(
      schema.objectSchema.flatMap { [$0.className] + $0.collectionTables.map(\.name) }
        .map(SQLName.folded))
    var counts: [String: Int] = [:]
    try damageIsProblem {
      let violations = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
      while let row = try violations.next() {
        let table: String = row[0]
        if !own.contains(SQLName.folded(table)) { counts[table, default: 0] += 1 }
      }
    }
    for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
      add(
        .danglingLink,
        "Table '\(table)' of another program has \(count) references to missing rows.",
        repair: "Correct them with the program that made the table.")
    }
  }
}

/// The progress of a check of a file.
public struct FileCheckProgress: Sendable, Hashable {
  /// The next part: `pages`, or the name of a class.
  public let subject: String

  /// The number of completed steps.
  public let completedSteps: Int

  /// The number of all steps. Their durations differ: the pages of a large file take the most time.
  public let totalSteps: Int
}
