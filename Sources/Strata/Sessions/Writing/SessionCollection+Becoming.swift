import StrataQuery
import StrataStorage

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
