import Foundation

/// The keys of results, and which elements each section has; found again when they may differ.
///
/// All elements are read for it, once for each stamp of the results. It keeps the identities of
/// objects, not the objects.
final class SectionKeys<Key: Hashable, Element: RealmCollectionValue> {
  let results: Results<Element>
  let key: (Element) -> Key
  // Several threads may read frozen sections.
  private let lock = NSLock()
  private var known: Found?

  /// The sections of one stamp.
  private struct Found {
    var sections: [Section] = []
    var positions: [SectionKey<Key>: Int] = [:]
    var stamp: ResultsStamp?
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

  /// - Parameter results: In an order in which elements with the same key follow each other.
  init(_ results: Results<Element>, key: @escaping (Element) -> Key) {
    self.results = results
    self.key = key
  }

  /// The same sections of other results, as those of another session.
  func shown(_ results: Results<Element>) -> SectionKeys {
    SectionKeys(results, key: key)
  }

  /// The sections, in the order of their first elements.
  var current: [Section] { found.sections }

  /// The section of a key; nil when there is none by now.
  func section(_ key: Key) -> Section? {
    let found = found
    return found.positions[SectionKey(key)].map { found.sections[$0] }
  }

  private var found: Found {
    results.noteReadOfSections()
    let stamp = results.stamp
    if let known = lock.withLock({ known }), stamp != nil, known.stamp == stamp {
      return known
    }
    // Not under the lock: the thread that has the connection may wait for it.
    var found = Found(stamp: stamp)
    for element in results { add(element, to: &found) }
    // The one before is released outside of it: the end of a key may be code of the program.
    var other: Found? = found
    lock.withLock { swap(&known, &other) }
    return found
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

  /// An element of a section; nil when there are not as many.
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

/// A value that is equal as long as results have the same elements with the same values.
struct ResultsStamp: Equatable {
  var time: UInt64
  var changes: UInt64
}

extension Results {
  /// Nil for elements in memory, which may change at any time.
  fileprivate var stamp: ResultsStamp? {
    switch source {
    case .objects(let objects):
      let session = objects.session
      return ResultsStamp(
        time: session.clock.now, changes: session.transaction?.changesOfCollections ?? 0)
    case .values(let values):
      return values.rows.map {
        let stamp = $0.stamp
        return ResultsStamp(time: stamp.time, changes: stamp.changes)
      }
    }
  }

  /// The closure that gives the keys may read anything, and isn't called each time.
  fileprivate func noteReadOfSections() {
    if case .objects(let objects) = source { objects.session.reads?.noteEverything() }
  }

  /// The object of a row; one that is invalidated where there is none any more.
  func element(row: Int64) -> Element {
    guard case .objects(let objects) = source else { return Element._zeroElement() }
    let object = objects.session.objectIfReadable(row: row, in: objects.query.table)
    return object.flatMap { Element._showing($0) } ?? Element._zeroElement()
  }
}

/// The key of a section, which is another one where the bytes of a text are others.
///
/// Swift takes texts for equal that look alike, such as "é" of one scalar and of two. Conditions,
/// orders and distinct values don't, and sections must not: objects with such texts don't follow
/// each other.
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

  // Equal texts have equal hashes, in Swift's sense and in this one.
  func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The key as a text; nil for other types, of which no cast is tried, and for nil.
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
