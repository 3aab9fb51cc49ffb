import StrataSchema
import StrataStorage

/// The elements of a list or a dictionary inside of an `AnyRealmValue` of an object in a file.
final class NestedRows: _CollectionRows {
  let holder: NestedHolder
  let node: NestedNode

  init(_ holder: NestedHolder, _ node: NestedNode) {
    self.holder = holder
    self.node = node
    super.init()
  }

  /// Whether the collection is still part of its holder's value.
  private var isThere: Bool {
    holder.refresh()
    return node.top === holder.top
  }

  override var isInvalidated: Bool { !isThere }

  override func isSame(as other: _CollectionRows) -> Bool {
    guard let other = other as? NestedRows else { return false }
    if node === other.node { return true }
    return holder.isSame(as: other.holder) && isThere && other.isThere
      && node.path == other.node.path
  }

  override var identity: Int64 { holder.identity }

  override var holdsNested: Bool { true }
  override var nestingLevel: Int { node.level }

  // MARK: Reading

  override var stamp: Stamp {
    holder.refresh()
    return Stamp(time: 0, changes: holder.changes)
  }

  override var count: Int { isThere ? node.items.count : 0 }
  override var first: _ReadElement? { element(at: 0) }
  override var last: _ReadElement? { element(at: count - 1) }

  override func element(at position: Int) -> _ReadElement? {
    guard isThere, node.items.indices.contains(position) else { return nil }
    return element(node.items[position])
  }

  private func element(_ item: NestedNode.Item) -> _ReadElement {
    switch item {
    case .value(let value): _ReadElement(_StoredElement(value))
    case .node(let node):
      _ReadElement(
        _StoredElement(.null, type: node.kind.rawValue), nested: NestedRows(holder, node))
    }
  }

  override func position(of element: _StoredElement) -> Int? {
    guard isThere else { return nil }
    let number = NestedValue(element)?.decimal
    return node.items.firstIndex { item in
      switch item {
      case .value(let value):
        value.typeName == element.type
          && (value.stored == element.value || value.decimal.map { $0 == number } ?? false)
      case .node(let node):
        node.kind.rawValue == element.type && node.value.stored == element.value
      }
    }
  }

  override func element(forKey key: String) -> _ReadElement? {
    guard isThere, let index = node.index(ofKey: key) else { return nil }
    return element(node.items[index])
  }

  override func cursor() -> ElementCursor {
    guard isThere else { return ElementCursor() }
    let elements = node.items.map(element)
    let keys = node.kind == .list ? elements.map { _ in "" } : node.keys
    return NestedCursor(zip(keys, elements))
  }

  // MARK: Objects

  override func object(_ element: _StoredElement) -> AnyObject? { holder.object(element) }

  /// A deleted object reads as nil here, although the text still names it.
  override func hasClass(_ className: String) -> Bool { false }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    try holder.row(of: object)
  }

  // MARK: Writing

  override func canWrite() -> Bool {
    guard holder.canWrite() else { return false }
    guard isThere else {
      holder.record(RealmError(.fail, ErrorText.nestedGone(holder.name)))
      return false
    }
    return true
  }

  override func record(_ error: RealmError) { holder.record(error) }

  private func change(_ body: () -> Void) {
    guard isThere else { return }
    body()
    holder.save()
  }

  private func nested(_ element: _StoredElement) -> NestedValue { NestedValue(element) ?? .null }

  override func insert(_ elements: [_StoredElement], at position: Int) {
    change { node.insert(elements.map(nested), at: position) }
  }

  override func replace(at position: Int, with element: _StoredElement) {
    change { node.replace(at: position, with: nested(element)) }
  }

  override func remove(_ positions: Range<Int>) {
    if !positions.isEmpty { change { node.remove(positions) } }
  }

  override func move(from source: Int, to destination: Int) {
    change { node.move(from: source, to: destination) }
  }

  override func removeAll() {
    change { node.remove(0..<node.items.count) }
  }

  override func set(_ element: _StoredElement, forKey key: String) {
    change { node.set(nested(element), forKey: key) }
  }

  override func remove(key: String) -> Bool {
    guard isThere, let index = node.index(ofKey: key) else { return false }
    change { node.remove(index..<index + 1) }
    return true
  }
}

extension NestedValue {
  fileprivate var decimal: Decimal128? {
    guard case .value(let stored, .decimal128) = self else { return nil }
    return Decimal128(_stored: stored)
  }
}

/// A cursor over the elements that a nested collection had when the cursor was made.
private final class NestedCursor: ElementCursor {
  private var entries: IndexingIterator<[(key: String, element: _ReadElement)]>

  init(_ entries: some Sequence<(String, _ReadElement)>) {
    self.entries = entries.map { (key: $0.0, element: $0.1) }.makeIterator()
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    entries.next().map { ($0.key, $0.element, nil) }
  }
}

/// The text of a nested collection, as the property of a managed object holds it. The program never
/// sees the text: each read returns a live collection.
///
/// This class poses as the rows of a collection, because the property in memory is an
/// `AnyRealmValue`, whose cases are RealmSwift's and can't hold a text for this purpose.
final class CarriedRows: EmptyRows {
  let carried: _StoredElement

  init(_ element: _StoredElement) {
    carried = element
    super.init()
  }
}
