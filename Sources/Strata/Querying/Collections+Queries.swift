import IssueReporting
import StrataStorage

extension _CollectionRows {
  /// The query of a collection's objects; nil if the elements are no objects, and in a migration.
  ///
  /// A collection from before `invalidate()` gives empty results.
  var objectResults: ObjectResults? {
    guard let collection = self as? SessionCollection, let query = collection.objectQuery else {
      return nil
    }
    let session = collection.session
    let generation = collection.isFromBefore ? session.generation &- 1 : session.generation
    return ObjectResults(query, session, generation: generation)
  }
}

extension Results {
  /// Creates empty results, for an unmanaged object.
  init(nothing: Element.Type) {
    self.init(SortedElements(nil, read: { _ in [] }))
  }
}

extension CollectionProperty where Self: RealmCollection {
  var results: Results<Element> {
    // Values that are stored as objects are not columns: they are decoded and sorted in memory.
    if !Element.isStoredAsObject, let objects = rows?.objectResults {
      return Results(objects.query, objects.session, generation: objects.generation)
    }
    return Results(
      SortedElements(rows) { rows in
        rows.map { Array(Self($0)) } ?? Array(self)
      })
  }
}

extension List where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    _results.sorted(ascending: ascending)
  }
}

extension MutableSet where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    _results.sorted(ascending: ascending)
  }
}

extension Map where Value.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    _results.sorted(ascending: ascending)
  }
}

extension Map {
  /// Returns the objects sorted by a property, which may be reached through links.
  ///
  /// A key path that computes a value is an error: the results are empty then.
  public func sorted<Target: ObjectBase, Sorted: RealmCollectionValue>(
    by keyPath: KeyPath<Target, Sorted>, ascending: Bool = true
  ) -> Results<Value> where Value == Target?, Sorted.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  public var _results: Results<Value> {
    Results(SortedElements(rows) { $0.map { Map($0).values } ?? self.values })
  }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// Returns the sum of the values. Integers wrap around on overflow, as in Realm.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// Returns the average of the values; nil if there are no values.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

// Members of the types themselves, and not of a protocol, so that they win over those from
// `Sequence`.

extension List where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension MutableSet where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension Results where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension Map where Value.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Value? { Aggregate.smallest(of: values) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Value? { Aggregate.greatest(of: values) }
}

extension Map where Value.PersistedType: AddableType {
  /// Returns the sum of the values. Integers wrap around on overflow, as in Realm.
  public func sum() -> Value { Aggregate.sum(of: values) }

  /// Returns the average of the values; nil if there are no values.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: values)
  }
}

extension Map {
  /// Returns the smallest value of a property of the objects; nil if there are no values.
  public func min<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { min(ofProperty: $0) }
  }

  /// Returns the greatest value of a property of the objects; nil if there are no values.
  public func max<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { max(ofProperty: $0) }
  }

  /// Returns the sum of a property of the objects.
  public func sum<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).map { sum(ofProperty: $0) } ?? T._zeroElement()
  }

  /// Returns the average of a property's values that aren't nil; nil if there are no values. An
  /// integer result is truncated.
  @_disfavoredOverload
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }

  /// Returns the average of a property as a `Double`, with its fraction.
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> Double? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }
}

/// Returns the name of the property that a key path reads. For a key path that reads none, or
/// computes a value, reports the problem and returns nil.
func persistedName<Root: ObjectBase, T: RealmCollectionValue>(
  of keyPath: KeyPath<Root, T>
) -> String? {
  if let property = persistedProperty(of: keyPath) { return property.name }
  reportIssue("\(ErrorText.computedKeyPath(Root.className(), "\(T.self)"))")
  return nil
}

extension ElementValues where Self: RealmCollection {
  var elementValues: [Any?] { map { unwrapped($0._dynamicElement) } }
}

extension List: ElementValues {}
extension MutableSet: ElementValues {}
extension LinkingObjects: ElementValues {}
