import GRDB
import Strata
import StrataSchema
import StrataStorage

/// The wishes of a user for an import: into which class, and how.
package struct ImportWish: Sendable {
  package var className: String
  package var format: ImportFormat
  /// The properties of columns; nil for one that is left out. The others are found by their names.
  package var mapping: [String: String?] = [:]
  /// The field of CSV that is nil; empty for one without anything, not even quotation marks.
  package var nilText = ""
  /// Whether an object with the same primary key is changed, instead of being a mistake.
  package var updates = false
  /// Whether everything is done, and taken back at once.
  package var isDry = false

  package init(_ className: String, _ format: ImportFormat) {
    self.className = className
    self.format = format
  }
}

/// The result of an import: how many objects there are, and what is wrong with the others.
package struct ImportReport: Sendable {
  package var rows = 0
  /// Those that are imported, or would be.
  package var ready = 0
  /// The first of them.
  package var problems: [Problem] = []
  package var columns: [String] = []
  package var mapped: [String: String] = [:]

  package struct Problem: Sendable, Hashable {
    package let line: Int
    package let column: String?
    package let message: String
  }

  package var json: [JSONValue.Member] {
    [
      .init("rows", .int(rows)), .init("ready", .int(ready)),
      .init(
        "problems",
        .array(
          problems.map { problem in
            [
              "line": .int(problem.line), "column": .optional(problem.column) { .text($0) },
              "message": .text(problem.message),
            ]
          })),
      .init("columns", .array(columns.map { .text($0) })),
      .init(
        "mapped",
        .object(
          mapped.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .text($0.value)) })),
    ]
  }
}

/// The import of a file into one class, inside of a transaction. Objects with a mistake are left
/// out.
struct Importer {
  private let file: ImportFile
  private let wish: ImportWish
  private let schema: StudioSchema
  private let table: ObjectSchema
  private let columns: [(index: Int, property: Property)]
  private(set) var report: ImportReport

  private static let mostProblems = 20

  /// - Throws: ``RequestFailure`` with status 404 or 422 for a mapping that can't be.
  init(_ file: ImportFile, _ wish: ImportWish, _ schema: StudioSchema) throws(RequestFailure) {
    self.file = file
    self.wish = wish
    self.schema = schema
    table = try schema.objectSchema(wish.className)
    guard !table.isEmbedded else {
      throw .invalid(
        "'\(PlainText.of(table.className))' is an embedded class, whose objects belong to others. Import "
          + "into another class.")
    }
    for name in wish.mapping.keys.sorted() where !file.columns.contains(name) {
      throw .invalid(
        "The file has no column '\(PlainText.of(name))'. Its columns are: "
          + "\(PlainText.of(file.columns.joined(separator: ", "))).")
    }
    columns = try Self.map(file.columns, wish, table, schema)
    report = ImportReport(rows: file.rows.count, columns: file.columns)
    for column in columns { report.mapped[file.columns[column.index]] = column.property.name }
  }

  private static func map(
    _ columns: [String], _ wish: ImportWish, _ table: ObjectSchema, _ schema: StudioSchema
  ) throws(RequestFailure) -> [(index: Int, property: Property)] {
    func isEmbedded(_ property: Property) -> Bool {
      property.type == .object && schema.references.isEmbedded(property.objectClassName)
    }
    var found: [(index: Int, property: Property)] = []
    for (index, column) in columns.enumerated() {
      var property: Property?
      if let wanted = wish.mapping[column] {
        guard let wanted else { continue }
        property = try schema.property(wanted, of: table.className)
      } else {
        property =
          table[column] ?? table.properties.first { simple($0.name) == simple(column) }
        if property.map(isEmbedded) == true { continue }
      }
      guard let property else { continue }
      let name = "'\(PlainText.of(property.name))'"
      guard !isEmbedded(property) else {
        throw .invalid("\(name) holds embedded objects, which no file has. Leave it out.")
      }
      guard !found.contains(where: { $0.property.name == property.name }) else {
        throw .invalid("Two columns are for \(name). Leave one of them out.")
      }
      found.append((index, property))
    }
    return found
  }

  /// `Full name` and `full_name` are `fullName`.
  private static func simple(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  // MARK: Rows

  /// Imports all objects without a mistake.
  ///
  /// - Returns: The changes that take it back, in the order in which these have to be made.
  mutating func perform(_ run: inout EditRun) throws -> [Edit] {
    // The changes of more would fill the memory.
    if file.rows.count > ChangeParser.most { run.isUndoable = false }
    let realm = run.realm
    let values = ImportValues(schema) { target, key in
      try realm.withDatabase { db in try Self.identity(key, target, db) }
    }
    var opposites: [Edit] = []
    for row in file.rows {
      var mistakes: [ImportReport.Problem] = []
      guard let edits = try edits(row, values, realm, &mistakes), mistakes.isEmpty else {
        for mistake in mistakes where report.problems.count < Self.mostProblems {
          report.problems.append(mistake)
        }
        continue
      }
      let opposite = try run.apply(edits)
      if run.isUndoable { opposites.insert(contentsOf: opposite, at: 0) }
      report.ready += 1
    }
    return opposites
  }

  private static func identity(
    _ key: StoredValue, _ table: ObjectSchema, _ db: Database
  ) throws -> Int64? {
    let identity = SQLName.quote(table.identityColumn)
    let column = table.primaryKeyProperty.map { SQLName.quote($0.columnName) } ?? identity
    var found: Int64?
    try db.forEachRow(
      "SELECT \(identity) FROM \(SQLName.quote(table.className)) WHERE \(column) IS ?", [key]
    ) { found = $0.integer(0) }
    return found
  }

  /// The changes for an object; nil for one with mistakes.
  private func edits(
    _ row: ImportFile.Row, _ values: ImportValues, _ realm: Realm,
    _ mistakes: inout [ImportReport.Problem]
  ) throws -> [Edit]? {
    var draft = Draft(className: table.className)
    var key: StoredValue?
    for column in columns {
      let place = Place(
        object: ObjectLink(className: table.className, identity: 0), property: column.property)
      let cell = row.cells.indices.contains(column.index) ? row.cells[column.index] : .missing
      do {
        if column.property.collection != nil {
          guard let elements = try values.elements(cell, place) else { continue }
          for element in elements { try checkLinks(of: element.value, place, realm) }
          draft.collections.append(
            DraftCollection(property: column.property, elements: elements))
        } else if let value = try values.value(cell, place) {
          try checkLinks(of: value, place, realm)
          draft.values.append(DraftValue(property: column.property, value: value))
          if column.property.isPrimaryKey, case .stored(let stored) = value { key = stored.value }
        }
      } catch let mistake as ImportValues.Mistake {
        mistakes.append(
          .init(line: row.line, column: file.columns[column.index], message: mistake.message))
      }
    }
    guard mistakes.isEmpty else { return nil }
    guard let keyProperty = table.primaryKeyProperty else { return [.create(draft, name: nil)] }
    func mistake(_ message: String) {
      let column = columns.first { $0.property.isPrimaryKey }.map { file.columns[$0.index] }
      mistakes.append(.init(line: row.line, column: column, message: message))
    }
    guard let key else {
      mistake("The key '\(PlainText.of(keyProperty.name))' is missing.")
      return nil
    }
    let existing = try realm.withDatabase { db in try Self.identity(key, table, db) }
    guard let existing else { return [.create(draft, name: nil)] }
    guard wish.updates else {
      mistake("There is an object with this key already.")
      return nil
    }
    let link = ObjectLink(className: table.className, identity: existing)
    return try realm.withDatabase { db in
      try changes(of: link, to: draft, StateReader(schema, db))
    }
  }

  /// - Throws: ``ImportValues/Mistake`` for a link to an object that isn't there.
  private func checkLinks(of value: NewValue, _ place: Place, _ realm: Realm) throws {
    guard case .stored(let stored) = value else { return }
    for link in stored.links(of: place.single) {
      let exists = try realm.withDatabase { db in try StateReader(schema, db).exists(link) }
      guard !exists else { continue }
      throw ImportValues.Mistake(
        message: "There is no object \(link.identity) of '\(PlainText.of(link.className))'.")
    }
  }

  /// The changes that give an object the values of a row.
  private func changes(
    of link: ObjectLink, to draft: Draft, _ state: StateReader
  ) throws -> [Edit] {
    var edits: [Edit] = []
    for part in draft.values where !part.property.isPrimaryKey {
      let place = Place(object: link, property: part.property)
      edits.append(.set(place, was: .anything, to: part.value))
    }
    for collection in draft.collections {
      let place = Place(object: link, property: collection.property)
      let elements = try state.elements(place)
      switch collection.property.collection {
      case .list:
        for index in elements.indices.reversed() {
          edits.append(.removeAt(place, at: index, was: .anything))
        }
        for element in collection.elements {
          edits.append(.insert(place, at: nil, element.value))
        }
      case .set:
        for element in elements {
          edits.append(.removeValue(place, .stored(element.stored)))
        }
        var inserted: [_StoredElement] = []
        for case .stored(let stored) in collection.elements.map(\.value)
        where !inserted.contains(where: { $0.isSame(as: stored) }) {
          inserted.append(stored)
          edits.append(.insert(place, at: nil, .stored(stored)))
        }
      case .map:
        for element in elements {
          edits.append(.removeKey(place, key: element.key, was: .anything))
        }
        for element in collection.elements {
          edits.append(.setKey(place, key: element.key, was: .absent, to: element.value))
        }
      case nil: break
      }
    }
    return edits
  }
}
