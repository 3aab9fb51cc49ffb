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

  /// Returns whether an element is equal to the given one.
  public func contains(_ element: Element) -> Bool { position(of: element) != nil }
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

extension RealmCollection where Element: _ObjectShowing {
  /// Returns the objects, or projections, in sections by a property, sorted by this property.
  ///
  /// The key path may also be a computed property that reads one stored property, such as its first
  /// letter. The objects are then sorted by the stored property. Projections are sorted by the
  /// property of the object that the key path shows; sort descriptors name the object's properties.
  ///
  /// ```swift
  /// let sections = realm.objects(Person.self).sectioned(by: \.firstLetter, ascending: true)
  /// ```
  ///
  /// A key path that reads no property, or several, is an error, and there are no sections. Inside
  /// of `write`, the transaction throws the error; elsewhere it is reported. Use sort descriptors
  /// or a closure instead.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let results: Results<Element>
    do throws(RealmError) {
      let name = try Element._propertyName(readBy: keyPath)
      results = sorted(byKeyPath: name, ascending: ascending)
    } catch {
      results = _results.none(error)
    }
    return SectionedResults(results) { $0[keyPath: keyPath] }
  }

  /// Returns the objects in sections by a property, in an order that begins with this property.
  ///
  /// ```swift
  /// people.sectioned(by: \.city, sortDescriptors: ["city", "name"])
  /// ```
  ///
  /// Descriptors that begin with another property, or an empty list, are an error, and there are no
  /// sections. Inside of `write`, the transaction throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    // A key path that reads several properties can't be compared with a descriptor.
    if let first = sortDescriptors.first, let name = try? Element._propertyName(readBy: keyPath),
      first.mistake == nil, first.keyPath != name
    {
      let error = RealmError(.fail, ErrorText.sectionOrder(name, first.keyPath))
      return SectionedResults(_results.none(error)) { $0[keyPath: keyPath] }
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// Returns the objects in sections by the result of a closure.
  ///
  /// The closure is called for each object, and again after each change. Objects with the same key
  /// should be consecutive in the order of the descriptors.
  ///
  /// ```swift
  /// people.sectioned(by: { $0.age >= 18 }, sortDescriptors: ["age"])
  /// ```
  ///
  /// An empty list of descriptors is an error, and there are no sections. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard !sortDescriptors.isEmpty else {
      return SectionedResults(_results.none(RealmError(.fail, ErrorText.noSectionOrder)), key: key)
    }
    return SectionedResults(sorted(by: sortDescriptors), key: key)
  }

  /// Returns the objects in sections by the result of a closure: see
  /// `sectioned(by:sortDescriptors:)`.
  public func sectioned<Key: Hashable>(
    sortDescriptors: [SortDescriptor], _ key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: key, sortDescriptors: sortDescriptors)
  }
}

extension RealmCollection where Element: Persistable {
  /// Returns the sorted values in sections by the result of a closure.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    SectionedResults(_results.inOrder(ascending: ascending), key: key)
  }
}

extension ErrorText {
  static let noSectionOrder =
    "Can not section Results with empty sortDescriptor parameter. Give one for the property that "
    + "the key of a section comes from."

  /// Returns the error for a key that isn't the first sort descriptor.
  static func sectionOrder(_ key: String, _ order: String) -> String {
    "The section key path must match the primary sort descriptor. The key is '\(key)', and the "
      + "objects are sorted by '\(order)': begin with a descriptor for '\(key)'."
  }
}

#if !canImport(UIKit) && !canImport(AppKit)
  // Members that UIKit and AppKit add. Programs use them for the changes of sections.
  extension IndexPath {
    /// Creates an index path from the position of an element and the position of its section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates an index path from the position of a row and the position of its section.
    public init(row: Int, section: Int) { self.init(item: row, section: section) }

    /// The position of the section.
    ///
    /// ```swift
    /// for path in insertions { print("section \(path.section), element \(path.item)") }
    /// ```
    public var section: Int {
      get { self[0] }
      set { self[0] = newValue }
    }

    /// The position of the element in its section.
    public var item: Int {
      get { self[1] }
      set { self[1] = newValue }
    }

    /// The position of the element in its section, as `item`.
    public var row: Int {
      get { item }
      set { item = newValue }
    }
  }
#endif
