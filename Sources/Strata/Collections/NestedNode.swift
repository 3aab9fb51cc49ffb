import StrataSchema

/// A list or a dictionary inside of an `AnyRealmValue`, in memory.
///
/// This is a class, so that a collection that the program holds keeps its identity when elements
/// around it are inserted and removed.
final class NestedNode {
  /// The element at a position, or of a key.
  enum Item {
    /// Nil, a single value or a link.
    case value(NestedValue)
    case node(NestedNode)
  }

  let kind: NestedKind
  /// The collection that contains this one; nil at the top, and for a removed collection.
  private(set) weak var parent: NestedNode?
  /// The keys of a dictionary in the order of their bytes, one for each item; empty in a list.
  private(set) var keys: [String] = []
  private(set) var items: [Item] = []

  /// Fails for a value that isn't a collection.
  init?(_ value: NestedValue) {
    switch value {
    case .list(let values):
      kind = .list
      items = values.map(item)
    case .dictionary(let entries):
      kind = .dictionary
      keys = entries.map(\.key)
      items = entries.map { item($0.value) }
    case .null, .value, .link: return nil
    }
  }

  private func item(_ value: NestedValue) -> Item {
    guard let node = NestedNode(value) else { return .value(value) }
    node.parent = self
    return .node(node)
  }

  private static func detach(_ items: some Sequence<Item>) {
    for case .node(let node) in items { node.parent = nil }
  }

  var value: NestedValue {
    switch kind {
    case .list: .list(items.map(\.nested))
    case .dictionary:
      .dictionary(zip(keys, items).map { NestedEntry(key: $0, value: $1.nested) })
    }
  }

  // MARK: Where it is

  /// The outermost collection around this one.
  var top: NestedNode { parent?.top ?? self }

  /// The number of collections from the outermost to this one, both included.
  var level: Int { 1 + (parent?.level ?? 0) }

  /// The steps from the outermost collection to this one.
  var path: [NestedStep] {
    guard let parent else { return [] }
    let index = parent.items.firstIndex {
      if case .node(let node) = $0 { node === self } else { false }
    }
    guard let index else { return [] }
    return parent.path
      + [parent.kind == .list ? .index(index) : .key(parent.keys[index])]
  }

  /// The collection at the end of some steps; nil if it doesn't exist.
  func node(at path: some Sequence<NestedStep>) -> NestedNode? {
    var node = self
    for step in path {
      let index: Int? =
        switch step {
        case .index(let index): node.items.indices.contains(index) ? index : nil
        case .key(let key): node.index(ofKey: key)
        case .any: nil
        }
      guard let index, case .node(let next) = node.items[index] else { return nil }
      node = next
    }
    return node
  }

  /// The position of a key; nil for a missing key.
  func index(ofKey key: String) -> Int? {
    let index = insertionIndex(ofKey: key)
    guard index < keys.count, keys[index].utf8.elementsEqual(key.utf8) else { return nil }
    return index
  }

  private func insertionIndex(ofKey key: String) -> Int {
    keys.indices.bisected { SQLName.precedes(keys[$0], key) }
  }

  // MARK: Changing

  func insert(_ values: [NestedValue], at index: Int) {
    items.insert(contentsOf: values.map(item), at: min(index, items.count))
  }

  func replace(at index: Int, with value: NestedValue) {
    Self.detach([items[index]])
    items[index] = item(value)
  }

  func remove(_ indices: Range<Int>) {
    Self.detach(items[indices])
    items.removeSubrange(indices)
    if kind == .dictionary { keys.removeSubrange(indices) }
  }

  func move(from source: Int, to destination: Int) {
    items.insert(items.remove(at: source), at: destination)
  }

  func set(_ value: NestedValue, forKey key: String) {
    let index = insertionIndex(ofKey: key)
    guard index < keys.count, keys[index].utf8.elementsEqual(key.utf8) else {
      keys.insert(key, at: index)
      items.insert(item(value), at: index)
      return
    }
    replace(at: index, with: value)
  }

  /// Updates this collection to the value that another program or another realm has written in its
  /// place.
  ///
  /// A nested collection at the same position, or of the same key, keeps its identity.
  func reconcile(with value: NestedValue) {
    switch value {
    case .list(let values):
      let old = items
      items = values.enumerated().map { reconciled(old.indices.contains($0) ? old[$0] : nil, $1) }
      detachMissing(of: old)
    case .dictionary(let entries):
      let old = items
      let known = entries.map { entry in index(ofKey: entry.key).map { old[$0] } }
      keys = entries.map(\.key)
      items = zip(known, entries).map { reconciled($0, $1.value) }
      detachMissing(of: old)
    case .null, .value, .link: break
    }
  }

  private func reconciled(_ old: Item?, _ value: NestedValue) -> Item {
    guard case .node(let node)? = old, node.kind == value.kind else { return item(value) }
    node.reconcile(with: value)
    return .node(node)
  }

  private func detachMissing(of old: [Item]) {
    var present: Set<ObjectIdentifier> = []
    for case .node(let node) in items { present.insert(ObjectIdentifier(node)) }
    for case .node(let node) in old where !present.contains(ObjectIdentifier(node)) {
      node.parent = nil
    }
  }
}

extension NestedNode.Item {
  var nested: NestedValue {
    switch self {
    case .value(let value): value
    case .node(let node): node.value
    }
  }
}

extension NestedValue {
  /// Converts the value of two columns. A collection is parsed from its text; nil for a damaged
  /// text.
  init?(_ stored: _StoredElement) {
    if let className = stored.linkedClassName, case .integer(let row) = stored.value {
      self = .link(className: className, row: row)
    } else if stored.isNested {
      guard let value = NestedValue(stored.value, typeName: stored.type) else { return nil }
      self = value
    } else if let type = stored.type.flatMap(PropertyType.init) {
      self = .value(stored.value, type)
    } else {
      self = .null
    }
  }
}

extension _StoredElement {
  init(_ value: NestedValue) {
    self.init(value.stored, type: value.typeName)
  }
}
