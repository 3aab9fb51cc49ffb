/// Elements in order, in memory; read and sorted again when their collection has changed.
final class SortedElements<Element: RealmCollectionValue> {
  let rows: _CollectionRows?
  private let read: () -> [Element]
  private let precedes: (Element, Element) -> Bool
  private var cached: [Element]?
  private var version: _CollectionRows.Version?

  /// - Parameter rows: Where the elements are; nil for some in memory.
  init(
    _ rows: _CollectionRows?, read: @escaping () -> [Element],
    precedes: @escaping (Element, Element) -> Bool = { _, _ in false }
  ) {
    self.rows = rows
    self.read = read
    self.precedes = precedes
  }

  var elements: [Element] {
    let current = rows?.version
    if let cached, version == current, rows != nil { return cached }
    let sorted = read().enumerated().sorted {
      if precedes($0.element, $1.element) { return true }
      return !precedes($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
    cached = sorted
    version = current
    return sorted
  }

  func sorted(ascending: Bool) -> SortedElements {
    SortedElements(rows, read: read) { first, second in
      let (first, second) = ascending ? (first, second) : (second, first)
      return SortKey(first._dynamicElement) < SortKey(second._dynamicElement)
    }
  }

  func sorted(by descriptors: [SortDescriptor]) -> SortedElements {
    SortedElements(rows, read: read) { first, second in
      for descriptor in descriptors {
        let keys = [first, second].map { element -> SortKey in
          let object =
            (element as? any KeyedValues) ?? (element._dynamicElement as? any KeyedValues)
          return SortKey(unwrapped(object?.value(forKey: descriptor.keyPath)))
        }
        if keys[0] == keys[1] { continue }
        return (keys[0] < keys[1]) == descriptor.ascending
      }
      return false
    }
  }
}

/// An object whose properties have names.
protocol KeyedValues {
  func value(forKey key: String) -> Any?
}

extension ObjectBase: KeyedValues {}
extension DynamicObject: KeyedValues {}
