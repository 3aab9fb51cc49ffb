/// The keys of results, and the elements of each section. Computed again when they may have
/// changed.
///
/// All elements are read once for each stamp of the results. Only the identities of objects are
/// kept, not the objects.
final class SectionKeys<Key: Hashable, Element: RealmCollectionValue> {
  let results: Results<Element>
  let key: (Element) -> Key
  private let cache = StampedCache<Found>()

  /// The sections of one stamp.
  private struct Found {
    var sections: [Section] = []
    var positions: [SectionKey<Key>: Int] = [:]
  }

  /// The elements of a key, in the order of the results.
  enum Members {
    case rows([Int64])
    case values([Element])
  }

  struct Section {
    let key: Key
    var members: Members

    var count: Int {
      switch members {
      case .rows(let rows): rows.count
      case .values(let values): values.count
      }
    }
  }

  /// Creates the sections of results.
  ///
  /// - Parameter results: The results, in an order in which elements with the same key are
  ///   consecutive.
  init(_ results: Results<Element>, key: @escaping (Element) -> Key) {
    self.results = results
    self.key = key
  }

  /// Returns the same sections of other results, for example of another session.
  func shown(_ results: Results<Element>) -> SectionKeys {
    SectionKeys(results, key: key)
  }

  /// The sections, in the order of their first elements.
  var current: [Section] { found.sections }

  /// Returns the section of a key; nil if it doesn't exist now.
  func section(_ key: Key) -> Section? {
    let found = found
    return found.positions[SectionKey(key)].map { found.sections[$0] }
  }

  private var found: Found {
    results.recordReadOfSections()
    return cache.value(at: results.stamp) {
      var found = Found()
      for element in results { add(element, to: &found) }
      return found
    }
  }

  private func add(_ element: Element, to found: inout Found) {
    let key = key(element)
    guard let position = found.positions[SectionKey(key)] else {
      found.positions[SectionKey(key)] = found.sections.count
      found.sections.append(Section(key: key, members: Members(element, in: results)))
      return
    }
    found.sections[position].members.append(element)
  }

  /// Returns an element of a section; nil if the position is out of range.
  func element(at position: Int, of key: Key) -> Element? {
    guard let members = section(key)?.members else { return nil }
    switch members {
    case .values(let values): return values.indices.contains(position) ? values[position] : nil
    case .rows(let rows):
      return rows.indices.contains(position) ? results.element(row: rows[position]) : nil
    }
  }
}

extension SectionKeys.Members {
  fileprivate init(_ element: Element, in results: Results<Element>) {
    if case .objects = results.source, let object = element._shownObject {
      self = .rows([object._rowID])
    } else {
      self = .values([element])
    }
  }

  fileprivate mutating func append(_ element: Element) {
    switch self {
    case .rows(var rows):
      guard let object = element._shownObject else { return }
      self = .rows([])
      rows.append(object._rowID)
      self = .rows(rows)
    case .values(var values):
      self = .values([])
      values.append(element)
      self = .values(values)
    }
  }
}

extension Results {
  /// The stamp of these results, which stays equal as long as the results have the same elements
  /// with the same values; nil for elements in memory, which may change at any time.
  fileprivate var stamp: _CollectionRows.Stamp? {
    switch source {
    case .objects(let objects): _CollectionRows.Stamp(objectsIn: objects.session)
    case .values(let values): values.rows?.stamp
    }
  }

  /// Records a read of the whole file: the key closure may read anything, and isn't called each
  /// time.
  fileprivate func recordReadOfSections() {
    if case .objects(let objects) = source { objects.session.reads?.recordEverything() }
  }

  /// Returns the object of a row; an unmanaged object if the row was deleted.
  func element(row: Int64) -> Element {
    guard case .objects(let objects) = source else { return Element._zeroElement() }
    let object = objects.session.objectIfReadable(row: row, in: objects.query.table)
    return object.flatMap { Element._showing($0) } ?? Element._zeroElement()
  }
}

/// The key of a section. Strings are different keys if their bytes differ.
///
/// Swift treats canonically equivalent strings as equal, such as "é" of one scalar and of two.
/// Conditions, orders and distinct values don't, and sections must not either: objects with such
/// strings are not consecutive.
struct SectionKey<Key: Hashable>: Hashable {
  let value: Key

  init(_ value: Key) {
    self.value = value
  }

  static func == (first: SectionKey, second: SectionKey) -> Bool {
    guard first.value == second.value else { return false }
    guard let one = text(first.value), let other = text(second.value) else { return true }
    return one.utf8.elementsEqual(other.utf8)
  }

  // Strings with equal bytes are equal in Swift too, so they have equal hashes.
  func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// Returns the key as a string; nil for other types, without trying a cast, and for nil.
  private static func text(_ key: Key) -> String? {
    if Key.self == String.self || Key.self == String?.self { return key as? String }
    if Key.self == Character.self || Key.self == Character?.self {
      return (key as? Character).map { String($0) }
    }
    if Key.self == Substring.self || Key.self == Substring?.self {
      return (key as? Substring).map { String($0) }
    }
    return nil
  }
}
