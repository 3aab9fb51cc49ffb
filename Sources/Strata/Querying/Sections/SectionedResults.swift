public import Foundation
import StrataStorage

/// The elements of a collection in sections. All elements of a section have the same key.
///
/// Sections are live: they show the newest committed objects, and inside of `write` also the
/// changes made so far. They are in the order of their first elements; the elements of a section
/// keep the order of the results. All elements are read to compute the keys, and again after each
/// change.
///
/// ```swift
/// let people = realm.objects(Person.self).sectioned(by: \.firstLetter, ascending: true)
/// for section in people {
///   print(section.key)
///   for person in section { print(person.name) }
/// }
/// ```
///
/// String keys are equal if their bytes are equal, as in conditions, orders and `distinct`. Keys of
/// other types are compared with their own `==`.
///
/// An invalid order gives no sections: see `sectioned(by:ascending:)`.
public struct SectionedResults<Key: Hashable, SectionElement: RealmCollectionValue> {
  let keys: SectionKeys<Key, SectionElement>

  init(_ results: Results<SectionElement>, key: @escaping (SectionElement) -> Key) {
    self.init(SectionKeys(results, key: key))
  }

  init(_ keys: SectionKeys<Key, SectionElement>) {
    self.keys = keys
  }

  /// The keys of all sections, in their order.
  public var allKeys: [Key] { keys.current.map(\.key) }

  /// The number of sections.
  public var count: Int { keys.current.count }

  /// Returns the section at a position. A position out of range stops the process, as with an
  /// array.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let sections = keys.current
    guard sections.indices.contains(position) else {
      stopForProgrammerError(
        "Index \(position) is out of bounds (must be less than \(sections.count)). "
          + "('SectionedResults<\(Key.self), \(elementName(SectionElement.self))>')")
    }
    return ResultsSection(keys, sections[position].key)
  }

  /// Returns the element at an index path of two positions: the position of a section, and the
  /// position in the section.
  ///
  /// A position out of range, or another number of positions, stops the process.
  public subscript(indexPath: IndexPath) -> SectionElement {
    guard indexPath.count == 2 else {
      stopForProgrammerError(
        "An index path has the position of a section and that of an element: \(indexPath) has "
          + "\(indexPath.count) positions.")
    }
    return self[indexPath[0]][indexPath[1]]
  }
}

extension SectionedResults: RealmSectionedResult {
  public typealias Element = ResultsSection<Key, SectionElement>
  public typealias Index = Int

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var isInvalidated: Bool { keys.results.isFromDeletedObject }

  /// Returns an iterator over the sections that exist at the beginning.
  public func makeIterator() -> AnyIterator<ResultsSection<Key, SectionElement>> {
    AnyIterator(keys.current.lazy.map { [keys] in ResultsSection(keys, $0.key) }.makeIterator())
  }

  /// Returns whether both come from the same call of `sectioned`.
  public static func == (first: SectionedResults, second: SectionedResults) -> Bool {
    first.keys === second.keys
  }

  /// A description with the type, and all sections with their first hundred elements.
  public var description: String {
    describeElements(
      "SectionedResults<\(Key.self), \(elementName(SectionElement.self))>",
      keys.current.map { ResultsSection(keys, $0.key) as Any? }, count: count,
      depth: maximumDescriptionDepth)
  }
}

extension Results {
  /// Whether these are the elements of a collection whose object was deleted.
  var isFromDeletedObject: Bool {
    guard case .values(let values) = source else { return false }
    return values.rows?.isInvalidated ?? false
  }
}

/// The common part of ``SectionedResults`` and ``ResultsSection``.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, CustomStringConvertible,
  ThreadConfined
where Index == Int {
  /// Whether there can't be any elements any more.
  var isInvalidated: Bool { get }
}

extension SectionedResults {
  public func _confined() -> _Confined? {
    let key = keys.key
    return keys.results._confined()?.map { SectionedResults(SectionKeys($0, key: key)) }
  }
}

extension ResultsSection {
  public func _confined() -> _Confined? {
    let (key, value) = (keys.key, self.key)
    return keys.results._confined()?.map { ResultsSection(SectionKeys($0, key: key), value) }
  }
}

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
