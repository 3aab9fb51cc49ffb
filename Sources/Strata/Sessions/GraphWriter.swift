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

  /// The rows of embedded objects that are changed in place by the next ones that are placed.
  private var reusable: ArraySlice<Int64> = []

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
    if object._state & ObjectState.deleted != 0 {
      stopForProgrammerError("\(ErrorText.deleted) ('\(className)')")
    }
    if let faulty = object._context as? FaultyContext { throw faulty.error }
    if object._context != nil {
      let isOfFile = session.isOfFile(object)
      if isOfFile, !object.isInvalidated { return object._rowID }
      throw RealmError(
        .fail,
        isOfFile ? "\(ErrorText.deleted) ('\(className)')" : ErrorText.otherRealm)
    }
    guard object._state & ObjectState.vanished == 0 else {
      throw RealmError(.fail, "\(ErrorText.deleted) ('\(className)')")
    }
    guard let table = session.store.table(type(of: object)) else {
      throw .notManaged(type(of: object))
    }
    if object is EmbeddedObject, let row = reusable.popFirst() {
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
      // An embedded object that was there before is changed in place.
      if target is EmbeddedObject, case .integer(let row)? = current[slot]?.value {
        reusable = [row]
      }
      defer { reusable = [] }
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
    for (collection, rows, kind, embedded, stored) in collections {
      if isNew { rows.beginEmpty(at: rows.currentStamp) }
      write(stored, instead: embedded, to: rows, kind, isNew: isNew)
      collection.forgetElements()
      collection.rows = rows
    }
  }

  private typealias Replacement = (
    collection: any PersistedCollection, rows: SessionCollection, kind: CollectionKind,
    embedded: [Int64], stored: [(key: String, _StoredElement)]
  )

  /// The elements of an object's collections, and the rows of the embedded objects that stay.
  private func storedCollections(
    of object: ObjectBase, _ base: UnsafeMutableRawPointer, _ table: Table, isNew: Bool
  ) throws(RealmError) -> [Replacement] {
    var found: [Replacement] = []
    for slot in table.info.slots.collections {
      guard let collection = table.info.accessors[slot].collection?(base),
        let info = table.collections[slot]
      else { continue }
      let rows = SessionCollection(session, table, info, owner: object._rowID)
      let isChangedInPlace = !isNew && policy == .modified && info.kind == .list
      let embedded = isChangedInPlace ? rows.embeddedRows : []
      reusable = embedded[...]
      defer { reusable = [] }
      let stored = collection.count > 0 ? try collection.stored(in: rows) : []
      found.append((collection, rows, info.kind, embedded, stored))
    }
    return found
  }

  private func write(
    _ stored: [(key: String, _StoredElement)], instead embedded: [Int64],
    to rows: SessionCollection, _ kind: CollectionKind, isNew: Bool
  ) {
    if !embedded.isEmpty {
      // The first ones are the same rows, changed in place.
      if stored.count < embedded.count { rows.remove(stored.count..<embedded.count) }
      let more = stored.dropFirst(embedded.count).map(\.1)
      if !more.isEmpty { rows.insert(more, at: embedded.count) }
      return
    }
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

extension SessionCollection {
  /// The rows of the embedded objects of a list; none for other elements.
  var embeddedRows: [Int64] {
    guard hasEmbeddedObjects else { return [] }
    let cursor = cursor()
    var rows: [Int64] = []
    while case .integer(let row)? = cursor.next()?.element.stored.value { rows.append(row) }
    return rows
  }
}
