public import Foundation
import IssueReporting
import StrataStorage

/// A collection that can be queried: its values are the elements of a list, or the values of a map,
/// in the order of their keys.
public protocol _QueryableCollection {
  /// The type of the values.
  associatedtype _Value: RealmCollectionValue

  /// The values as live results.
  var _results: Results<_Value> { get }
}

/// The collections of a realm: ``List``, ``MutableSet``, ``Results`` and ``LinkingObjects``.
///
/// Two collections are equal when they show the same property of the same object, or the same query
/// of the same realm. Unmanaged lists and sets are equal when their elements are equal.
public protocol RealmCollection<Element>: RandomAccessCollection, CustomStringConvertible,
  ThreadConfined, Equatable, _QueryableCollection, _ObservableCollection
where
  Element: RealmCollectionValue, Index == Int, _Value == Element,
  _Change == RealmCollectionChange<Self>, _ObservedElement == Element
{
  /// Returns the position of the first element that is equal to the given one, or nil.
  func index(of element: Element) -> Int?

  /// Returns the inputs of an observation; nil for an unmanaged collection.
  func _observed() -> _Observed<Self>?
}

extension RealmCollection {
  /// The type of the elements, by RealmSwift's name.
  public typealias ElementType = Element

  // Replaces `Collection`'s versions: they count first and rely on the count, which another thread
  // may change, and they access each element by its position.

  public var underestimatedCount: Int { 0 }

  /// Returns the results of a closure for each element.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var iterator = makeIterator()
    while let element = iterator.next() { values.append(try transform(element)) }
    return values
  }

  /// Returns the position of the first element for which a closure returns true; nil if there is
  /// none.
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var iterator = makeIterator()
    var index = 0
    while let element = iterator.next() {
      if try predicate(element) { return index }
      index += 1
    }
    return nil
  }

  /// Returns whether an element is equal to the given one. Texts are equal if their bytes are.
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// Returns the first elements, at most `number`.
  func leading(_ number: Int) -> [Element] {
    var elements: [Element] = []
    var iterator = makeIterator()
    while elements.count < number, let element = iterator.next() { elements.append(element) }
    return elements
  }

  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var elements: ContiguousArray<Element> = []
    var iterator = makeIterator()
    while let element = iterator.next() { elements.append(element) }
    return elements
  }
}

extension RealmCollection {
  /// Returns the elements at the given positions. A position out of range stops the process.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count {
      stopForProgrammerError(
        "Indexes for collection are out of bounds. Index \(last) must be less than \(count).")
    }
    return indexes.map { self[$0] }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects sorted by a property, which may be reached through optional links.
  ///
  /// A key path that computes a value is an error, and the results are empty. Inside of `write`,
  /// the transaction throws the error; elsewhere it is reported.
  public func sorted<Value: RealmCollectionValue>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Sets a property of each object, like `object[key] = value`.
  public func setValue(_ value: Any?, forKey key: String) {
    // Collects all objects first: a changed object may leave this collection.
    for object in Array(self) { object[key] = value }
  }
}

extension _QueryableCollection {
  /// Returns the objects sorted by a property. The sort is stable.
  ///
  /// A path may lead through links: `sorted(byKeyPath: "dog.name")`. Nil values come first, and
  /// objects with a nil link on the path come last; descending order reverses this.
  ///
  /// An unknown name, or a property without a single value, is an error, and the results are empty.
  /// Inside of `write`, the transaction throws the error; elsewhere it is reported through
  /// `IssueReporting`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<_Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the objects sorted by the first property, then by the second, and so on. The sort is
  /// stable.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<_Value> {
    let results = _results
    do throws(RealmError) {
      let sortDescriptors = Array(sortDescriptors)
      if let mistake = sortDescriptors.lazy.compactMap(\.mistake).first {
        throw RealmError(.fail, mistake)
      }
      switch results.source {
      case .objects(let objects): return Results(try objects.sorted(by: sortDescriptors))
      case .values(let values): return Results(try values.sorted(by: sortDescriptors))
      }
    } catch {
      return results.none(error)
    }
  }

  private func aggregate<T: RealmCollectionValue>(_ function: Aggregate, _ property: String) -> T? {
    _results.aggregate(function, ofProperty: property).flatMap { T.holding($0) }
  }

  /// Returns the smallest value of a property; nil if there are no values.
  ///
  /// The property must be a number or a date. Otherwise the problem is reported, and the result is
  /// nil.
  public func min<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.min, property)
  }

  /// Returns the greatest value of a property; nil if there are no values.
  public func max<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.max, property)
  }

  /// Returns the sum of a property, without nil values. The sum is zero if `T` can't represent it.
  public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    aggregate(.sum, property) ?? T.holding(_StoredElement(.integer(0))) ?? T._zeroElement()
  }

  /// Returns the average of a property's values that aren't nil; nil if there are no values. An
  /// integer result is truncated.
  public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    aggregate(.average, property)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the smallest value of a property; nil if there are no values. A key path that computes
  /// a value is reported.
  public func min<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { min(ofProperty: $0) }
  }

  /// Returns the greatest value of a property; nil if there are no values.
  public func max<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { max(ofProperty: $0) }
  }

  /// Returns the sum of a property.
  public func sum<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).map { sum(ofProperty: $0) } ?? T._zeroElement()
  }

  /// Returns the average of a property's values that aren't nil; nil if there are no values. An
  /// integer result is truncated.
  ///
  /// If the source code doesn't specify a type, the average is a `Double`.
  @_disfavoredOverload
  public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }

  /// Returns the average of a property as a `Double`, with its fraction.
  public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> Double?
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }
}

extension Results: RealmCollection {
  public var _results: Results { self }

  /// Returns empty results after an error that can't be thrown here. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported.
  func none(_ error: RealmError) -> Results {
    switch source {
    case .objects(let objects):
      objects.session.record(error)
      let table = Table(unmanaged: objects.query.table.info.type)
      return Results(ObjectQuery(table), objects.session)
    case .values(let values):
      if let rows = values.rows as? SessionCollection {
        rows.record(error)
      } else {
        reportIssue("\(error.message)")
      }
      return Results(values.without)
    }
  }

  fileprivate func aggregate(
    _ function: Aggregate, ofProperty property: String
  ) -> _StoredElement? {
    switch source {
    case .objects(let objects): objects.aggregate(function, property)
    case .values(let values): function.of(values.elements, property: property)
    }
  }
}

extension LinkingObjects: RealmCollection {
  public var _results: Results<Element> { results ?? Results(nothing: Element.self) }
}

extension List: RealmCollection {
  public var _results: Results<Element> { results }
}

extension MutableSet: RealmCollection {
  public var _results: Results<Element> { results }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the first object of each combination of values of the given properties.
  ///
  /// ```swift
  /// realm.objects(Person.self).distinct(by: [\Person.name, \.dog?.name])
  /// ```
  ///
  /// Like `distinct(by:)` with the names of the properties. A key path that computes a value is an
  /// error, and the results are empty. Inside of `write`, the transaction throws the error;
  /// elsewhere it is reported.
  public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
  where KeyPaths.Element == PartialKeyPath<Element> {
    var names: [String] = []
    for keyPath in keyPaths {
      guard let name = keyPathString(of: keyPath) else {
        return _results.none(
          RealmError(
            .fail,
            ErrorText.computedKeyPath(
              Element.className(), "\(type(of: keyPath).valueType)")))
      }
      names.append(name)
    }
    return distinct(by: names)
  }
}

/// A collection of values by keys: ``Map``.
public protocol RealmKeyedCollection<Key, Value>: Sequence, ThreadConfined,
  CustomStringConvertible, _QueryableCollection
where Element == (key: Key, value: Value), _Value == Value {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of keys.
  var count: Int { get }

  /// The keys, in order.
  var keys: [Key] { get }

  /// The values, in the order of their keys.
  var values: [Value] { get }

  /// The value of a key, or nil. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value of a key.
  func updateValue(_ value: Value, forKey key: Key)

  /// Removes a key, if present.
  func removeObject(for key: Key)

  /// Removes all keys.
  func removeAll()

  /// Returns the value of a key, as dynamic access shows it, or nil.
  func value(forKey key: String) -> Any?

  /// Sets the value of a key. Nil removes the key.
  func setValue(_ value: Any?, forKey key: String)
}

extension Map: RealmKeyedCollection, _ObservableCollection {
  public typealias _Value = Value
  public typealias _ObservedElement = Value
}

extension Map {
  /// Returns the value of a key, or nil, like `self[key]`.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Returns the value at a key path whose first name is a key: `"boss.name"`.
  ///
  /// `@count` is the number of keys. Other operators, such as `@max.age`, apply to the values, in
  /// the order of their keys.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  func unboxedValue(atPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") { return values.computed(keyPath) }
    let (key, rest) = firstName(of: keyPath)
    let value = unboxedValue(key)
    guard let rest else { return value }
    return (value as? any KeyValueReading)?.unboxedValue(atPath: rest)
  }
}

extension Map: KeyValueReading {}
