import GRDB
import StrataRealmFile
import StrataSchema
import StrataStorage

/// The conversion of the objects of one class, with their collections, to rows.
final class ClassConverter {
  private let schema: ObjectSchema
  private let columns: [(position: Int, value: ValueConverter)]
  private let collections: [CollectionConverter]
  private let inserter: RowInserter
  private let notes: ConversionNotes
  private var identities: IdentityCounter
  private(set) var counts: ConversionReport.Class

  init(
    _ item: RealmClass, _ schema: ObjectSchema, _ context: ConversionContext,
    _ db: Database?
  ) throws {
    self.schema = schema
    notes = context.notes
    identities = IdentityCounter(count: item.count)
    counts = ConversionReport.Class(name: schema.className)
    let tables = schema.collectionTables
    var columns: [(position: Int, value: ValueConverter)] = []
    var collections: [CollectionConverter] = []
    var names = [schema.identityColumn]
    for property in schema.properties {
      let position = try item.position(of: property.name)
      let source = item.properties[position]
      if let table = tables.first(where: { $0.property.columnName == property.columnName }) {
        collections.append(CollectionConverter(table, source, at: position, context, db))
      } else {
        columns.append(
          (
            position,
            ValueConverter(
              source, of: schema.className, column: names.count, context)
          ))
        names += property.columns.map(\.name)
      }
    }
    self.columns = columns
    self.collections = collections
    inserter = RowInserter(db, table: schema.className, columns: names)
  }

  func run(_ rows: RealmRows, _ monitor: ConversionMonitor) throws {
    try monitor.begin(schema.className)
    while try rows.next() {
      let key = try rows.soundKey()
      let identity = identities.next(key)
      inserter.rows.set(0, .integer, identity)
      notes.identity = identity
      for (position, value) in columns {
        let source = RealmPropertySource(rows: rows, column: position)
        if case .link = try value.convert(source, of: key, into: inserter.rows) {
          counts.read.links += 1
        }
      }
      for collection in collections {
        let (elements, leftOut) = try collection.convert(rows, owner: identity)
        counts.read.elements += elements
        counts.leftOut.elements += leftOut
      }
      counts.read.objects += 1
      if notes.isRefused { stop() }
      try inserter.finish(identity)
      try monitor.advance()
    }
    notes.identity = nil
    try inserter.flush()
    for collection in collections { try collection.inserter.flush() }
  }

  private func stop() {
    inserter.stop()
    for collection in collections { collection.inserter.stop() }
  }
}

/// The conversion of the elements of a collection of one class to rows of its table.
struct CollectionConverter {
  /// The position of the property in the class of the Realm file.
  private let column: Int
  private let kind: RealmCollectionKind
  private let value: ValueConverter
  let inserter: RowInserter

  init(
    _ table: CollectionTable, _ property: RealmProperty, at column: Int,
    _ context: ConversionContext, _ db: Database?
  ) {
    self.column = column
    kind = property.collection ?? .list
    value = ValueConverter(
      property, of: table.className, column: kind == .set ? 1 : 2, context)
    inserter = RowInserter(
      db, table: table.name, columns: table.columns.map(\.name), ignoresDuplicates: kind != .list)
  }

  /// Writes the elements of the present object of a cursor.
  ///
  /// - Returns: The number of elements in the old file, and of those the number that is left out.
  func convert(
    _ rows: RealmRows, owner: Int64
  ) throws -> (elements: Int, leftOut: Int) {
    guard try rows.hasElements(column) else { return (0, 0) }
    let elements = try rows.elements(column)
    let object = rows.key
    var count = 0
    var leftOut = 0
    while try elements.next() {
      inserter.rows.set(0, .integer, owner)
      switch kind {
      case .list: inserter.rows.set(1, .integer, Int64(count - leftOut))
      case .dictionary:
        let repaired = elements.repairedTexts
        try inserter.rows.set(1, .text, elements.keyUTF8())
        if elements.repairedTexts > repaired { value.recordInvalidText(object) }
      case .set: break
      }
      count += 1
      guard case .leftOut = try value.convert(elements, of: object, into: inserter.rows) else {
        try inserter.finish(owner)
        continue
      }
      leftOut += 1
    }
    return (count, leftOut)
  }
}
