import GRDB
import GRDBSQLite
import IssueReporting
import Logging
import StrataQuery
import StrataStorage
import Synchronization

/// A class in an open file: reads its objects from rows and writes them to rows.
final class Table: Sendable {
  let info: ClassInfo
  /// The class, and its properties in columns: asked for each change of a property.
  let type: ObjectBase.Type
  let slotsInColumns: PropertySet
  let schema: ObjectSchema
  /// The position among the tables of its store.
  let index: Int
  /// Whether the file has the table. A read-only file may lack it; the class then has no objects.
  let exists: Bool
  let name: String
  let identity: String
  let texts: TableTexts
  /// The tables of collections, by slot.
  let collections: [_PropertySlot: CollectionInfo]
  let primaryKeySlot: _PropertySlot?
  /// The statement that inserts many rows, made at first use.
  let insertionOfMany = Mutex<String?>(nil)
  /// The statements that change rows, made at first use.
  let updates = Mutex<[UpdateStatement.Kind: UpdateStatement]>([:])
  let queries: QueryCache
  /// The values that required properties have where the file has NULL; nil if NULL is a mistake.
  private let nilDefaults: NilDefaults?

  /// - Parameters:
  ///   - schema: The class with the tables that its collections have in the file.
  ///   - nextCollection: The position of the class's first collection in the store.
  ///   - readsNilAsDefault: Whether NULL in a required property isn't a mistake.
  init(
    _ info: ClassInfo, _ schema: ObjectSchema, index: Int, exists: Bool, nextCollection: Int = 0,
    readsNilAsDefault: Bool = false
  ) {
    nilDefaults = readsNilAsDefault ? NilDefaults(info) : nil
    self.info = info
    type = info.type
    slotsInColumns = PropertySet(info.slots.inColumns)
    self.schema = schema
    self.index = index
    self.exists = exists
    name = SQLName.quote(info.className)
    identity = SQLName.quote(schema.identityColumn)
    texts = TableTexts(info, schema, name: name, identity: identity)
    collections = Dictionary(
      uniqueKeysWithValues: info.slots.collections.enumerated().map { offset, slot in
        let property = info.properties[slot]
        return (
          slot,
          CollectionInfo(
            className: info.className, schema[property.name] ?? property,
            index: nextCollection + offset)
        )
      })
    primaryKeySlot = schema.primaryKey.flatMap { info.slot($0) }
    queries = QueryCache(
      ofAll: QuerySQL(
        tables: "\(name) AS t", condition: nil, order: "t.\(identity)", parameters: []))
  }

  /// Creates a stand-in for a class that a store doesn't have. The stand-in has no objects.
  convenience init(unmanaged type: ObjectBase.Type) {
    guard let info = ClassInfo.reporting(type) else {
      stopForProgrammerError("'\(type.className())' can't be used as a model.")
    }
    self.init(info, info.objectSchema, index: 0, exists: false)
  }

  /// The quoted column of a property, by its Swift name.
  func column(_ property: String) -> String? {
    guard let slot = info.slot(property), info.properties[slot].isStoredInColumn else { return nil }
    return SQLName.quote(info.properties[slot].columnName)
  }

  /// Reads a row, selected with ``TableTexts/columns``, into an object.
  func read(_ row: RowValues, into object: ObjectBase) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    if !info.row.read(base, row) { reportUnreadable(row, base) }
    withExtendedLifetime(object) {}
  }

  /// Makes a managed object of a row, selected with ``TableTexts/columns``.
  func makeObject(
    _ row: RowValues, in context: ManagedContext, stamp: UInt64
  ) -> ObjectBase {
    let object = info.materialize()
    // Before reading: links are read into slots that must be set.
    adopt(object, rowID: sqlite3_value_int64(row[0]), context: context, stamp: stamp)
    read(row, into: object)
    if context.isShared { connectCollections(of: object, context) }
    return object
  }

  /// Connects the collections of an object to their elements. Otherwise a collection does so at
  /// first use, which isn't safe with several threads.
  private func connectCollections(of object: ObjectBase, _ context: ManagedContext) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    for slot in info.slots.collections {
      info.accessors[slot].collection?(base).rows = context.rows(of: object, slot)
    }
    withExtendedLifetime(object) {}
  }

  func adopt(
    _ object: ObjectBase, rowID: Int64, context: ManagedContext, stamp: UInt64
  ) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    info.row.setSlots(base)
    object._context = context
    object._generation = context.generation
    object._rowID = rowID
    assert(stamp <= context.clock.now, "Values can't be newer than their realm.")
    object._stamp = stamp
    object._state =
      context.tracksReads ? ObjectState.managed | ObjectState.tracked : ObjectState.managed
  }

  /// Binds all properties to the parameters from `index` on.
  @inline(__always)
  func bindAll(
    _ object: ObjectBase, to statement: OpaquePointer, from index: Int32
  ) throws(RealmError) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    defer { withExtendedLifetime(object) {} }
    if info.row.bind(base, statement, index) { return }
    // Finds the property that can't be stored.
    try bind(object, slots: info.slots.inColumns, to: statement, from: index)
  }

  /// Binds properties to the parameters from `index` on.
  @inline(__always)
  func bind(
    _ object: ObjectBase, slots: some Sequence<_PropertySlot>, to statement: OpaquePointer,
    from index: Int32
  ) throws(RealmError) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    var index = index
    for slot in slots {
      guard info.accessors[slot].bind(base, statement, index) else {
        throw refusal(of: info.accessors[slot].stored(base)?.value, slot, statement)
      }
      index += info.accessors[slot].columns
    }
    withExtendedLifetime(object) {}
  }

  /// The error for a value that couldn't be bound.
  private func refusal(
    of value: StoredValue?, _ slot: _PropertySlot, _ statement: OpaquePointer
  ) -> RealmError {
    let property = info.properties[slot]
    guard let value else {
      return RealmError(.fail, ErrorText.unstorable(property, of: info.className))
    }
    return .unstorable(value, statement, of: "'\(info.className).\(property.name)'")
  }

  private func reportUnreadable(_ row: RowValues, _ base: UnsafeMutableRawPointer) {
    for slot in info.slots.inColumns
    where !info.accessors[slot].read(base, row, info.slots.column(of: slot) + 1) {
      let isNull = sqlite3_value_type(row[info.slots.column(of: slot) + 1]) == SQLITE_NULL
      if isNull, let nilDefaults, nilDefaults.set(slot, of: base) { continue }
      reportUnreadable(slot, row: sqlite3_value_int64(row[0]))
    }
  }

  private func reportUnreadable(_ slot: _PropertySlot, row: Int64) {
    let property = info.properties[slot]
    let what =
      info.accessors[slot].isPlain
      ? "no value of type '\(property.typeName)'" : "nothing of which its Swift type makes a value"
    reportIssue(
      """
      '\(info.className).\(property.name)' of the row with \(schema.identityColumn) \(row) holds \
      \(what)\(property.allowsNil ? " and reads as nil" : ""). \
      Another program wrote it, or an enum lost a case: correct the row, or read it in a migration.
      """)
  }
}

extension Table {
  private static let rowsPerInsert = 32

  /// Inserts new objects, which already have identities, as rows.
  ///
  /// One statement for several rows costs a third less than one per row.
  func insert(_ objects: [ObjectBase], _ db: Database) throws {
    let rows = InsertSQL.rowsAtOnce(columns: texts.columnCount + 1, atMost: Self.rowsPerInsert)
    var rest = objects[...]
    while rows > 1, rest.count >= rows {
      do {
        try insertTogether(rest.prefix(rows), db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // The statement wrote nothing. Single insertions find the offending object.
        for object in rest.prefix(rows) { try insertTogether([object], db) }
        throw error
      }
      rest = rest.dropFirst(rows)
    }
    for object in rest { try insertTogether([object], db) }
  }

  private func insertTogether(_ objects: ArraySlice<ObjectBase>, _ db: Database) throws {
    let sql = objects.count == 1 ? insertOne : insertMany(objects.count)
    let statement = try db.cachedStatement(sql: sql)
    do {
      try statement.runRaw {
        var index: Int32 = 1
        for object in objects {
          statement.bindRaw(object._rowID, at: index)
          try bindAll(object, to: statement.sqliteStatement, from: index + 1)
          index += Int32(texts.columnCount) + 1
        }
      }
    } catch let error as DatabaseError
      where objects.count == 1 && error.resultCode == .SQLITE_CONSTRAINT
    {
      throw refusal(of: objects[objects.startIndex], error)
    }
  }

  private var insertOne: String { insertion(rows: 1) }

  /// The statement that inserts several rows. The number of rows is always the same.
  private func insertMany(_ rows: Int) -> String {
    insertionOfMany.withLock { known in
      if let known { return known }
      let made = insertion(rows: rows)
      known = made
      return made
    }
  }

  private func insertion(rows: Int) -> String {
    "INSERT INTO \(name) (\(texts.columns)) VALUES "
      + InsertSQL.parameters(columns: texts.columnCount + 1, rows: rows)
  }

  /// Converts a violated constraint to the error that is thrown.
  private func refusal(of object: ObjectBase, _ error: DatabaseError) -> any Error {
    guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, let slot = primaryKeySlot,
      error.message?.contains(info.properties[slot].columnName) == true
        || error.message?.contains("index") == true
    else { return error }
    return RealmError.existingPrimaryKey(
      describeValue(info.dynamicValue(slot, of: object)), of: info.className, underlyingError: error
    )
  }
}

extension Table {
  func contains(_ row: Int64, _ db: Database) throws -> Bool {
    try exists && db.hasRow("SELECT 1 FROM \(name) WHERE \(identity) = ?", row)
  }
}

extension ClassInfo {
  /// The value of a property for descriptions and for dynamic access.
  func dynamicValue(_ slot: _PropertySlot, of object: ObjectBase) -> Any? {
    withExtendedLifetime(object) {
      accessors[slot].dynamic(Unmanaged.passUnretained(object).toOpaque())
    }
  }

  /// The value of a property as SQLite stores it.
  func storedValue(_ slot: _PropertySlot, of object: ObjectBase) throws(RealmError) -> StoredValue {
    try storedElement(slot, of: object).value
  }

  /// The value of a property as SQLite stores it, with the type of an `AnyRealmValue`.
  func storedElement(_ slot: _PropertySlot, of object: ObjectBase) throws(RealmError)
    -> _StoredElement
  {
    let stored = withExtendedLifetime(object) {
      accessors[slot].stored(Unmanaged.passUnretained(object).toOpaque())
    }
    guard let stored else {
      throw RealmError(.fail, ErrorText.unstorable(properties[slot], of: className))
    }
    return stored
  }
}

/// The values of required properties where a newer program has stored nil.
///
/// A newer release of a program may make a property optional. An older one reads the property's
/// default instead of nil, and logs that once for each property.
final class NilDefaults: Sendable {
  private let info: ClassInfo
  private let logged = Mutex<Set<_PropertySlot>>([])

  init(_ info: ClassInfo) { self.info = info }

  /// Sets a property to its default. Returns false for a property whose default can't be set.
  func set(_ slot: _PropertySlot, of base: UnsafeMutableRawPointer) -> Bool {
    let property = info.properties[slot]
    guard !property.isNullable else { return false }
    let object = ordinarily { info.type.init() }
    do throws(RealmError) {
      guard try info.accessors[slot].convert(base, info.dynamicValue(slot, of: object)) else {
        return false
      }
    } catch {
      return false
    }
    if logged.withLock({ $0.insert(slot).inserted }) {
      SharedLogger.forRealms.notice(
        """
        '\(info.className).\(property.name)' is nil in an object that a newer release has written: it reads \
        as its default.
        """)
    }
    return true
  }
}
