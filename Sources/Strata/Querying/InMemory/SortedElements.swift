import Foundation
import StrataQuery
import StrataSchema
import StrataStorage

/// The elements of a collection, read into memory, filtered and sorted. They are read again after
/// the collection has changed.
///
/// Each step turns the list of the previous step into another one: sorted, filtered or limited.
final class SortedElements<Element: RealmCollectionValue> {
  let rows: _CollectionRows?
  private let readFirst: (_CollectionRows?) -> [Element]
  /// The steps in order. A flat list, because a chain of thousands of conditions must not nest
  /// thousands of calls.
  private let steps: [([Element]) -> [Element]]
  private let cache = StampedCache<[Element]>()

  /// Creates the elements of a collection.
  convenience init(_ rows: _CollectionRows?, read: @escaping (_CollectionRows?) -> [Element]) {
    self.init(rows, read, [])
  }

  private init(
    _ rows: _CollectionRows?, _ readFirst: @escaping (_CollectionRows?) -> [Element],
    _ steps: [([Element]) -> [Element]]
  ) {
    self.rows = rows
    self.readFirst = readFirst
    self.steps = steps
  }

  private func read(_ rows: _CollectionRows?) -> [Element] {
    steps.reduce(readFirst(rows)) { $1($0) }
  }

  var elements: [Element] {
    let stamp = rows?.stamp
    // The order may depend on any value of the objects. Reads of cached elements aren't tracked one
    // by one, so the read of all of them is recorded here.
    if Element._elementClass != nil { (rows as? SessionCollection)?.recordReadOfObjects() }
    return cache.value(at: stamp) { read(rows) }
  }

  /// Returns the same elements for the same collection in any session. Doesn't retain this session.
  var shown: (_CollectionRows) -> SortedElements {
    { [readFirst, steps] rows in SortedElements(rows, readFirst, steps) }
  }

  private func then(_ step: @escaping ([Element]) -> [Element]) -> SortedElements {
    SortedElements(rows, readFirst, steps + [step])
  }

  // MARK: Order

  func sorted(ascending: Bool) -> SortedElements {
    then { $0.sorted(by: [(key: { SortKey($0._dynamicElement) }, ascending: ascending)]) }
  }

  /// Returns the sorted elements.
  func sorted(by descriptors: [SortDescriptor]) throws(RealmError) -> SortedElements {
    var keys: [(key: (Element) -> SortKey, ascending: Bool)] = []
    for descriptor in descriptors {
      let path = try OrderPath(descriptor.keyPath, of: Element.self, to: "sort")
      keys.append(({ path.key(of: $0) }, descriptor.ascending))
    }
    return then { [keys] in $0.sorted(by: keys) }
  }

  // MARK: Restrictions

  /// Returns the elements that meet a condition.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> SortedElements {
    let evaluator = try PredicateEvaluator(predicate, of: Element.self)
    let hasObjects = Element._elementClass != nil
    return then { elements in
      elements.filter { element in
        let value = unwrapped(element._dynamicElement)
        // A nil value of a map of objects never meets a condition.
        return !(hasObjects && value == nil) && evaluator.isTrue(for: value)
      }
    }
  }

  /// An empty list of the same collection.
  var without: SortedElements { SortedElements(rows) { _ in [] } }

  func limited(to count: Int, offset: Int) -> SortedElements {
    then { Array($0.dropFirst(max(0, offset)).prefix(max(0, count))) }
  }

  func distinct() -> SortedElements {
    then { elements in
      var seen: Set<ElementKey> = []
      return elements.filter { seen.insert(ElementKey($0)).inserted }
    }
  }

  /// Returns the first object of each combination of values at some paths.
  func distinct(by keyPaths: [String]) throws(RealmError) -> SortedElements {
    if keyPaths.contains("self") { return distinct() }
    var paths: [OrderPath] = []
    for keyPath in keyPaths {
      paths.append(try OrderPath(keyPath, of: Element.self, to: "distinct"))
    }
    return then { [paths] elements in
      var seen: Set<[SortKey]> = []
      return elements.filter { element in
        guard !paths.contains(where: { $0.hasNilLink(element) }) else { return false }
        return seen.insert(paths.map { $0.key(of: element) }).inserted
      }
    }
  }
}

/// A value that is made again when the stamp of its collection has changed.
final class StampedCache<Value> {
  // Locks, because several threads may read frozen collections.
  private let lock = NSLock()
  private var known: (value: Value, stamp: _CollectionRows.Stamp)?

  /// Returns the value of a stamp. Without a stamp, the value is made each time.
  func value(at stamp: _CollectionRows.Stamp?, _ make: () -> Value) -> Value {
    guard let stamp else { return make() }
    if let known = lock.withLock({ known }), known.stamp == stamp { return known.value }
    // Reads outside of the lock, because the thread that has the connection may wait for the lock.
    let value = make()
    // The previous value is released outside of the lock, because `deinit` of one of its objects
    // may run code of the program.
    var other: (value: Value, stamp: _CollectionRows.Stamp)? = (value, stamp)
    lock.withLock { swap(&known, &other) }
    return value
  }
}

extension Array {
  /// Returns the elements sorted by some keys. The sort is stable.
  fileprivate func sorted(by keys: [(key: (Element) -> SortKey, ascending: Bool)]) -> [Element] {
    let keyed = enumerated().map { offset, element in
      (offset: offset, element: element, keys: keys.map { $0.key(element) })
    }
    return keyed.sorted { first, second in
      for (index, key) in keys.enumerated() where first.keys[index] != second.keys[index] {
        return (first.keys[index] < second.keys[index]) == key.ascending
      }
      return first.offset < second.offset
    }.map(\.element)
  }
}

/// A path through the properties of objects, evaluated step by step.
struct OrderPath {
  private let names: [String]
  private let mapKey: String?

  /// - Throws: ``RealmError`` with code `fail` for a path that doesn't end at a single value.
  init<Element: RealmCollectionValue>(
    _ keyPath: String, of _: Element.Type, to verb: String
  ) throws(RealmError) {
    guard let type = Element._elementClass else {
      guard keyPath != "self" else {
        (names, mapKey) = ([], nil)
        return
      }
      guard Element._elementType == .object else {
        throw RealmError(.fail, ErrorText.orderOfValues(keyPath, verb))
      }
      // Objects in a migration: their class is known only when the migration runs.
      (names, mapKey) = (keyPath.split(separator: ".").map(String.init), nil)
      return
    }
    let schema = try QuerySchema.ofUnmanaged(type)
    guard let queryClass = schema[type.className()] else { throw .notManaged(type) }
    do throws(PredicateProblem) {
      let path = try OrderPathResolver(schema, verb: verb).resolve(keyPath, of: queryClass)
      names = path.propertyNames
      mapKey = if case .mapValue(_, let key) = path.target { key.text } else { nil }
    } catch {
      throw RealmError(error)
    }
  }

  func key(of element: some RealmCollectionValue) -> SortKey { key(of: element._dynamicElement) }

  func key(of element: Any?) -> SortKey {
    var value = element
    // An element that is nil itself counts as a nil value.
    guard !names.isEmpty else { return SortKey(unwrapped(value)) }
    guard value is any KeyedValues else { return SortKey(nil) }
    for name in names {
      guard let object = value as? any KeyedValues else { return .nilLink }
      value = unwrapped(object.unboxedValue(name))
    }
    if let mapKey { value = (value as? any KeyedValues)?.unboxedValue(mapKey) }
    return SortKey(unwrapped(value))
  }

  func hasNilLink(_ element: some RealmCollectionValue) -> Bool {
    var value: Any? = element._dynamicElement
    for name in names.dropLast() {
      guard let object = value as? any KeyedValues else { return true }
      value = unwrapped(object.unboxedValue(name))
    }
    return !(value is any KeyedValues)
  }
}
