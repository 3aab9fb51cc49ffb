import GRDB

/// A collection of an object in a file. Subclasses for realms and for migrations override the
/// access to the file, and the form of elements that are objects.
class StoredCollection: _CollectionRows {
  let table: ElementTable

  /// The extent of the known rows, if nothing has changed since.
  private var extent: ElementTable.Extent?
  /// The positions of a list with gaps, in order.
  private var positions: [Int64]?
  private var knownStamp: Stamp?
  private var lastInsertion: Range<Int>?

  init(_ table: ElementTable) {
    self.table = table
    canHoldNested = table.info.property.type == .any && table.info.kind != .set
  }

  override var identity: Int64 { table.owner }

  override func isSame(as other: _CollectionRows) -> Bool {
    guard let other = other as? StoredCollection else { return false }
    return self === other
      || (table.owner == other.table.owner && table.info.tableName == other.table.info.tableName
        && isSameFile(as: other))
  }

  // MARK: Collections in elements

  override var holdsNested: Bool { canHoldNested }
  private let canHoldNested: Bool

  /// The elements that the program holds as collections.
  private(set) lazy var heldElements = makeHeldElements()

  func makeHeldElements() -> HeldElements { HeldElements() }

  // MARK: The file

  /// Whether both collections are on the same side of the same file.
  func isSameFile(as other: StoredCollection) -> Bool { mustOverride(self) }

  /// Runs a query. Reports a failure, and returns the fallback.
  func read<Value>(or fallback: Value, _ body: (Database) throws -> Value) -> Value {
    mustOverride(self)
  }

  /// Runs a change. Records a failure. `removes` says whether elements leave the collection.
  func change<Value>(
    or fallback: Value, removes: Bool, _ body: (Database) throws -> Value
  ) -> Value { mustOverride(self) }

  // MARK: Overridden only by realms

  /// Whether several threads may read the collection at the same time.
  var isShared: Bool { false }

  /// The store's cached shape of the list at a stamp; nil if the rows must be read.
  func sharedShape(at stamp: Stamp) -> LongLists.Shape? { nil }

  /// Passes a shape that was read at a stamp to the store.
  func share(_ shape: LongLists.Shape, at stamp: Stamp) {}

  /// Called when this collection has changed its list and knows the new shape.
  func didChange(to shape: LongLists.Shape) {}

  /// The list's shape at a stamp, if it is known here.
  func shape(at stamp: Stamp) -> LongLists.Shape? {
    guard knownStamp == stamp else { return nil }
    return extent.map { LongLists.Shape(extent: $0, positions: positions) }
  }

  // MARK: Reading

  override var count: Int {
    // For shared collections, the connection makes threads take turns.
    if !isShared, let extent, knownStamp == stamp { return extent.count }
    return read(or: 0) { try currentExtent($0).count }
  }

  /// Marks the collection as empty, because its owner is new: an identity is never reused.
  func beginEmpty(at stamp: Stamp) {
    extent = .empty
    positions = nil
    knownStamp = stamp
  }

  private func currentExtent(_ db: Database) throws -> ElementTable.Extent {
    let current = stamp
    if knownStamp == current, let extent { return extent }
    let shared = sharedShape(at: current)
    let shape = try shared ?? LongLists.Shape(extent: table.extent(db))
    extent = shape.extent
    positions = shape.positions
    knownStamp = current
    if shared == nil { share(shape, at: current) }
    return shape.extent
  }

  /// The position in the file of the element at an index; nil if the index is out of range.
  private func position(_ db: Database, _ index: Int) throws -> Int64? {
    let extent = try currentExtent(db)
    guard index >= 0, index < extent.count else { return nil }
    if extent.isDense { return extent.first + Int64(index) }
    return try knownPositions(db)[index]
  }

  private func knownPositions(_ db: Database) throws -> [Int64] {
    if let positions { return positions }
    let read = try table.positions(db)
    positions = read
    if let knownStamp, let extent {
      share(LongLists.Shape(extent: extent, positions: read), at: knownStamp)
    }
    return read
  }

  // Each property runs a single statement, because another thread may write between two statements.

  override var first: _ReadElement? {
    let element = read(or: nil) { try table.entry($0, index: 0)?.element }
    return element.map { withNested($0, .position(0)) }
  }

  override var last: _ReadElement? {
    let element = read(or: nil) { try table.lastElement($0) }
    return element.map { withNested($0, .position(count - 1)) }
  }

  override func element(at index: Int) -> _ReadElement? {
    storedElement(at: index).map { withNested($0, .position(index)) }
  }

  override func element(forKey key: String) -> _ReadElement? {
    let slot = ElementSlot.key(StoredText(key))
    return storedElement(slot).map { withNested($0, slot) }
  }

  func storedElement(_ slot: ElementSlot) -> _StoredElement? {
    switch slot {
    case .position(let index): storedElement(at: index)
    case .key(let key): read(or: nil) { try table.element($0, key: key.text) }
    }
  }

  private func storedElement(at index: Int) -> _StoredElement? {
    read(or: nil) { db in
      guard table.info.kind == .list else { return try table.entry(db, index: index)?.element }
      guard let position = try position(db, index) else { return nil }
      if let element = try table.element(db, position: position) { return element }
      // Another process has changed the list since its rows were counted.
      extent = nil
      return try table.entry(db, index: index)?.element
    }
  }

  override func position(of element: _StoredElement) -> Int? {
    read(or: nil) { db in
      // A set has no positions: the callers only check whether it contains the element.
      guard table.info.kind != .set else { return try table.contains(db, element) ? 0 : nil }
      return try table.index(db, of: element)
    }
  }

  // MARK: Writing

  /// Runs a change of this collection, and adjusts its caches.
  private func change(removes: Bool = false, _ body: (Database) throws -> Void) {
    change(or: (), removes: removes) { try body($0) }
    recordShape()
  }

  /// Records that the rows after a change are known, if they are.
  private func recordShape() {
    guard let extent else { return }
    knownStamp = stamp
    if table.info.kind == .list {
      didChange(to: LongLists.Shape(extent: extent, positions: positions))
    }
  }

  /// Schedules elements for writing at the end of a list before the next read. Returns false if
  /// they must be written now.
  func collect(_ elements: [_StoredElement], at position: Int64) -> Bool { false }

  override func insert(_ elements: [_StoredElement], at index: Int) {
    if holdsNested { heldElements.didInsert(elements.count, at: index) }
    guard !append(elements, at: index) else { return }
    change { db in
      let count = try currentExtent(db).count
      let position = try freePositions(db, for: elements.count, at: min(index, count))
      try table.insert(db, elements, position: position)
      lastInsertion = min(index, count)..<min(index, count) + elements.count
      recordInsertion(of: elements.count, at: index, position)
    }
  }

  /// Schedules elements to be written later, if the index is at the end. Returns whether the
  /// elements were scheduled.
  private func append(_ elements: [_StoredElement], at index: Int) -> Bool {
    guard let extent, index >= extent.count, extent.hasFreePositionsAround, knownStamp == stamp
    else { return false }
    let position = extent.count == 0 ? 0 : extent.last + 1
    guard collect(elements, at: position) else { return false }
    lastInsertion = extent.count..<extent.count + elements.count
    recordInsertion(of: elements.count, at: index, position)
    recordShape()
    return true
  }

  private func recordInsertion(of count: Int, at index: Int, _ position: Int64) {
    guard let extent else { return }
    let last = position + Int64(count) - 1
    positions?.insert(contentsOf: position...last, at: min(index, extent.count))
    self.extent = ElementTable.Extent(
      count: extent.count + count,
      first: extent.count == 0 ? position : min(extent.first, position),
      last: max(extent.last, last))
  }

  /// Finds or frees positions before the element at an index. Returns the position of the first new
  /// element.
  private func freePositions(_ db: Database, for number: Int, at index: Int) throws -> Int64 {
    var extent = try currentExtent(db)
    if !extent.hasFreePositionsAround {
      try table.renumber(db)
      extent = try table.extent(db)
      self.extent = extent
      positions = nil
    }
    if extent.count == 0 { return 0 }
    if index == extent.count { return extent.last + 1 }
    if index == 0 { return extent.first - Int64(number) }
    guard let before = try position(db, index - 1), let after = try position(db, index) else {
      return extent.last + 1
    }
    let gap = ListGap(
      of: number, at: index, between: before, after, in: extent, last: lastInsertion)
    if let shift = gap.shift {
      positions = nil
      try table.shift(db, shift)
      if shift.distance > 0 {
        self.extent?.last += shift.distance
      } else {
        self.extent?.first += shift.distance
      }
    }
    return gap.position
  }

  override func replace(at index: Int, with element: _StoredElement) {
    if holdsNested { heldElements.didReplace(.position(index)) }
    change(removes: true) { db in
      guard let position = try position(db, index) else { return }
      try table.replace(db, position: position, with: element)
    }
  }

  override func remove(_ indices: Range<Int>) {
    guard !indices.isEmpty else { return }
    if holdsNested { heldElements.didRemove(indices) }
    change(removes: true) { db in
      guard let first = try position(db, indices.lowerBound),
        let last = try position(db, indices.upperBound - 1)
      else { return }
      let before = try position(db, indices.lowerBound - 1)
      let after = try position(db, indices.upperBound)
      try table.remove(db, positions: first...last)
      guard var extent else { return }
      extent.count -= indices.count
      if before == nil { extent.first = after ?? 0 }
      if after == nil { extent.last = before ?? -1 }
      self.extent = extent
      positions?.removeSubrange(indices)
    }
  }

  override func move(from source: Int, to destination: Int) {
    if holdsNested { heldElements.didMove(from: source, to: destination) }
    change { db in
      guard let position = try position(db, source) else { return }
      // Moves the element out of the way, so that positions are freed only among the others.
      let parking = Int64.max / 2
      try table.move(db, from: position, to: parking)
      var rest = try table.positions(db)
      rest.removeLast()
      let others = ElementTable.Extent(
        count: rest.count, first: rest.first ?? 0, last: rest.last ?? -1)
      self.extent = others
      positions = others.isDense ? nil : rest
      let free = try freePositions(db, for: 1, at: destination)
      try table.move(db, from: parking, to: free)
      self.extent = nil
      positions = nil
    }
  }

  override func removeAll() {
    if holdsNested { heldElements.didRemoveAll() }
    change(removes: true) { db in
      try table.removeAll(db)
      extent = .empty
      positions = nil
    }
  }

  override func insert(_ element: _StoredElement) -> Bool {
    changed(removes: false, by: 1) { try table.insert($0, element) }
  }

  override func remove(_ element: _StoredElement) -> Bool {
    changed(removes: true, by: -1) { try table.remove($0, element) }
  }

  override func set(_ element: _StoredElement, forKey key: String) {
    if holdsNested { heldElements.didReplace(.key(StoredText(key))) }
    change(removes: true) { db in
      try table.set(db, element, key: key)
      extent = nil
    }
  }

  override func remove(key: String) -> Bool {
    if holdsNested { heldElements.didReplace(.key(StoredText(key))) }
    return changed(removes: true, by: -1) { try table.remove($0, key: key) }
  }

  private func changed(
    removes: Bool, by number: Int, _ body: (Database) throws -> Bool
  ) -> Bool {
    var didChange = false
    change(removes: removes) { db in
      if knownStamp != stamp { extent = nil }
      didChange = try body(db)
      if didChange { extent?.count += number }
    }
    return didChange
  }
}
