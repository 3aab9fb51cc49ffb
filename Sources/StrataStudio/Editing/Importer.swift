import GRDB
import Strata
import StrataSchema
import StrataStorage

/// The import of a file into one class, inside of a transaction. Objects with a mistake are left
/// out.
struct Importer {
  private var reader: ImportReader
  private let wish: ImportWish
  private let schema: StudioSchema
  private let table: ObjectSchema
  /// The columns that have a property, of those that were seen so far.
  private var columns: [(index: Int, property: Property)] = []
  private var seen = 0
  private(set) var report: ImportReport

  private static let mostProblems = 20

  /// - Throws: ``RequestFailure`` with status 404 or 422 for a mapping that can't be.
  init(
    _ reader: ImportReader, _ wish: ImportWish, _ schema: StudioSchema
  ) throws(RequestFailure) {
    self.reader = reader
    self.wish = wish
    self.schema = schema
    table = try schema.objectSchema(wish.className)
    guard !table.isEmbedded else {
      throw .invalid(
        "'\(PlainText.of(table.className))' is an embedded class, whose objects belong to others. Import "
          + "into another class.")
    }
    guard !wish.updates || table.primaryKeyProperty != nil else {
      throw .invalid(
        "'\(PlainText.of(table.className))' has no primary key, by which objects would be found that are "
          + "there already. Import without updating them.")
    }
    report = ImportReport()
    report.format = reader.format
    try mapNewColumns()
    if reader.format == .csv { try checkMapping() }
  }

  /// Finds the properties of the columns that an object was the first to have.
  private mutating func mapNewColumns() throws(RequestFailure) {
    while seen < reader.columns.count {
      let column = reader.columns[seen]
      seen += 1
      var property = table[named: column]
      if let wanted = wish.mapping[column] {
        property = nil
        if let wanted { property = try schema.property(wanted, of: table.className) }
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

  /// Once all columns are known.
  private func checkMapping() throws(RequestFailure) {
    for name in wish.mapping.keys.sorted() where !reader.columns.contains(name) {
      throw .invalid(
        "The file has no column '\(PlainText.of(name))'. Its columns are: "
          + "\(PlainText.of(reader.columns.joined(separator: ", "))).")
    }
  }

  // MARK: Rows

  /// Imports all objects without a mistake.
  ///
  /// - Returns: The changes that take it back, in the order in which these have to be made.
  mutating func perform(_ run: inout EditRun) throws -> [Edit] {
    let realm = run.realm
    let values = ImportValues(schema) { target, key in
      try realm.withDatabase { db in try Self.identity(key, target, db) }
    }
    var opposites: [Edit] = []
    while let row = try reader.next() {
      try wish.cancellation?.check()
      report.rows += 1
      // The changes of more would fill the memory.
      if report.rows > ChangeParser.most {
        run.isUndoable = false
        opposites = []
      }
      try mapNewColumns()
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
      for edit in edits {
        for name in edit.embeddedClasses { report.embedded[name, default: 0] += 1 }
      }
    }
    try checkMapping()
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
    _ row: ImportReader.Row, _ values: ImportValues, _ realm: Realm,
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
          .init(line: row.line, column: reader.columns[column.index], message: mistake.message))
      }
    }
    guard mistakes.isEmpty else { return nil }
    guard let keyProperty = table.primaryKeyProperty else { return [.create(draft, name: nil)] }
    func mistake(_ message: String) {
      let column = columns.first { $0.property.isPrimaryKey }.map { reader.columns[$0.index] }
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
    if case .embedded(let child) = value {
      for (property, value) in child.parts {
        let object = ObjectLink(className: child.className, identity: 0)
        try checkLinks(of: value, Place(object: object, property: property), realm)
      }
    }
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

extension ObjectSchema {
  /// The property that a name of a file means: `Full name` and `full_name` are `fullName`.
  subscript(named name: String) -> Property? {
    func simple(_ name: String) -> String {
      name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    if let property = self[name] { return property }
    // Exports of a class without a primary key have the identity, which is no property.
    if primaryKeyProperty == nil, name == identityColumn { return nil }
    return properties.first { simple($0.name) == simple(name) }
  }
}

extension Draft {
  /// The values, and those of the elements of collections.
  fileprivate var parts: [(property: Property, value: NewValue)] {
    values.map { ($0.property, $0.value) }
      + collections.flatMap { part in part.elements.map { (part.property, $0.value) } }
  }

  /// The class of each embedded object in it.
  fileprivate var embeddedClasses: [String] { parts.flatMap(\.value.embeddedClasses) }
}

extension NewValue {
  fileprivate var embeddedClasses: [String] {
    if case .embedded(let child) = self { [child.className] + child.embeddedClasses } else { [] }
  }
}

extension Edit {
  /// The class of each embedded object that an import makes.
  fileprivate var embeddedClasses: [String] {
    switch self {
    case .create(let draft, _): draft.embeddedClasses
    case .set(_, _, let value), .insert(_, _, let value), .setKey(_, _, _, let value):
      value.embeddedClasses
    default: []
    }
  }
}
