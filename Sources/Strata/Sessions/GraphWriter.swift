import StrataStorage

/// Adds an object and, once each, all objects that it leads to.
///
/// An object gets its row before those that it leads to are looked at, so cycles end; and it takes
/// its turn in a queue, so that a chain of any length needs no deep recursion.
final class GraphWriter {
  private let session: Session
  private let transaction: WriteTransaction
  private let policy: UpdatePolicy
  private var queue: [(object: ObjectBase, table: Table, isNew: Bool)] = []
  private var next = 0
  /// Objects whose rows have embedded children that may still be in the queue.
  private var replacements: ArraySlice<(object: ObjectBase, table: Table)> = []
  /// The tables of the embedded classes of a table's properties, by its position.
  private var children: [Int: [Table]] = [:]
  /// The rows of primary keys that are not yet written.
  private var placed: [PlacedKey: Int64] = [:]

  /// The rows without a primary key that new objects change.
  private var rowsToChange: [ObjectIdentifier: Int64] = [:]
  /// Those that no other object may change.
  private var reused: Set<PlacedKey> = []

  struct PlacedKey: Hashable {
    var table: Int
    var key: StoredValue
  }

  private init(
    _ session: Session, _ transaction: WriteTransaction, _ policy: UpdatePolicy
  ) {
    self.session = session
    self.transaction = transaction
    self.policy = policy
  }

  /// Adds an object; says which row it is.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an object of another realm, or with a value that
  ///   can't be stored.
  @discardableResult
  static func add(
    _ object: ObjectBase, _ policy: UpdatePolicy, _ session: Session,
    _ transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    if object._context === session, object._stamp == session.clock.now { return object._rowID }
    // Found while another object is being added, whose writer continues with it.
    if let current = session.graphWriter { return try current.identify(object) }
    // Most objects lead to no others, and need no queue.
    if policy == .error, object._state == 0, let table = session.table(type(of: object)),
      table.info.slots.links.isEmpty, table.info.slots.collections.isEmpty
    {
      let row = try transaction.identify(object, in: table, session: session)
      try transaction.insert(object, in: table)
      return row
    }
    let writer = GraphWriter(session, transaction, policy)
    session.graphWriter = writer
    defer { session.graphWriter = nil }
    let row = try writer.identify(object)
    while try writer.writeNext() {}
    return row
  }

  /// Whether an object got its row here. Only asked to explain a mistake: it looks at each.
  func hasPlaced(_ object: ObjectBase) -> Bool { queue.contains { $0.object === object } }

  /// Writes the object whose turn it is; false at the end.
  private func writeNext() throws(RealmError) -> Bool {
    if next < queue.count {
      let (object, table, isNew) = queue[next]
      next += 1
      if isNew || childTables(of: table).isEmpty {
        try write(object, table, isNew: isNew)
      } else {
        replacements.append((object, table))
      }
      return true
    }
    guard let (object, table) = replacements.popFirst() else { return false }
    // Triggers delete the children that are replaced: those must be in the file.
    try transaction.flushAll()
    try write(object, table, isNew: false)
    try transaction.flush(table)
    for child in childTables(of: table) { transaction.noteDeletion(in: child) }
    return true
  }

  private func childTables(of table: Table) -> [Table] {
    if let known = children[table.index] { return known }
    let found = table.info.properties.filter { !$0.isComputed }.compactMap {
      session.embeddedTable(of: $0)
    }
    children[table.index] = found
    return found
  }

  /// Gives an object its row, if it has none.
  private func identify(_ object: ObjectBase) throws(RealmError) -> Int64 {
    let className = type(of: object).className()
    if let faulty = object._context as? FaultyContext { throw faulty.error }
    if object._context != nil {
      let isOfFile = session.isOfFile(object)
      if isOfFile, !object.isInvalidated { return object._rowID }
      throw RealmError(
        .fail,
        isOfFile ? "\(ErrorText.deleted) ('\(className)')" : ErrorText.otherRealm)
    }
    guard object._state & (ObjectState.deleted | ObjectState.vanished) == 0 else {
      throw RealmError(.fail, "\(ErrorText.deleted) ('\(className)')")
    }
    guard let table = session.store.table(type(of: object)) else {
      throw .notManaged(type(of: object))
    }
    if let row = rowsToChange.removeValue(forKey: ObjectIdentifier(object)) {
      transaction.identify(object, row: row, in: table, session: session)
      queue.append((object, table, false))
      return row
    }
    if policy != .error, let row = try existingRow(of: object, table) {
      transaction.identify(object, row: row, in: table, session: session)
      queue.append((object, table, false))
      return row
    }
    let key = try key(of: object, table)
    let row = try transaction.identify(object, in: table, session: session)
    if policy != .error, let key { placed[key] = row }
    queue.append((object, table, true))
    return row
  }

  private func key(of object: ObjectBase, _ table: Table) throws(RealmError) -> PlacedKey? {
    guard let slot = table.primaryKeySlot else { return nil }
    return PlacedKey(table: table.index, key: try table.info.storedValue(slot, of: object))
  }

  /// The row that has the primary key of an object.
  private func existingRow(of object: ObjectBase, _ table: Table) throws(RealmError) -> Int64? {
    guard let key = try key(of: object, table) else { return nil }
    if let row = placed[key] { return row }
    return try session.find(key.key, in: table) { $0.int64(0) }
  }

  private func write(_ object: ObjectBase, _ table: Table, isNew: Bool) throws(RealmError) {
    let info = table.info
    let base = Unmanaged.passUnretained(object).toOpaque()
    defer { withExtendedLifetime(object) {} }
    let current = isNew || policy == .all ? [:] : try currentElements(of: object, table)
    for slot in info.slots.links {
      try info.accessors[slot].storeNested?(base) { target throws(RealmError) in
        try session.element(linkingTo: target, info.properties[slot], of: info.className)
      }
      guard let target = info.accessors[slot].takeLink?(base) else { continue }
      // An object without a primary key that was there before is changed in place.
      if policy == .modified, case .integer(let row)? = current[slot]?.value,
        let table = session.table(type(of: target)), table.primaryKeySlot == nil,
        info.properties[slot].objectClassName == table.info.className
      {
        reuse(row, in: table, for: target)
      }
      let row = try session.rowForLink(to: target, info.properties[slot], of: info.className)
      let isTyped = info.properties[slot].type == .object
      object.setLinkRow(
        slot, className: isTyped ? nil : type(of: target).className(), row)
    }
    // The elements of one may be part of a value, or of a collection, that is replaced as well.
    let collections = try storedCollections(of: object, base, table, isNew: isNew)
    if isNew {
      try transaction.insert(object, in: table)
    } else {
      let slots = policy == .all ? .all : try differences(of: object, current, info)
      transaction.update(object, slots: slots, in: table)
    }
    for (collection, rows, kind, stored) in collections {
      if isNew { rows.beginEmpty(at: rows.currentStamp) }
      write(stored, to: rows, kind, isNew: isNew)
      collection.forgetElements()
      collection.rows = rows
    }
  }

  private typealias Replacement = (
    collection: any PersistedCollection, rows: SessionCollection, kind: CollectionKind,
    stored: [(key: String, _StoredElement)]
  )

  /// The elements of an object's collections, as the file is to have them.
  private func storedCollections(
    of object: ObjectBase, _ base: UnsafeMutableRawPointer, _ table: Table, isNew: Bool
  ) throws(RealmError) -> [Replacement] {
    var found: [Replacement] = []
    for slot in table.info.slots.collections {
      guard let collection = table.info.accessors[slot].collection?(base),
        let info = table.collections[slot]
      else { continue }
      let rows = SessionCollection(session, table, info, owner: object._rowID)
      if !isNew, policy == .modified { reuseRows(of: rows, info.kind, for: collection) }
      let stored = collection.count > 0 ? try collection.stored(in: rows) : []
      found.append((collection, rows, info.kind, stored))
    }
    return found
  }

  /// Has the new objects of a list or a map change those that are at their positions, or have their
  /// keys, if these have no primary key to be known by.
  private func reuseRows(
    of rows: SessionCollection, _ kind: CollectionKind, for collection: any PersistedCollection
  ) {
    guard kind != .set, collection.count > 0,
      let target = rows.table.info.property.objectClassName.flatMap(
        session.store.table(className:)),
      target.primaryKeySlot == nil
    else { return }
    let present = rows.storedEntries()
    guard !present.isEmpty else { return }
    if kind == .map {
      let byKey = Dictionary(
        present.map { (StoredText($0.key), $0.element.value.integer) }
      ) { first, _ in first }
      for (key, value) in mapEntries(collection) ?? [] {
        if let row = byKey[StoredText(key)] { reuse(row, in: target, for: value) }
      }
    } else {
      let elements = sequence(collection) ?? []
      // Objects of this realm stay what they are, wherever they are in the list now.
      for case let object as ObjectBase in elements where object.managedContext === session {
        reused.insert(PlacedKey(table: target.index, key: .integer(object._rowID)))
      }
      for (entry, value) in zip(present, elements) {
        reuse(entry.element.value.integer, in: target, for: value)
      }
    }
  }

  /// Has a new object change a row, which each row is changed by one only.
  private func reuse(_ row: Int64?, in table: Table, for value: Any?) {
    guard let row, let object = value as? ObjectBase, object._context == nil,
      type(of: object) == table.info.type,
      reused.insert(PlacedKey(table: table.index, key: .integer(row))).inserted
    else { return }
    rowsToChange[ObjectIdentifier(object)] = row
  }

  private func write(
    _ stored: [(key: String, _StoredElement)], to rows: SessionCollection, _ kind: CollectionKind,
    isNew: Bool
  ) {
    if !isNew, policy == .modified { return rows.become(stored) }
    if !isNew { rows.removeAll() }
    rows.add(stored, to: kind)
  }

  /// The values in the row of a placed object, by the positions of the properties.
  private func currentElements(
    of object: ObjectBase, _ table: Table
  ) throws(RealmError) -> [_PropertySlot: _StoredElement] {
    let info = table.info
    return try session.query(table.texts.selectByID) { statement in
      statement.bindRaw(object._rowID, at: 1)
      guard try statement.stepRaw() else { return [:] }
      defer { statement.resetRaw() }
      var elements: [_PropertySlot: _StoredElement] = [:]
      for slot in info.slots.inColumns {
        elements[slot] = statement.element(
          info.slots.column(of: slot) + 1, columns: Int(info.accessors[slot].columns))
      }
      return elements
    }
  }

  /// The properties in which a placed object differs from its row.
  private func differences(
    of object: ObjectBase, _ current: [_PropertySlot: _StoredElement], _ info: ClassInfo
  ) throws(RealmError) -> PropertySet {
    var slots = PropertySet()
    for slot in info.slots.inColumns {
      guard let element = current[slot] else { continue }
      if try !info.storedElement(slot, of: object).isIdentical(to: element) {
        slots.insert(slot)
      }
    }
    return slots
  }
}
