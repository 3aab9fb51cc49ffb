public import Foundation

/// What the collections of a realm have in common: ``List``, ``MutableSet``, ``Results`` and
/// ``LinkingObjects``.
public protocol RealmCollection: RandomAccessCollection, CustomStringConvertible
where Element: RealmCollectionValue, Index == Int {
  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element>

  /// The position of the first element that is equal to the given one, or nil.
  func index(of element: Element) -> Int?

  /// The result of an aggregate function over a property of the objects, or nil.
  func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement?
}

extension RealmCollection {
  // The versions of `Collection` count first and expect that many, which another thread may change,
  // and they ask for each element by its position.

  public var underestimatedCount: Int { 0 }

  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var iterator = makeIterator()
    while let element = iterator.next() { values.append(try transform(element)) }
    return values
  }

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
  /// The objects in another order; those that are equal in it keep the order that they have.
  ///
  /// A name that is no property is reported through `IssueReporting`, and the order stays.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements at some positions. A position out of range stops the process.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects sorted by a property.
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(byKeyPath: propertyName(of: keyPath) ?? "\(keyPath)", ascending: ascending)
  }

  /// A property of each object, as `object[key]` gives it.
  public func value(forKey key: String) -> [Any?] { map { $0[key] } }

  /// Sets a property of each object, as `object[key] = value` does.
  public func setValue(_ value: Any?, forKey key: String) {
    // All before the first is changed: it may leave these objects then.
    for object in Array(self) { object[key] = value }
  }
}

extension RealmCollection {
  private func aggregate(_ function: Aggregate, _ property: String) -> StoredValue? {
    _aggregate(function.rawValue, ofProperty: property)?.value
  }

  /// The smallest value of a property, or nil when no object has one.
  ///
  /// The property is a number or a date; anything else is reported, and nil.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate(.min, property).flatMap(T.init(_stored:))
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate(.max, property).flatMap(T.init(_stored:))
  }

  /// The sum of a property; nil values count as nothing, and so does a sum that `T` can't hold.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    T(_stored: aggregate(.sum, property) ?? .integer(0)) ?? T._zero()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    aggregate(.average, property).flatMap(T.init(_stored:))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property, or nil when no object has one.
  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    min(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    max(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The sum of a property.
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    average(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }
}

extension Results: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    switch source {
    case .objects(let objects): objects.aggregate(function, property).map { _StoredElement($0) }
    case .values(let values):
      Aggregate(function)?.of(values.elements, property: property).map { _StoredElement($0) }
    }
  }
}

extension LinkingObjects: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results?._aggregate(function, ofProperty: property)
  }
}

extension List: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results._aggregate(function, ofProperty: property)
  }
}

extension MutableSet: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results._aggregate(function, ofProperty: property)
  }
}
