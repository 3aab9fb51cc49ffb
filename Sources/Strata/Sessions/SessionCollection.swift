import GRDB
import IssueReporting
import StrataQuery
import StrataSchema
import StrataStorage

extension CollectionKind {
  fileprivate var typeName: String {
    switch self {
    case .list: "List"
    case .set: "MutableSet"
    case .map: "Map"
    }
  }
}

/// A collection of a managed object.
final class SessionCollection: StoredCollection {
  /// The session in which the collection was read.
  let own: Session
  /// The session that reads and changes the collection: see ``Session/acting``.
  var session: Session { own.acting }
  /// The transaction of that session. Counting the references of a session is slow.
  private var transaction: WriteTransaction? {
    own.transaction ?? own.otherActing?.transaction
  }
  let ownerTable: Table
  private let generation: UInt32
  /// The table of the elements, if they are objects.
  private let target: Table?
  /// The last transaction that recorded changes of this list.
  private var notedIn: UInt64?

  /// - Parameter generation: The owner's generation; nil for the session's current one.
  init(
    _ session: Session, _ ownerTable: Table, _ info: CollectionInfo, owner: Int64,
    generation: UInt32? = nil
  ) {
    own = session
    self.generation = generation ?? session.generation
    self.ownerTable = ownerTable
    target = info.property.objectClassName.flatMap { session.store.table(className: $0) }
    super.init(ElementTable(info: info, owner: owner))
  }

  private var info: CollectionInfo { table.info }

  override func isSameFile(as other: StoredCollection) -> Bool {
    (other as? SessionCollection)?.session.sharesFile(with: session) ?? false
  }

  /// Whether the session was invalidated after this collection was read.
  var isFromBefore: Bool { own.generation != generation }

  /// Records for trackers that the elements are read.
  private func recordRead() { own.reads?.record(info, owner: table.owner) }

  /// Records for trackers that values of the elements are read, or of objects that they lead to.
  func recordReadOfObjects() { own.reads?.recordEverything() }

  override var isInvalidated: Bool {
    guard ownerTable.exists, !isFromBefore else { return true }
    recordRead()
    return session.query(or: false) { try !ownerTable.contains(table.owner, $0) }
  }

  override var stamp: Stamp {
    recordRead()
    return currentStamp
  }

  /// The current stamp, without recording a read.
  var currentStamp: Stamp {
    guard let transaction else { return Stamp(time: session.clock.now, changes: 0) }
    return Stamp(
      time: transaction.firstStamp, changes: transaction.changes(of: info, owner: table.owner))
  }

  // MARK: Long lists

  private var key: LongLists.Key { LongLists.Key(collection: info.index, owner: table.owner) }

  /// Converts a stamp of this session to the time of the store at which the list is the same. Nil
  /// for a state that only this session shows.
  private func sharedStamp(_ stamp: Stamp) -> UInt64? {
    guard info.kind == .list else { return nil }
    if let transaction { return stamp.changes == 0 ? transaction.committedStamp : nil }
    return session.showsNewest ? stamp.time : nil
  }

  override func sharedShape(at stamp: Stamp) -> LongLists.Shape? {
    sharedStamp(stamp).flatMap { session.store.longLists.shape(of: key, at: $0) }
  }

  override func share(_ shape: LongLists.Shape, at stamp: Stamp) {
    guard shape.isWorthKnowing, let number = sharedStamp(stamp) else { return }
    let store = session.store
    store.longLists.record(shape, of: key, at: number, store.clock)
  }

  override func didChange(to shape: LongLists.Shape) {
    guard shape.isWorthKnowing, let transaction, notedIn != transaction.firstStamp else {
      return
    }
    transaction.changes.lists[key] = self
    notedIn = transaction.firstStamp
  }

  override func read<Value>(or fallback: Value, _ body: (Database) throws -> Value) -> Value {
    guard ownerTable.exists, !isFromBefore else { return fallback }
    recordRead()
    session.reportPlace()
    do {
      // The transaction has written its changes of collections already, so no objects are flushed.
      if let transaction, transaction.hasBegun {
        return try transaction.write(body)
      }
      return try session.read(body)
    } catch {
      if transaction?.error == nil { session.report(error) }
      return fallback
    }
  }

  // MARK: Writing

  override var isShared: Bool { own.isShared }

  override func canWrite() -> Bool {
    let session = session
    guard !session.isShared else {
      let type = info.kind.typeName
      reportIssue(
        "\(ErrorText.frozenCollection(type)) ('\(info.className).\(info.property.name)')")
      return false
    }
    session.requirePlace()
    guard let transaction else {
      stopForProgrammerError(
        "\(ErrorText.outsideWrite) ('\(info.className).\(info.property.name)')")
    }
    guard !isFromBefore, !session.hasDeleted(table.owner, in: ownerTable) else {
      record(
        RealmError(
          .fail, "\(ErrorText.deleted) ('\(info.className).\(info.property.name)')"))
      return false
    }
    return transaction.hasBegun && transaction.error == nil
  }

  override func record(_ error: RealmError) { session.record(error) }

  override func reportUnreadable() {
    reportIssue(
      """
      '\(info.className).\(info.property.name)' of the row with \(ownerTable.schema.identityColumn) \
      \(table.owner) holds an element that is not of type '\(info.property.type.rawValue)', \
      or a deleted object. Another program wrote it, or an enum lost a case: correct the row.
      """)
  }

  override func change<Value>(
    or fallback: Value, removes: Bool, _ body: (Database) throws -> Value
  ) -> Value {
    guard let transaction else { return fallback }
    // Triggers delete children without a parent. Pending children must be in the file for that.
    let children = removes ? target.flatMap { $0.info.isEmbedded ? $0 : nil } : nil
    do throws(RealmError) {
      if children != nil { try transaction.flushAll() }
      try transaction.willRefer(to: ownerTable)
      if let target { try transaction.willRefer(to: target) }
      let result = try transaction.write(body)
      transaction.recordChange(of: info, owner: table.owner)
      if let children { transaction.recordDeletion(in: children) }
      return result
    } catch {
      session.record(transaction.explanation(of: error, writing: table, of: ownerTable))
      return fallback
    }
  }

  override func collect(_ elements: [_StoredElement], at position: Int64) -> Bool {
    guard let transaction else { return false }
    do throws(RealmError) {
      try transaction.append(
        elements, to: table, at: position, referringTo: (ownerTable, target))
      transaction.recordChange(of: info, owner: table.owner)
    } catch {
      session.record(error)
    }
    return true
  }

  // MARK: Edits of lists

  override func insert(_ elements: [_StoredElement], at index: Int) {
    recordEdit { edits, count in
      for position in 0..<elements.count { edits.insert(at: min(index, count) + position) }
    }
    super.insert(elements, at: index)
  }

  override func replace(at index: Int, with element: _StoredElement) {
    recordEdit { edits, _ in edits.replace(at: index) }
    super.replace(at: index, with: element)
  }

  override func remove(_ indices: Range<Int>) {
    recordEdit { edits, _ in
      for index in indices.reversed() { edits.remove(at: index) }
    }
    super.remove(indices)
  }

  override func move(from source: Int, to destination: Int) {
    recordEdit { edits, _ in edits.move(from: source, to: destination) }
    super.move(from: source, to: destination)
  }

  override func removeAll() {
    if info.kind == .list { recordEdit { edits, _ in edits.removeAll() } }
    super.removeAll()
  }

  private func recordEdit(_ edit: (inout ListEdits, _ count: Int) -> Void) {
    guard let transaction, transaction.receiver != nil else { return }
    let count = count
    transaction.recordEdit(of: info, owner: table.owner, count: count) { edit(&$0, count) }
  }

  // MARK: Objects

  override func object(_ element: _StoredElement) -> AnyObject? {
    guard case .integer(let row) = element.value else { return nil }
    if let target { return session.objectIfReadable(row: row, in: target) }
    return element.linkedClassName.flatMap { session.linkedObject(className: $0, row: row) }
  }

  override func hasClass(_ className: String) -> Bool {
    session.store.table(className: className) != nil
  }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    guard let object = object as? ObjectBase else { return .null }
    if target == nil {
      return try session.element(linkingTo: object, info.property, of: info.className)
    }
    return _StoredElement(
      .integer(try session.rowForLink(to: object, info.property, of: info.className)))
  }

  override func makeHeldElements() -> HeldElements {
    let key = NestedKey(name: info.tableName, row: table.owner, slot: .outside)
    if let known = own.nestedHolders[key]?.holder as? HeldElements { return known }
    let made = HeldElements()
    own.nestedHolders.record(made, for: key)
    return made
  }

  // MARK: Going through elements

  /// The objects of a list or a set, as a query.
  var objectQuery: ObjectQuery? {
    guard let target, info.kind != .map else { return nil }
    return ObjectQuery(target, .collection(info, owner: table.owner))
  }

  override func cursor() -> ElementCursor {
    guard !isFromBefore else { return ElementCursor() }
    recordRead()
    if let objectQuery { return ObjectElementCursor(ObjectCursor(objectQuery, session)) }
    let values = ArrayElementCursor(read(or: []) { try table.entries($0) })
    return holdsNested ? NestedElementCursor(values, self) : values
  }
}

extension SessionCollection {
  /// Replaces the elements by new ones. Elements in both stay as they are: observers are notified
  /// only of the others.
  func become(_ new: [(key: String, _StoredElement)]) {
    switch table.info.kind {
    case .list: becomeList(new.map { ExactElement($0.1) })
    case .set: becomeSet(new.map { ExactElement($0.1) })
    case .map: becomeMap(new)
    }
  }

  /// Replaces the elements between the common beginning and the common end: one by one if their
  /// number stays the same.
  private func becomeList(_ new: [ExactElement]) {
    let old = storedEntries().map { ExactElement($0.element) }
    let ends = CommonEnds(old, new)
    let added = ends.new.map { new[$0].element }
    if ends.old.count == ends.new.count {
      for (position, element) in zip(ends.old, added) where old[position] != new[position] {
        replace(at: position, with: element)
      }
      return
    }
    if !ends.old.isEmpty { remove(ends.old) }
    if !added.isEmpty { insert(added, at: ends.start) }
  }

  private func becomeSet(_ new: [ExactElement]) {
    let old = Set(storedEntries().map { ExactElement($0.element) })
    let wanted = Set(new)
    if !old.isEmpty, old.isDisjoint(with: wanted) {
      removeAll()
    } else {
      for exact in old.subtracting(wanted) { _ = remove(exact.element) }
    }
    for exact in new where !old.contains(exact) { _ = insert(exact.element) }
  }

  private func becomeMap(_ new: [(key: String, _StoredElement)]) {
    var old: [ExactElement: _StoredElement] = [:]
    for (key, element) in storedEntries() { old[ExactElement(key: key)] = element }
    for (key, element) in new {
      if let present = old.removeValue(forKey: ExactElement(key: key)),
        present.isIdentical(to: element)
      {
        continue
      }
      set(element, forKey: key)
    }
    for exact in old.keys {
      if case .text(let key) = exact.element.value { _ = remove(key: key) }
    }
  }

  /// The elements as the file stores them, with their keys for a map.
  func storedEntries() -> [(key: String, element: _StoredElement)] {
    let cursor = cursor()
    var entries: [(key: String, element: _StoredElement)] = []
    while let next = cursor.next() { entries.append((next.key, next.element.stored)) }
    return entries
  }
}

/// An element that equals only elements with the same bytes.
private struct ExactElement: Hashable {
  let element: _StoredElement

  init(_ element: _StoredElement) { self.element = element }

  init(key: String) { element = _StoredElement(.text(key)) }

  static func == (first: Self, second: Self) -> Bool {
    first.element.isIdentical(to: second.element)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(element) }
}
