import StrataStorage

/// The position of an element in a list, or its key in a map.
enum ElementSlot: Hashable {
  case position(Int)
  case key(StoredText)
}

/// An element of a managed list or map that is a list or a dictionary itself.
///
/// A list's element is identified by its position, which is adjusted when this realm inserts,
/// removes or moves elements. After changes by others, an element with equal contents is searched;
/// if none is found, the element at the old position is used.
final class ElementHolder: NestedHolder {
  private let rows: StoredCollection
  fileprivate(set) var slot: ElementSlot
  private var knownStamp: _CollectionRows.Stamp
  fileprivate private(set) var isWriting = false

  init(_ element: _StoredElement, _ rows: StoredCollection, _ slot: ElementSlot) {
    self.rows = rows
    self.slot = slot
    knownStamp = rows.stamp
    super.init(element, isShared: rows.isShared)
  }

  override func current() -> _StoredElement? {
    let stamp = rows.stamp
    guard stamp != knownStamp else { return known }
    knownStamp = stamp
    let element = rows.storedElement(slot)
    if element == known { return known }
    if case .position = slot, let found = rows.position(of: known) {
      slot = .position(found)
      return known
    }
    return element.flatMap { $0.isNested ? $0 : nil }
  }

  override func canWrite() -> Bool { rows.canWrite() }

  override func write(_ element: _StoredElement) {
    isWriting = true
    defer { isWriting = false }
    switch slot {
    case .position(let position): rows.replace(at: position, with: element)
    case .key(let key): rows.set(element, forKey: key.text)
    }
    knownStamp = rows.stamp
  }

  override func record(_ error: RealmError) { rows.record(error) }

  override func object(_ element: _StoredElement) -> AnyObject? { rows.object(element) }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    try rows.row(of: object)
  }

  override func isSame(as other: NestedHolder) -> Bool {
    guard let other = other as? ElementHolder else { return false }
    return slot == other.slot && rows.isSame(as: other.rows)
  }

  override var identity: Int64 { rows.identity }

  override var name: String {
    "'\(rows.table.info.className).\(rows.table.info.property.name)'"
  }

  /// The collection that the element is in.
  var collection: StoredCollection { rows }
}

/// The elements of one collection that the program holds as collections.
final class HeldElements {
  private var holders: [WeakHolder] = []

  private var all: [ElementHolder] { holders.compactMap { $0.holder as? ElementHolder } }

  /// The holder of an element, shared by all callers.
  func holder(
    of element: _StoredElement, in rows: StoredCollection, _ slot: ElementSlot
  ) -> NestedHolder {
    for holder in all where holder.slot == slot {
      holder.refresh()
      if holder.slot == slot, holder.top != nil { return holder }
    }
    let holder = ElementHolder(element, rows, slot)
    if WeakHolder.shouldPruneReleased(holders.count) { holders.removeAll { $0.holder == nil } }
    holders.append(WeakHolder(holder: holder))
    return holder
  }

  // MARK: Own changes of the collection

  private func move(_ position: (Int) -> Int?) {
    for holder in all {
      guard case .position(let old) = holder.slot else { continue }
      if let new = position(old) { holder.slot = .position(new) } else { holder.end() }
    }
  }

  func didInsert(_ count: Int, at index: Int) { move { $0 >= index ? $0 + count : $0 } }

  func didRemove(_ indices: Range<Int>) {
    move { indices.contains($0) ? nil : $0 >= indices.upperBound ? $0 - indices.count : $0 }
  }

  func didMove(from source: Int, to destination: Int) {
    move { position in
      if position == source { return destination }
      let without = position > source ? position - 1 : position
      return without >= destination ? without + 1 : without
    }
  }

  /// Called when an element is replaced by another value. A change inside of the element doesn't
  /// count.
  func didReplace(_ slot: ElementSlot) {
    for holder in all where holder.slot == slot && !holder.isWriting { holder.end() }
  }

  func didRemoveAll() {
    for holder in all { holder.end() }
    holders = []
  }
}

/// A wrapper for another cursor that returns nested collections as live ones.
final class NestedElementCursor: ElementCursor {
  private let cursor: ElementCursor
  private let rows: StoredCollection
  private var position = -1

  init(_ cursor: ElementCursor, _ rows: StoredCollection) {
    self.cursor = cursor
    self.rows = rows
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    guard let (key, element, object) = cursor.next() else { return nil }
    position += 1
    guard element.stored.isNested else { return (key, element, object) }
    let isMap = rows.table.info.kind == .map
    let slot = isMap ? ElementSlot.key(StoredText(key)) : .position(position)
    return (key, rows.withNested(element.stored, slot), object)
  }
}

extension StoredCollection {
  /// Converts a stored element to the form in which it is read.
  func withNested(_ element: _StoredElement, _ slot: @autoclosure () -> ElementSlot)
    -> _ReadElement
  {
    guard element.isNested else { return _ReadElement(element) }
    let holder =
      isShared
      ? ElementHolder(element, self, slot()) : heldElements.holder(of: element, in: self, slot())
    return _ReadElement(element, nested: holder.top.map { NestedRows(holder, $0) })
  }
}
