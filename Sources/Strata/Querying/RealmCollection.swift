public import Foundation
import IssueReporting
import StrataStorage

/// The collections of a realm: ``List``, ``MutableSet``, ``Results`` and
/// ``LinkingObjects``.
///
/// Two are equal when they show the same: the same property of the same object, or the same query
/// of the same realm. Lists and sets that are in no realm are equal when their elements are.
public protocol RealmCollection: RandomAccessCollection, CustomStringConvertible, ThreadConfined,
  Equatable
where Element: RealmCollectionValue, Index == Int {
  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element>

  /// The position of the first element that is equal to the given one, or nil.
  func index(of element: Element) -> Int?

  /// The elements as results: those that the collection has at each moment.
  var _results: Results<Element> { get }

  /// What an observation needs; nil for elements that are in no file.
  func _observed() -> _Observed<Self>?
}

extension RealmCollection {
  /// The type of the elements, by the name that RealmSwift has for it.
  public typealias ElementType = Element

  // The versions of `Collection` count first and expect that many, which another thread may change,
  // and they ask for each element by its position.

  public var underestimatedCount: Int { 0 }

  /// The results of a closure for each element.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var iterator = makeIterator()
    while let element = iterator.next() { values.append(try transform(element)) }
    return values
  }

  /// The position of the first element for which a closure returns true; nil if there is none.
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var iterator = makeIterator()
    var index = 0
    while let element = iterator.next() {
      if try predicate(element) { return index }
      index += 1
    }
    return nil
  }

  /// The first elements, at most so many.
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
  /// The objects in another order; those that are equal in it keep their order.
  ///
  /// A path may lead through links: `sorted(byKeyPath: "dog.name")`. Nil values are first, and
  /// objects with a nil link on the way last; in descending order it is the other way round.
  ///
  /// An unknown name, and a property without a single value, is a mistake, which gives no objects:
  /// `write` throws it, anywhere else it is reported through `IssueReporting`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements at some positions. A position out of range stops the process.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count {
      stopForProgrammerError(
        "Indexes for collection are out of bounds. Index \(last) must be less than \(count).")
    }
    return indexes.map { self[$0] }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects sorted by a property, also one through optional links.
  ///
  /// A key path that computes something is a mistake, which gives no objects: `write` throws it,
  /// anywhere else it is reported.
  public func sorted<Value: RealmCollectionValue>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Sets a property of each object, as `object[key] = value` does.
  public func setValue(_ value: Any?, forKey key: String) {
    // All before the first is changed: it may leave these objects then.
    for object in Array(self) { object[key] = value }
  }
}

extension RealmCollection {
  private func aggregate<T: RealmCollectionValue>(_ function: Aggregate, _ property: String) -> T? {
    _results.aggregate(function, ofProperty: property).flatMap { T.holding($0) }
  }

  /// The smallest value of a property, or nil when no object has one.
  ///
  /// The property is a number or a date; anything else is reported, and nil.
  public func min<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.min, property)
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    aggregate(.max, property)
  }

  /// The sum of a property; nil values count as nothing, and so does a sum that `T` can't hold.
  public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    aggregate(.sum, property) ?? T.holding(_StoredElement(.integer(0))) ?? T._zeroElement()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none. As an
  /// integer it is without the digits behind the point.
  public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    aggregate(.average, property)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property, or nil when no object has one. A key path that computes
  /// something is reported.
  public func min<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { min(ofProperty: $0) }
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { max(ofProperty: $0) }
  }

  /// The sum of a property.
  public func sum<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).map { sum(ofProperty: $0) } ?? T._zeroElement()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none. As an
  /// integer it is without the digits behind the point.
  ///
  /// Without a type in the source the average is a `Double`.
  @_disfavoredOverload
  public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }

  /// The average of a property as a `Double`, with the digits behind the point.
  public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> Double?
  where T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }
}

extension Results: RealmCollection {
  public var _results: Results { self }

  /// No elements, after a mistake that can't be thrown: `write` throws it, anywhere else it is
  /// reported.
  func none(_ error: RealmError) -> Results {
    switch source {
    case .objects(let objects):
      objects.session.note(error)
      let table = Table(unmanaged: objects.query.table.info.type)
      return Results(ObjectQuery(table), objects.session)
    case .values(let values):
      if let rows = values.rows as? SessionCollection {
        rows.note(error)
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
  /// The first of those objects that have the same values of some properties.
  ///
  /// ```swift
  /// realm.objects(Person.self).distinct(by: [\Person.name, \.dog?.name])
  /// ```
  ///
  /// As `distinct(by:)` with the names of the properties. A key path that computes something is a
  /// mistake, which gives no objects: `write` throws it, anywhere else it is reported.
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
