import StrataStorage

/// A section: the elements of ``SectionedResults`` with the same key.
///
/// A section is live. When no element has the key any more, the section is empty and invalidated;
/// it is valid again as soon as an element has the key.
///
/// ```swift
/// let section = people.sectioned(by: \.firstLetter, ascending: true)[0]
/// print(section.key, section.count)
/// ```
public struct ResultsSection<Key: Hashable, Element: RealmCollectionValue> {
  let keys: SectionKeys<Key, Element>

  /// The key of the elements.
  public let key: Key

  init(_ keys: SectionKeys<Key, Element>, _ key: Key) {
    self.keys = keys
    self.key = key
  }

  /// The number of elements.
  public var count: Int { keys.section(key)?.count ?? 0 }

  /// Returns the element at a position. A position out of range stops the process, as with an
  /// array.
  public subscript(position: Int) -> Element {
    guard let element = keys.element(at: position, of: key) else {
      stopForProgrammerError(
        "Index \(position) is out of bounds (must be less than \(count)). ('ResultsSection<"
          + "\(Key.self), \(elementName(Element.self))>')")
    }
    return element
  }
}

extension ResultsSection: Identifiable {
  /// The key.
  public var id: Key { key }
}

extension ResultsSection: RealmSectionedResult {
  public typealias Index = Int

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var isInvalidated: Bool { keys.section(key) == nil }

  /// Returns an iterator over the elements that exist at the beginning.
  public func makeIterator() -> AnyIterator<Element> {
    guard let members = keys.section(key)?.members else { return AnyIterator { nil } }
    switch members {
    case .values(let values): return AnyIterator(values.makeIterator())
    case .rows(let rows):
      return AnyIterator(rows.lazy.map { [keys] in keys.results.element(row: $0) }.makeIterator())
    }
  }

  /// Returns whether both are the section of the same key, from the same call of `sectioned`.
  public static func == (first: ResultsSection, second: ResultsSection) -> Bool {
    first.keys === second.keys && SectionKey(first.key) == SectionKey(second.key)
  }

  /// A description with the type, the key, and the first hundred elements.
  public var description: String { description(depth: maximumDescriptionDepth) }
}

extension ResultsSection: NestedDescription {
  func description(depth: Int) -> String {
    describeElements(
      "ResultsSection<\(Key.self), \(elementName(Element.self))> \(key)",
      prefix(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}
