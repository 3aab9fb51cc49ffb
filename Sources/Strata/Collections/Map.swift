import IssueReporting
import StrataStorage

/// A dictionary of values or objects with string keys that is a property of an object.
///
/// ```swift
/// class Person: Object {
///   @Persisted var scores: Map<String, Int>
///   @Persisted var dogs: Map<String, Dog?>  // objects are always optional
/// }
/// try realm.write { ada.scores["chess"] = 2100 }
/// ```
///
/// A managed map orders its entries by key. When an object is deleted, its keys stay, with nil. In
/// all other respects a map behaves like a ``List``.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
  /// The values while the map is in memory. Removed values are released after the change: their
  /// deinitializers run code of the program, which may use the map.
  private var memory: [StoredText: Value] = [:]
  var rows: _CollectionRows?

  /// Makes an empty map in memory.
  public init() {}

  /// The number of keys.
  public var count: Int { rows?.count ?? memory.count }

  /// Whether the map has no keys.
  public var isEmpty: Bool { count == 0 }

  /// Whether the object of the map was deleted. The map is then empty.
  public var isInvalidated: Bool { rows?.isInvalidated ?? false }

  /// The keys, in order.
  public var keys: [Key] { map(\.key) }

  /// The values, in the order of their keys.
  public var values: [Value] { map(\.value) }

  /// The value of a key, or nil. Setting nil removes the key.
  ///
  /// Optional values have two kinds of nil: `map["x"] = .some(nil)` sets the value nil.
  public subscript(key: Key) -> Value? {
    get {
      let key = key._text
      guard let rows else { return memory[StoredText(key)] }
      return rows.element(forKey: key).map { Self.value($0, in: rows) }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value of a key, or the default for a missing key.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { updateValue(newValue, forKey: key) }
  }

  static func value(_ element: _ReadElement, in rows: _CollectionRows) -> Value {
    if let value = Value._element(element, in: rows) { return value }
    // The objects of a map are optional: a deleted object reads as nil.
    if Value._elementType != .object { rows.reportUnreadable() }
    return Value._zeroElement()
  }

  /// Sets the value of a key.
  public func updateValue(_ value: Value, forKey key: Key) {
    let key = key._text
    guard let rows else {
      let before = memory.updateValue(value, forKey: StoredText(key))
      withExtendedLifetime(before) {}
      return
    }
    guard rows.canWrite() else { return }
    do throws(RealmError) {
      rows.set(try value._stored(in: rows), forKey: key)
    } catch {
      rows.record(error)
    }
  }

  /// Removes a key, if the map contains it. An object stays in the realm unless it is embedded.
  public func removeObject(for key: Key) {
    let key = key._text
    guard let rows else {
      let removed = memory.removeValue(forKey: StoredText(key))
      withExtendedLifetime(removed) {}
      return
    }
    if rows.canWrite() { _ = rows.remove(key: key) }
  }

  /// Removes all keys.
  public func removeAll() {
    guard let rows else { return forgetElements() }
    if rows.canWrite() { rows.removeAll() }
  }

  /// Adds the entries of a sequence. A closure combines the values of keys that exist already.
  public func merge<Entries: Sequence>(
    _ other: Entries, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where Entries.Element == (key: Key, value: Value) {
    for (key, value) in other {
      if let present = self[key] {
        updateValue(try combine(present, value), forKey: key)
      } else {
        updateValue(value, forKey: key)
      }
    }
  }
}

/// The type of the keys of a ``Map``: `String`.
public protocol _MapKey: Hashable, Sendable {
  init(_text: String)
  var _text: String { get }
}

extension String: _MapKey {
  public init(_text: String) { self = _text }
  public var _text: String { self }
}

extension Map: Sequence {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  /// An iterator over the entries that the map had when the iterator was made.
  public struct Iterator: IteratorProtocol {
    var memory: IndexingIterator<[(key: String, value: Value)]>
    var cursor: ElementCursor?
    var rows: _CollectionRows?

    public mutating func next() -> Element? {
      guard let cursor, let rows else {
        return memory.next().map { (Key(_text: $0.key), $0.value) }
      }
      guard let (key, element, object) = cursor.next() else { return nil }
      if let object, let value = object as? Value { return (Key(_text: key), value) }
      return (Key(_text: key), Map.value(element, in: rows))
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(
      memory: memory.map { ($0.key.text, $0.value) }
        .sorted { SQLName.precedes($0.key, $1.key) }.makeIterator(),
      cursor: rows?.cursor(), rows: rows)
  }

  public var underestimatedCount: Int { 0 }

  /// The entries as a sequence of keys and values.
  public func asKeyValueSequence() -> Map { self }
}

extension Map: CollectionProperty {
  public static var _isOptional: Bool {
    Value._elementIsOptional || Value.isStoredAsObject
  }
  public static var _collection: CollectionKind? { .map }
  public static func _zero() -> Map { Map() }

  public static func _managed(_ stored: Map, of owner: ObjectBase, _ slot: _PropertySlot) -> Map {
    managed(stored, of: owner, slot)
  }

  func replaceElements(by other: Map) {
    let entries = Array(other)
    removeAll()
    for (key, value) in entries { updateValue(value, forKey: key) }
  }

  func stored(in rows: _CollectionRows) throws(RealmError) -> [(key: String, _StoredElement)] {
    try checkNotInvalidated()
    var stored: [(key: String, _StoredElement)] = []
    for (key, value) in self {
      stored.append((key._text, try value._stored(in: rows)))
    }
    return stored
  }

  static func stored(
    _ value: Any?, in rows: _CollectionRows
  ) throws(RealmError) -> [(key: String, _StoredElement)]? {
    guard let entries = try entries(of: value) else { return nil }
    var stored: [(key: String, _StoredElement)] = []
    for (key, value) in entries { stored.append((key._text, try value._stored(in: rows))) }
    return stored
  }

  func assign(_ value: Any?) throws(RealmError) -> Bool {
    if let rows { return try Self.replaceElements(in: rows, by: value) }
    guard let entries = try Self.entries(of: value) else { return false }
    removeAll()
    for (key, value) in entries { updateValue(value, forKey: key) }
    return true
  }

  private static func entries(of value: Any?) throws(RealmError) -> [Element]? {
    if let map = instance(of: Map.self, value) { return Array(map) }
    guard let values = mapEntries(value) else { return nil }
    var entries: [Element] = []
    for (key, value) in values {
      guard let value = try Value._convertElement(value) else { return nil }
      entries.append((Key(_text: key), value))
    }
    return entries
  }

  func copy() -> any PersistedCollection {
    let copy = Map()
    for (key, value) in self { copy.updateValue(value, forKey: key) }
    return copy
  }

  func forgetElements() {
    let removed = memory
    memory = [:]
    withExtendedLifetime(removed) {}
  }
}

/// The entries of a map with values of any type.
protocol DynamicMap {
  var dynamicEntries: [(String, Any?)] { get }
}

/// The entries of a map whose keys may look alike. A dictionary would keep only one of them.
struct MapEntries: DynamicMap {
  let dynamicEntries: [(String, Any?)]

  init(_ entries: [(String, Any?)]) { dynamicEntries = entries }
}

/// The entries of a dictionary or a map of unknown type. Empty for nil; nil for other values.
func mapEntries(_ value: Any?) -> [(String, Any?)]? {
  guard let value = unwrapped(value) else { return [] }
  if let map = value as? any DynamicMap { return map.dynamicEntries }
  return (value as? [String: Any?])?.map { ($0.key, unwrapped($0.value)) }
}

extension Map: DynamicMap {
  var dynamicEntries: [(String, Any?)] {
    map { ($0.key._text, $0.value as Any?) }.map { ($0.0, unwrapped($0.1)) }
  }
}

extension Map: CustomStringConvertible, NestedDescription {
  /// The type, and the first hundred entries, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    var lines = prefix(100).map { key, value in
      "\t[\(key)]: " + indented(describeValue(value._dynamicElement, depth: depth - 1))
    }
    if count > lines.count { lines.append("\t... \(count - lines.count) more") }
    let address = Unmanaged.passUnretained(self).toOpaque()
    let value = Value._elementClass?.shownName ?? elementName(Value.self)
    let title = "Map<string, \(value)> <\(address)>"
    return "\(title) (\n\(lines.joined(separator: ",\n"))\n)"
  }
}

extension Map: Hashable {
  /// Whether both are the same map of the same object; maps in memory are compared by entries.
  public static func == (first: Map, second: Map) -> Bool {
    areSame(first, second) {
      first.memory.mapValues { ElementKey($0) } == second.memory.mapValues { ElementKey($0) }
    }
  }
}

extension Map {
  /// The value of a key for access by name, a number as an `NSNumber`; nil for a missing key.
  public func value(forKey key: String) -> Any? { boxedNumber(unboxedValue(key)) }

  /// Sets the value of a key, or removes the key for nil. A value that doesn't fit is an error, as
  /// with `object["x"] = value`: `write` throws the error, and for a map in memory it is reported.
  public func setValue(_ value: Any?, forKey key: String) {
    let key = Key(_text: key)
    guard let value = unwrapped(value) else { return removeObject(for: key) }
    do throws(RealmError) {
      guard let converted = try Value._convertElement(value) else {
        let type = "\(Swift.type(of: value))"
        let rest = "of type '\(type)' for a value of 'Map<\(Key.self), \(Value.self)>'."
        throw RealmError(
          .fail, "Invalid value '\(value)' \(rest)", logged: "Invalid value \(rest)")
      }
      updateValue(converted, forKey: key)
    } catch {
      recordMistake(error)
    }
  }

  private func recordMistake(_ error: RealmError) {
    if let rows {
      if rows.canWrite() { rows.record(error) }
    } else {
      reportIssue("\(error.message)")
    }
  }
}
