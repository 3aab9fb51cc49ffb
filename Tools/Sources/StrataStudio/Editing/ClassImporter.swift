import GRDB
import Strata
import StrataSchema
import StrataStorage

/// The import of a file into one class, inside of a transaction. Invalid objects are skipped.
struct ClassImporter {
  private var reader: ImportReader
  private let wish: ImportWish
  private let schema: StudioSchema
  private let table: ObjectSchema
  /// Problems that were found in an earlier pass, by row number.
  private let known: [Int: [ImportReport.Problem]]
  /// The columns with a property, of the columns seen so far.
  private var columns: [(index: Int, property: Property)] = []
  /// The column with the original identities of the objects; nil without such a column.
  private var identityColumn: Int?
  private var seen = 0
  private(set) var report: ImportReport
  /// The links to objects that may come later in the input.
  private(set) var pending: [Pending] = []

  /// Values of an existing object, which are set after all other objects are imported.
  struct Pending {
    let row: Int
    let line: Int
    let link: ObjectLink
    /// The key or identity of the object in the input.
    let target: ImportTarget?
    var cells: [(column: Int, cell: ImportCell)] = []
  }

  private static let maxProblems = 20

  /// - Throws: ``RequestFailure`` with status 404 or 422 for an invalid input or mapping.
  init(
    _ part: ImportPart, _ wish: ImportWish, _ schema: StudioSchema, _ keys: ImportedKeys,
    known: [Int: [ImportReport.Problem]]
  ) throws(RequestFailure) {
    self.wish = wish
    self.schema = schema
    self.known = known
    let table = try schema.objectSchema(part.className)
    self.table = table
    guard !table.isEmbedded else {
      throw .invalid(
        "'\(PlainText.of(table.className))' is an embedded class, whose objects belong to others. Import "
          + "into another class.")
    }
    guard !wish.updates || table.primaryKeyProperty != nil else {
      throw .invalid(
        "'\(PlainText.of(table.className))' has no primary key, which is needed to find existing "
          + "objects. Import without updating them.")
    }
    reader = try ImportReader(part.input, wish, keys) { name in
      wish.mapping.keys.contains(name) || table[named: name] != nil
    }
    report = ImportReport()
    report.format = reader.format
    try mapNewColumns()
    if reader.format == .csv { try checkMapping() }
  }

  /// Whether the objects have identities; nil until the first column is known.
  var hasIdentities: Bool? { seen == 0 ? nil : identityColumn != nil }

  /// Finds the properties of columns that appeared with the last object.
  private mutating func mapNewColumns() throws(RequestFailure) {
    while seen < reader.columns.count {
      let column = reader.columns[seen]
      seen += 1
      var property = table[named: column]
      if let wanted = wish.mapping[column] {
        property = nil
        if let wanted { property = try schema.property(wanted, of: table.className) }
      } else if table.primaryKeyProperty == nil, column == table.identityColumn {
        identityColumn = seen - 1
        report.mapped[column] = column
        continue
      }
      guard let property else { continue }
      guard !columns.contains(where: { $0.property.name == property.name }) else {
        throw .invalid(
          "Two columns are for '\(PlainText.of(property.name))'. Leave one of them out.")
      }
      columns.append((seen - 1, property))
      report.mapped[column] = property.name
    }
    report.columns = reader.columns
  }

  /// Checks the names in the mapping, after all columns are known.
  private func checkMapping() throws(RequestFailure) {
    for name in wish.mapping.keys.sorted() where !reader.columns.contains(name) {
      throw .invalid(
        "The file has no column '\(PlainText.of(name))'. Its columns are: "
          + "\(PlainText.of(reader.columns.joined(separator: ", "))).")
    }
  }

  /// The error if no column of the input has a property.
  struct NoProperty: Error {
    let report: ImportReport

    var message: String { report.problems.first?.message ?? "" }
  }

  /// - Throws: ``NoProperty`` if no column has a property.
  /// - Precondition: All columns are known.
  private func checkProperties() throws {
    guard columns.isEmpty, identityColumn == nil || reader.columns.count > 1,
      !reader.columns.isEmpty
    else { return }
    var report = report
    report.ready = 0
    let names = table.properties.prefix(Self.maxProblems).map { "'\($0.name)'" }
    report.problems = [
      .init(
        line: 1, column: nil,
        message: "No column has the name of a property of '\(PlainText.of(table.className))': "
          + "\(PlainText.of(names.joined(separator: ", "))). Choose the properties of the columns, "
          + "or another separator.")
    ]
    throw NoProperty(report: report)
  }

  // MARK: Rows

  /// Imports all valid objects.
  ///
  /// - Parameter opposites: Receives the changes that undo the import, in the order in which they
  ///   must be applied.
  mutating func perform(
    _ run: inout EditRun, _ values: ImportValues, _ links: ImportLinks, _ opposites: inout [Edit]
  ) throws {
    if reader.format == .csv { try checkProperties() }
    while let row = try reader.next() {
      try wish.cancellation?.check()
      report.rows += 1
      // Undo steps for more rows would take too much memory.
      if report.rows > ChangeParser.maxChanges {
        run.isUndoable = false
        opposites = []
      }
      try mapNewColumns()
      if let hasIdentities { links.recordIdentities(of: table.className, hasIdentities) }
      var row = Read(row)
      try read(&row, values, links, run)
      guard row.mistakes.isEmpty else {
        add(row.mistakes)
        if let target = row.target { links.leftOut.insert(target) }
        continue
      }
      let link = try write(row, &run, links, &opposites)
      guard !row.later.isEmpty else { continue }
      pending.append(
        Pending(
          row: report.rows, line: row.line, link: link, target: row.target, cells: row.later))
    }
    links.recordIdentities(of: table.className, hasIdentities ?? false)
    try checkMapping()
    try checkProperties()
  }

  private mutating func add(_ mistakes: [ImportReport.Problem]) {
    for mistake in mistakes where report.problems.count < Self.maxProblems {
      report.problems.append(mistake)
    }
  }

  /// A row whose cells were parsed.
  private struct Read {
    let line: Int
    let cells: [ImportCell]
    var draft = Draft(className: "")
    var key: StoredValue?
    /// The original identity of the object.
    var identity: Int64?
    var target: ImportTarget?
    var existing: Int64?
    var later: [(column: Int, cell: ImportCell)] = []
    var mistakes: [ImportReport.Problem] = []

    init(_ row: ImportReader.Row) {
      line = row.line
      cells = row.cells
    }

    func cell(_ index: Int) -> ImportCell {
      cells.indices.contains(index) ? cells[index] : .missing
    }
  }

  private func read(
    _ row: inout Read, _ values: ImportValues, _ links: ImportLinks, _ run: EditRun
  ) throws {
    row.draft = Draft(className: table.className)
    if let identityColumn { readIdentity(&row, identityColumn, values, links) }
    for (position, column) in columns.enumerated() {
      let cell = row.cell(column.index)
      if case .missing = cell { continue }
      do {
        try values.read(cell, of: column.property, into: &row.draft)
        if column.property.isPrimaryKey, case .stored(let stored)? = row.draft.values.last?.value {
          row.key = stored.value
        }
      } catch is ImportValues.Later {
        row.later.append((position, cell))
      } catch let mistake as ImportValues.Mistake {
        row.mistakes.append(problem(row.line, column.index, mistake.message))
      }
    }
    if let key = row.key { row.target = ImportTarget(key: key, of: table) }
    row.mistakes += known[report.rows] ?? []
    guard row.mistakes.isEmpty else { return }
    guard let keyProperty = table.primaryKeyProperty else { return }
    let column = columns.first { $0.property.isPrimaryKey }?.index
    guard let key = row.key else {
      row.mistakes.append(
        problem(row.line, column, "The key '\(PlainText.of(keyProperty.name))' is missing."))
      return
    }
    row.existing = try run.realm.reading { db in try ImportLinks.row(key, table, db) }
    guard row.existing != nil, !wish.updates else { return }
    row.mistakes.append(problem(row.line, column, "There is an object with this key already."))
  }

  private func readIdentity(
    _ row: inout Read, _ column: Int, _ values: ImportValues, _ links: ImportLinks
  ) {
    let property = Property(name: table.identityColumn, type: .int)
    do {
      guard case .integer(let identity)? = try values.key(row.cell(column), property) else {
        // Without an identity, no other object can link to this one.
        return
      }
      row.identity = identity
      row.target = .identity(className: table.className, identity)
      guard links.hasCome(table.className, identity) else { return }
      row.mistakes.append(
        problem(row.line, column, "There is an object with this identity already."))
    } catch let mistake as ImportValues.Mistake {
      row.mistakes.append(problem(row.line, column, mistake.message))
    } catch {
      // All other errors are about links, and a number has none.
    }
  }

  private func problem(_ line: Int, _ column: Int?, _ message: String) -> ImportReport.Problem {
    .init(line: line, column: column.map { reader.columns[$0] }, message: message)
  }

  /// Creates or updates the object of a row.
  private mutating func write(
    _ row: Read, _ run: inout EditRun, _ links: ImportLinks, _ opposites: inout [Edit]
  ) throws -> ObjectLink {
    let link: ObjectLink
    if let existing = row.existing {
      link = ObjectLink(className: table.className, identity: existing)
      try apply(row.draft, to: link, &run, &opposites)
    } else {
      if let identity = row.identity { try links.keepIdentity(table.className, identity) }
      try add(try run.apply([.create(row.draft, name: Self.name)]), to: &opposites, run)
      guard let created = run.created[Self.name] else {
        throw RequestFailure.badChange("it creates nothing")
      }
      link = created
      links.recordCreated(link, was: row.identity)
      count(row.draft.embeddedClasses)
    }
    report.ready += 1
    return link
  }

  /// The name of the created object within its run.
  private static let name = "row"

  private func add(_ opposite: [Edit], to opposites: inout [Edit], _ run: EditRun) throws {
    if run.isUndoable { opposites.insert(contentsOf: opposite, at: 0) }
  }

  private mutating func count(_ embedded: [String]) {
    for name in embedded { report.embedded[name, default: 0] += 1 }
  }

  private mutating func apply(
    _ draft: Draft, to link: ObjectLink, _ run: inout EditRun, _ opposites: inout [Edit]
  ) throws {
    let edits = try run.read { try draft.changes(of: link, $0) }
    try add(try run.apply(edits), to: &opposites, run)
    for edit in edits { count(edit.embeddedClasses) }
  }

  // MARK: Links to later objects

  /// Reads the deferred values again.
  ///
  /// - Returns: The draft with the values, and the problems.
  func read(
    _ pending: Pending, _ values: ImportValues
  ) throws -> (draft: Draft, mistakes: [ImportReport.Problem]) {
    var draft = Draft(className: table.className)
    var mistakes: [ImportReport.Problem] = []
    for (position, cell) in pending.cells {
      let column = columns[position]
      do {
        try values.read(cell, of: column.property, into: &draft)
      } catch let mistake as ImportValues.Mistake {
        mistakes.append(problem(pending.line, column.index, mistake.message))
      }
    }
    return (draft, mistakes)
  }

  /// Sets the deferred values of an object.
  mutating func finish(
    _ pending: Pending, _ draft: Draft, _ run: inout EditRun, _ opposites: inout [Edit]
  ) throws {
    try apply(draft, to: pending.link, &run, &opposites)
  }
}
