import GRDB
import StrataSchema
import StrataStorage
import StrataStudio

/// The writer of a whole file as SQL for `psql`, with constant memory.
///
/// Everything is one transaction of PostgreSQL. Keys, indexes and foreign keys come after the data:
/// they are built faster then, and the order of the tables doesn't matter.
struct PostgresExporter {
  /// The counts of what was written, and the differences in PostgreSQL.
  struct Report: Hashable {
    var classes = 0
    var objects = 0
    var elements = 0
    var findings = PostgresFindings()

    /// The line that the command prints about the file that it made.
    func line(path: String) -> String {
      "\(PlainText.of(path)): \(Figures.count(objects, "object")) of "
        + "\(Figures.count(classes, "class", "classes")), "
        + Figures.count(elements, "element of a collection", "elements of collections")
    }
  }

  private let db: Database
  private let schema: PostgresSchema
  private let body: ([UInt8]) throws -> Void
  private var text = CopyText()
  private var report: Report
  private var lengths: [String: PostgresLengths] = [:]

  private static let pieceLength = 65_536

  /// The maximum length of a line that PostgreSQL reads, and of a `jsonb`.
  private let longestLine: Int
  private let longestJSON: Int

  /// - Parameter body: Receives the text in pieces of some kilobytes.
  init(
    _ db: Database, _ schema: Schema, longestLine: Int = 0x3FFF_FFFF,
    longestJSON: Int = 0x0FFF_FFFF, _ body: @escaping ([UInt8]) throws -> Void
  ) {
    self.db = db
    self.schema = PostgresSchema(schema)
    self.body = body
    self.longestLine = longestLine
    self.longestJSON = longestJSON
    report = Report(
      classes: schema.objectSchema.count, findings: PostgresFindings(self.schema.renamed))
  }

  /// - Throws: ``CommandFailure`` for an object that is too large for PostgreSQL, and the errors of
  ///   the closure.
  mutating func write() throws -> Report {
    try give(PostgresSQL.start)
    for table in schema.tables { try give(PostgresSQL.createTable(table)) }
    for table in schema.tables { try writeData(of: table) }
    try writeVersions()
    for table in schema.tables { try writeKeys(of: table) }
    for table in schema.tables {
      for column in table.columns {
        if let key = PostgresSQL.foreignKey(column, of: table) { try give(key) }
      }
    }
    try writeChildren()
    for renaming in schema.renamed { try give(PostgresSQL.comment(renaming)) }
    try give(PostgresSQL.comments(report.findings.lines))
    try give(PostgresSQL.end)
    return report
  }

  private func give(_ sql: String) throws { try body(Array(sql.utf8)) }

  // MARK: Data

  private mutating func writeData(of table: PostgresTable) throws {
    try give(PostgresSQL.copy(table))
    let rows = PostgresRows(table)
    let statement = try db.makeStatement(sql: rows.sql)
    var longest = [Int](repeating: 0, count: table.columns.count)
    while try statement.stepRaw() {
      guard try writeLine(rows, statement, &longest) else { continue }
      switch table.content {
      case .objects: report.objects += 1
      case .elements: report.elements += 1
      }
      guard text.bytes.count > Self.pieceLength else { continue }
      try body(text.bytes)
      text.removeAll()
    }
    try body(text.bytes)
    text.removeAll()
    lengths[table.name] = Dictionary(
      uniqueKeysWithValues: zip(table.columns.map(\.name), longest))
    try give(PostgresSQL.endOfData)
  }

  /// Writes a row. Returns false for an element whose owner was deleted.
  private mutating func writeLine(
    _ rows: PostgresRows, _ statement: Statement, _ longest: inout [Int]
  ) throws -> Bool {
    let start = text.bytes.count
    for (index, source) in rows.sources.enumerated() {
      let column = rows.table.columns[index]
      var value = statement.storedValue(source.value)
      if let target = source.target, value != .null, statement.storedValue(target) == .null {
        let title = rows.table.title(of: column)
        guard !column.isRequired else {
          report.findings.add(.lostElement, title)
          text.removeLine(from: start)
          return false
        }
        report.findings.add(.danglingLink, title)
        value = .null
      }
      var typeName: String?
      if let type = source.type, case .text(let name) = statement.storedValue(type) {
        typeName = name
      }
      if let note = text.append(value, typeName: typeName, column) {
        report.findings.add(note, rows.table.title(of: column))
      }
      longest[index] = max(longest[index], text.lastLength)
      guard column.type != .jsonb || text.lastLength <= longestJSON else {
        throw tooLarge(rows.table, statement, what: "The value of '\(column.source)'")
      }
    }
    text.endLine()
    guard text.bytes.count - start <= longestLine else {
      throw tooLarge(rows.table, statement, what: "It")
    }
    return true
  }

  private func tooLarge(
    _ table: PostgresTable, _ statement: Statement, what: String
  ) -> CommandFailure {
    CommandFailure(
      .data,
      "\(PlainText.of(table.title)), row \(statement.int64(0)): \(PlainText.of(what)) is larger "
        + "than PostgreSQL can load. Keep such data in files, and their names in the database.")
  }

  private mutating func writeVersions() throws {
    try give(PostgresSQL.createVersionTable(schema.versionTable))
    let statement = try db.makeStatement(
      sql: "SELECT version, schema, migrated_at FROM strata_schema_version ORDER BY version")
    let columns = [
      PostgresColumn(name: "version", valueType: .int, isRequired: true, source: "version"),
      PostgresColumn(name: "schema", valueType: .string, isRequired: false, source: "schema"),
      PostgresColumn(
        name: "migrated_at", valueType: .date, isRequired: false, source: "migrated_at"),
    ]
    while try statement.stepRaw() {
      for (index, column) in columns.enumerated() {
        _ = text.append(statement.storedValue(Int32(index)), column)
      }
      text.endLine()
    }
    try body(text.bytes)
    text.removeAll()
    try give(PostgresSQL.endOfData)
  }

  // MARK: Keys and indexes

  private mutating func writeKeys(of table: PostgresTable) throws {
    if canHaveDuplicates(table) { try give(PostgresSQL.deleteDuplicates(table)) }
    if table.content == .objects {
      try give(PostgresSQL.key(table, next: try nextIdentity(of: table)))
    }
    let lengths = lengths[table.name] ?? [:]
    for index in table.indexes {
      let column = index.columns.last.flatMap { table[$0] }
      let title = column.map { table.title(of: $0) } ?? table.title
      var isShared = false
      if index.kind == .child, let column, try self.isShared(column, table) {
        isShared = true
        report.findings.add(.sharedChild, title)
      }
      if PostgresSQL.isLong(index, of: table, lengths) {
        report.findings.add(index.kind == .text ? .longTexts : .longValues, title)
      }
      try give(PostgresSQL.index(index, of: table, lengths, isShared: isShared))
    }
  }

  private func canHaveDuplicates(_ table: PostgresTable) -> Bool {
    guard table.content == .elements(.set), let value = table.columns.last else { return false }
    return [.numeric, .jsonb].contains(value.type)
      || [.roundedDate, .zeroByte, .unreadable].contains { report.findings.has($0, table.title) }
  }

  /// The next identity. Strata never reuses an identity, not even of a deleted object.
  private func nextIdentity(of table: PostgresTable) throws -> Int64 {
    let identity = SQLName.quote(table.columns[0].source)
    let last = try Int64.fetchOne(
      db,
      sql: """
        SELECT max(ifnull((SELECT max(\(identity)) FROM \(SQLName.quote(table.source))), 0), \
        ifnull((SELECT seq FROM sqlite_sequence WHERE name = \(table.source.quoted("'"))), 0), 0)
        """)
    return last == .max ? .max : (last ?? 0) + 1
  }

  private func isShared(_ column: PostgresColumn, _ table: PostgresTable) throws -> Bool {
    let name = SQLName.quote(column.source)
    return try Int.fetchOne(
      db,
      sql: """
        SELECT 1 FROM \(SQLName.quote(table.source)) WHERE \(name) IS NOT NULL \
        GROUP BY \(name) HAVING count(*) > 1 LIMIT 1
        """) != nil
  }

  private func writeChildren() throws {
    let triggers = schema.tables.flatMap { table in
      table.columns.compactMap { PostgresSQL.childTriggers($0, of: table) }
    }
    guard !triggers.isEmpty else { return }
    try give(PostgresSQL.childFunction + triggers.joined())
  }
}

/// The statement that reads the rows of a table from the file, and the meaning of its columns.
struct PostgresRows {
  struct Source {
    var value: Int32
    /// The name of the type of an `AnyRealmValue`.
    var type: Int32?
    /// The column is NULL if the linked object was deleted.
    var target: Int32?
  }

  let table: PostgresTable
  private(set) var sources: [Source] = []
  private(set) var sql: String

  init(_ table: PostgresTable) {
    self.table = table
    var columns: [String] = []
    func add(_ sql: String) -> Int32 {
      columns.append(sql)
      return Int32(columns.count - 1)
    }
    for column in table.columns {
      let name = "t.\(SQLName.quote(column.source))"
      var source = Source(value: add(name))
      source.type = column.typeSource.map { add("t.\(SQLName.quote($0))") }
      source.target = column.reference.map { reference in
        let target = SQLName.quote(reference.sourceTable)
        let identity = SQLName.quote(reference.sourceIdentity)
        return add("(SELECT 1 FROM \(target) AS o WHERE o.\(identity) = \(name))")
      }
      sources.append(source)
    }
    let order = table.columns.prefix(table.content == .objects ? 1 : 2)
      .map { "t.\(SQLName.quote($0.source))" }
    sql = """
      SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quote(table.source)) AS t \
      ORDER BY \(order.joined(separator: ", "))
      """
  }
}
