import StrataQuery

extension Query where T: RealmCollection {
  /// The number of elements, nil ones too.
  public var count: Query<Int> { Query<Int>(content.computing(.count)) }

  /// Whether an element is equal to a value.
  public func contains(_ value: T.Element) -> Query<Bool> { compared(.equal, value) }

  /// Whether an element is one of some values.
  public func containsAny<Values: Sequence>(in values: Values) -> Query<Bool>
  where Values.Element == T.Element {
    isIn(values)
  }

  /// Whether any element is equal to a value.
  public static func == (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.equal, value)
  }

  /// Whether any element is unlike a value.
  public static func != (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.notEqual, value)
  }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// Whether there are elements, and all of them are in a range; nil ones don't count.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether there are elements, and all of them are in a range; nil ones don't count.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query
where T: RealmCollection, T.Element: _OptionalProtocol, T.Element.Wrapped: Comparable {
  /// Whether there are elements, and all of them are in a range; nil ones don't count.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether there are elements, and all of them are in a range; nil ones don't count.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query
where
  T: RealmCollection, T.Element.PersistedType: _QueryNumeric
{
  /// Whether any element is less than a value.
  public static func < (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.less, value)
  }

  /// Whether any element is at most a value.
  public static func <= (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.lessOrEqual, value)
  }

  /// Whether any element is greater than a value.
  public static func > (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.greater, value)
  }

  /// Whether any element is at least a value.
  public static func >= (collection: Query, value: T.Element) -> Query<Bool> {
    collection.compared(.greaterOrEqual, value)
  }

  /// The smallest element; nil if there is none.
  public var min: Query<T.Element> { Query<T.Element>(content.computing(.min)) }

  /// The greatest element; nil if there is none.
  public var max: Query<T.Element> { Query<T.Element>(content.computing(.max)) }

  /// The average of the elements that aren't nil; nil if there is none.
  public var avg: Query<T.Element> { Query<T.Element>(content.computing(.average)) }

  /// The sum of the elements; 0 if there is none.
  public var sum: Query<T.Element> { Query<T.Element>(content.computing(.sum)) }
}

extension Query {
  /// Whether all elements of a collection are in a range.
  func all(from lower: Any, _ operator: QueryOperator, _ upper: Any) -> Query<Bool> {
    let smallest = Query(content.computing(.min)).compared(.greaterOrEqual, lower)
    return smallest && Query(content.computing(.max)).compared(`operator`, upper)
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryNumeric {
  /// The smallest value of this property of a collection's objects; nil if there is none.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.dogs.age.min > 3 }
  /// ```
  ///
  /// Of several collections on the path, all objects of the first one count. Without a collection
  /// on the path it is a mistake.
  public var min: Query { Query(content.computingProperty(.min)) }

  /// The greatest value of this property of a collection's objects; nil if there is none.
  public var max: Query { Query(content.computingProperty(.max)) }

  /// The average of this property of a collection's objects; nil if there is none.
  public var avg: Query { Query(content.computingProperty(.average)) }

  /// The sum of this property of a collection's objects; 0 if there is none.
  public var sum: Query { Query(content.computingProperty(.sum)) }
}
