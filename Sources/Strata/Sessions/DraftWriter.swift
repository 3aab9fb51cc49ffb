import StrataSchema
import StrataStorage

/// A writer of drafts: finds or makes the row of each object, compares and writes. The writer reads
/// nothing of the original value.
///
/// An object of the draft with a primary key becomes the object with the same key, in the file or
/// in the draft. With `.modified`, an object without a primary key becomes the object that is in
/// its place. Any other object becomes a new one.
final class DraftWriter {
  private let session: Session
  private let transaction: WriteTransaction
  private let policy: UpdatePolicy
  private let draft: ObjectDraft
  /// The row of each object of the draft that has one, and whether the row is new.
  private var rows: [(row: Int64, isNew: Bool)?]
  /// The objects with a row, in the order in which they got their rows.
  private var queue: [Int] = []
  private var next = 0
  /// Objects whose rows have embedded children that may still be in the queue.
  private var replacements: ArraySlice<Int> = []
  /// The tables of the embedded classes of a table's properties, by its position.
  private var children: [Int: [Table]] = [:]
  /// The rows of primary keys that are not written yet.
  private var placed: [PlacedKey: Int64] = [:]
  /// The rows that no object without a primary key may take.
  private var taken: Set<ObjectRow>
  /// The changed rows: several objects of a value may have the same row.
  private var changed: Set<ObjectRow> = []

  private struct PlacedKey: Hashable {
    var table: Int
    var key: StoredValue
  }

  private init(
    _ draft: ObjectDraft, _ policy: UpdatePolicy, _ session: Session,
    _ transaction: WriteTransaction
  ) {
    self.draft = draft
    self.policy = policy
    self.session = session
    self.transaction = transaction
    rows = Array(repeating: nil, count: draft.parts.count)
    taken = draft.named
  }

  /// Adds an object and, once each, all objects that it leads to. Returns the row of the object.
  @discardableResult
  static func add(
    _ object: ObjectBase, _ policy: UpdatePolicy, _ session: Session,
    _ transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    if object._context === session, object._stamp == session.clock.now { return object._rowID }
    if let row = try rowInFile(of: object, session) { return row }
    // Most objects lead to no others, and need no draft.
    if policy == .error, object._state == 0, let table = session.table(type(of: object)),
      table.info.slots.links.isEmpty, table.info.slots.collections.isEmpty
    {
      let row = try transaction.identify(object, in: table, session: session)
      try transaction.insert(object, in: table)
      return row
    }
    let draft = try DraftReader.read(adopting: object, session)
    return try DraftWriter(draft, policy, session, transaction).writeAll()
  }

  /// Creates an object from a value, or changes the object with the same primary key.
  static func create(
    _ type: ObjectBase.Type, _ value: Any, _ policy: UpdatePolicy, _ session: Session,
    _ transaction: WriteTransaction
  ) throws(RealmError) -> ObjectBase {
    let draft = try DraftReader.read(type, value, session)
    let part = draft.parts[0]
    let writer = DraftWriter(draft, policy, session, transaction)
    let row = try writer.writeAll()
    if writer.rows[0]?.isNew == true { return part.object }
    return try session.object(row: row, in: part.table) ?? part.object
  }

  /// The row of a managed object; nil for an object that can be added.
  private static func rowInFile(
    of object: ObjectBase, _ session: Session
  ) throws(RealmError) -> Int64? {
    guard let context = object._context else {
      let isGone = object._state & (ObjectState.deleted | ObjectState.vanished) != 0
      if isGone { throw object.deletedError }
      return nil
    }
    if let faulty = context as? FaultyContext { throw faulty.error }
    guard session.isOfFile(object) else { throw RealmError(.fail, ErrorText.otherRealm) }
    if object.isInvalidated { throw object.deletedError }
    return object._rowID
  }

  private func writeAll() throws(RealmError) -> Int64 {
    let row = try identify(0)
    while try writeNext() {}
    return row
  }

  /// Writes the next object; false at the end.
  private func writeNext() throws(RealmError) -> Bool {
    if next < queue.count {
      let index = queue[next]
      next += 1
      if rows[index]?.isNew == true || childTables(of: draft.parts[index].table).isEmpty {
        try write(index)
      } else {
        replacements.append(index)
      }
      return true
    }
    guard let index = replacements.popFirst() else { return false }
    let table = draft.parts[index].table
    // Triggers delete the replaced children, which must be in the file for that.
    try transaction.flushAll()
    try write(index)
    try transaction.flush(table)
    for child in childTables(of: table) { transaction.recordDeletion(in: child) }
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

  // MARK: Finding rows

  /// Returns the row of an object of the draft. Finds or creates the row at the first call.
  ///
  /// - Parameter present: The row that is now in the place of the object.
  private func identify(_ index: Int, at present: Int64? = nil) throws(RealmError) -> Int64 {
    if let known = rows[index] { return known.row }
    let (table, object) = (draft.parts[index].table, draft.parts[index].object)
    let key = try table.primaryKeySlot.map { slot throws(RealmError) in
      PlacedKey(table: table.index, key: try table.info.storedValue(slot, of: object))
    }
    let existing = try existingRow(of: key, in: table, at: present)
    let row: Int64
    if let existing {
      row = existing
      transaction.identify(object, row: row, in: table, session: session)
    } else {
      row = try transaction.identify(object, in: table, session: session)
      if policy != .error, let key { placed[key] = row }
    }
    rows[index] = (row, existing == nil)
    queue.append(index)
    return row
  }

  private func existingRow(
    of key: PlacedKey?, in table: Table, at present: Int64?
  ) throws(RealmError) -> Int64? {
    guard policy != .error else { return nil }
    if let key {
      if let row = placed[key] { return row }
      return try session.find(key.key, in: table) { $0.int64(0) }
    }
    guard policy == .modified, let present,
      taken.insert(ObjectRow(table: table.index, row: present)).inserted
    else { return nil }
    return present
  }

  /// Replaces the numbers in an element, which stand for objects of the draft, by rows.
  ///
  /// - Parameter present: The element that is now in its place.
  private func resolve(
    _ element: _StoredElement, at present: _StoredElement?, _ property: Property
  ) throws(RealmError) -> _StoredElement {
    if property.type == .object || element.linkedClassName != nil {
      guard let number = element.value.integer, let index = ObjectDraft.index(of: number) else {
        return element
      }
      let place = property.type == .object ? present?.value.integer : nil
      return _StoredElement(.integer(try identify(index, at: place)), type: element.type)
    }
    guard element.isNested, let nested = NestedValue(element) else { return element }
    var indexes: [Int] = []
    nested.forEach { value in
      if case .link(_, let row) = value, let index = ObjectDraft.index(of: row) {
        indexes.append(index)
      }
    }
    if indexes.isEmpty { return element }
    for index in indexes { _ = try identify(index) }
    return _StoredElement(
      nested.mapLinks { className, row in
        let known = ObjectDraft.index(of: row).flatMap { rows[$0] }
        return .link(className: className, row: known?.row ?? row)
      })
  }

  // MARK: Writing

  private func write(_ index: Int) throws(RealmError) {
    guard let isNew = rows[index]?.isNew else { return }
    let part = draft.parts[index]
    let (object, table, info) = (part.object, part.table, part.table.info)
    let isCompared = !isNew && policy == .modified
    let current = isCompared ? try currentElements(of: object, table) : [:]
    let base = Unmanaged.passUnretained(object).toOpaque()
    defer { withExtendedLifetime(object) {} }
    for slot in info.slots.links { _ = info.accessors[slot].takeLink?(base) }
    for (slot, element) in part.links where isNew || part.given.contains(slot) {
      let element = try resolve(element, at: current[slot], info.properties[slot])
      if element.isNested {
        info.accessors[slot].setNested?(base, element)
      } else {
        object.setLinkRow(slot, className: element.linkedClassName, element.value.integer)
      }
    }
    let collections = try collections(of: part, isNew: isNew, isCompared: isCompared)
    if isNew {
      try transaction.insert(object, in: table)
    } else {
      // A statement can write each row only once.
      let row = ObjectRow(table: table.index, row: object._rowID)
      if !changed.insert(row).inserted { try transaction.flush(table) }
      let slots = policy == .all && part.isAdopted ? .all : try changes(of: part, current)
      transaction.update(object, slots: slots, in: table)
    }
    for (slot, rows, kind, elements) in collections {
      if isNew {
        rows.beginEmpty(at: rows.currentStamp)
        rows.add(elements, to: kind)
      } else if isCompared {
        rows.become(elements)
      } else {
        rows.removeAll()
        rows.add(elements, to: kind)
      }
      guard let collection = info.accessors[slot].collection?(base) else { continue }
      collection.forgetElements()
      collection.rows = rows
    }
  }

  private typealias Replacement = (
    slot: _PropertySlot, rows: SessionCollection, kind: CollectionKind,
    elements: [(key: String, _StoredElement)]
  )

  /// The new elements of an object's collections.
  private func collections(
    of part: ObjectDraft.Part, isNew: Bool, isCompared: Bool
  ) throws(RealmError) -> [Replacement] {
    var found: [Replacement] = []
    for slot in part.table.info.slots.collections where isNew || part.given.contains(slot) {
      guard let info = part.table.collections[slot] else { continue }
      let rows = SessionCollection(session, part.table, info, owner: part.object._rowID)
      let elements = part.collections[slot] ?? []
      let present =
        isCompared && elements.contains { ObjectDraft.isReference($0.1) }
        ? rows.storedEntries() : []
      var resolved: [(key: String, _StoredElement)] = []
      resolved.reserveCapacity(elements.count)
      let places = PresentElements(present, info.kind)
      for (position, (key, element)) in elements.enumerated() {
        let place = places.element(at: position, key)
        resolved.append((key, try resolve(element, at: place, info.property)))
      }
      found.append((slot, rows, info.kind, resolved))
    }
    return found
  }

  /// The values in the row of an object.
  private func currentElements(
    of object: ObjectBase, _ table: Table
  ) throws(RealmError) -> [_PropertySlot: _StoredElement] {
    let info = table.info
    return try session.query(table.texts.selectByID) { statement in
      statement.bindRaw(object._rowID, at: 1)
      return try statement.firstRow { row in
        info.slots.inColumns.reduce(into: [:]) { elements, slot in
          let columns = info.slots.columns(of: slot)
          elements[slot] = row.element(columns.lowerBound + 1, columns: columns.count)
        }
      } ?? [:]
    }
  }

  /// The properties of an existing object to write. With `.modified`, only the properties that
  /// differ from the row.
  private func changes(
    of part: ObjectDraft.Part, _ current: [_PropertySlot: _StoredElement]
  ) throws(RealmError) -> PropertySet {
    let info = part.table.info
    var slots = PropertySet()
    for slot in info.slots.inColumns
    where part.given.contains(slot) && slot != part.table.primaryKeySlot {
      let element = try info.storedElement(slot, of: part.object)
      if policy == .modified, current[slot].map(element.isIdentical) ?? false { continue }
      slots.insert(slot)
    }
    return slots
  }
}

/// The elements of a collection by position (lists) or key (maps).
private struct PresentElements {
  private let elements: [_StoredElement]
  private let byKey: [StoredText: _StoredElement]

  init(_ entries: [(key: String, element: _StoredElement)], _ kind: CollectionKind) {
    elements = kind == .list ? entries.map(\.element) : []
    byKey =
      kind == .map
      ? Dictionary(entries.map { (StoredText($0.key), $0.element) }) { first, _ in first } : [:]
  }

  func element(at position: Int, _ key: String) -> _StoredElement? {
    elements.indices.contains(position)
      ? elements[position] : byKey.isEmpty ? nil : byKey[StoredText(key)]
  }
}
