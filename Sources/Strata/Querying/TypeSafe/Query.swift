import StrataQuery

/// A property, a value or a condition in the closure of `where`.
///
/// The closure runs once, to build the condition; SQLite finds the objects. Properties are written
/// as in Swift, also through links and collections. Operators and methods compare properties, and
/// return conditions.
///
/// ```swift
/// realm.objects(Person.self).where {
///   ($0.age > 3 || $0.dog.name == "Rex") && !$0.isDone
/// }
/// ```
///
/// A condition on a path through a collection is true if any element meets it: `$0.dogs.age > 3` is
/// true for a person with at least one older dog. With `!`, the condition is true if no element
/// meets it. Two conditions with `&&` may be met by two different dogs. To require the same dog,
/// count the elements: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0`.
///
/// A path through a nil link has the value nil. Nil equals nil, is different from any other value,
/// and is neither less nor greater.
///
/// A computed property can't be queried, because it isn't stored. A computed property, or a value
/// of the wrong type, is an error, and the results are empty. Inside of `write`, the transaction
/// throws the error; elsewhere it is reported through `IssueReporting`.
@dynamicMemberLookup
public struct Query<T> {
  let content: QueryContent

  /// The queried object or element.
  init() { content = .element }

  init(_ content: QueryContent) { self.content = content }
}

extension Query {
  /// A property of the object.
  ///
  /// A computed property is an error: see ``Query``.
  public subscript<Value>(dynamicMember member: KeyPath<T, Value>) -> Query<Value>
  where T: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the linked object; nil if the link is nil.
  public subscript<Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Target? {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the collection. A condition is true if it is true for any of
  /// them.
  public subscript<Value>(dynamicMember member: KeyPath<T.Element, Value>) -> Query<Value>
  where T: RealmCollection, T.Element: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the map. A condition is true if it is true for any of them.
  public subscript<Key, Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Map<Key, Target?> {
    Query<Value>(content.following(member))
  }
}

extension Query where T: _OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Whether the embedded object is a geographical point in an area.
  ///
  /// ```swift
  /// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
  /// realm.objects(Person.self).where { $0.location.geoWithin(circle) }
  /// realm.objects(Person.self).filter("location IN %@", circle)
  /// ```
  ///
  /// The object must have the form that ``GeoPoint`` describes. A nil link, a `type` other than
  /// "Point" (ignoring case), and invalid coordinates are in no area. SQL compares the points with
  /// the bounds of the area first; only the remaining points are compared with the area itself.
  ///
  /// A class of another form, or an invalid area, is an error, and the results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported.
  public func geoWithin<Area: RLMGeospatial>(_ area: Area) -> Query<Bool> {
    Query<Bool>(content.compared(.geoWithin, QueryValue(area)))
  }
}

extension Query where T == Bool {
  /// Negates a condition. The result is true whenever the condition is false, also with nil and
  /// empty collections.
  public static prefix func ! (condition: Query) -> Query<Bool> {
    Query(condition.content.negated)
  }

  /// Whether both conditions are true.
  public static func && (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.and(second.content))
  }

  /// Whether at least one of the conditions is true.
  public static func || (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.or(second.content))
  }

  /// The number of elements of a collection that meet the condition.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0 }
  /// ```
  ///
  /// The condition must use exactly one collection, and may use other properties of the object.
  /// Otherwise it is an error.
  public var count: Query<Int> { Query<Int>(content.subqueryCount) }
}

extension Query where T: RealmKeyedCollection {
  /// The keys. A condition is true if it is true for any of them.
  public var keys: Query<String> { Query<String>(content.adding(.keys)) }

  /// The values. A condition is true if it is true for any of them.
  public var values: Query<T.Value> { Query<T.Value>(content.adding(.values)) }

  /// The value of a key, or nil.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.scores["chess"] > 2000 }
  /// ```
  ///
  /// Reading a property of the value, if it is an object, is an error.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(content.value(ofKey: key._text))
  }
}

// The elements of a map are its values.

extension Query where T: _QueryableCollection {
  /// The number of elements, including nil.
  public var count: Query<Int> { Query<Int>(content.computing(.count)) }

  /// Whether the collection contains a value.
  public func contains(_ value: T._Value) -> Query<Bool> { compared(.equal, value) }

  /// Whether the collection contains one of several values.
  public func containsAny<Values: Sequence>(in values: Values) -> Query<Bool>
  where Values.Element == T._Value {
    isIn(values)
  }

  /// Whether any element is equal to a value.
  public static func == (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.equal, value)
  }

  /// Whether any element is different from a value.
  public static func != (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.notEqual, value)
  }
}

extension Query where T: _QueryableCollection, T._Value: Comparable {
  /// Whether the collection has elements and all of them are in a range. Nil elements are ignored.
  public func contains(_ range: Range<T._Value>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether the collection has elements and all of them are in a range. Nil elements are ignored.
  public func contains(_ range: ClosedRange<T._Value>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query
where T: _QueryableCollection, T._Value: _OptionalProtocol, T._Value.Wrapped: Comparable {
  /// Whether the collection has elements and all of them are in a range. Nil elements are ignored.
  public func contains(_ range: Range<T._Value.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether the collection has elements and all of them are in a range. Nil elements are ignored.
  public func contains(_ range: ClosedRange<T._Value.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query where T: _QueryableCollection, T._Value.PersistedType: _QueryNumeric {
  /// Whether any element is less than a value.
  public static func < (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.less, value)
  }

  /// Whether any element is at most a value.
  public static func <= (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.lessOrEqual, value)
  }

  /// Whether any element is greater than a value.
  public static func > (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.greater, value)
  }

  /// Whether any element is at least a value.
  public static func >= (collection: Query, value: T._Value) -> Query<Bool> {
    collection.compared(.greaterOrEqual, value)
  }

  /// The smallest element; nil if there are no values.
  public var min: Query<T._Value> { Query<T._Value>(content.computing(.min)) }

  /// The greatest element; nil if there are no values.
  public var max: Query<T._Value> { Query<T._Value>(content.computing(.max)) }

  /// The average of the elements that aren't nil; nil if there are no values.
  public var avg: Query<T._Value> { Query<T._Value>(content.computing(.average)) }

  /// The sum of the elements; 0 if there are no values.
  public var sum: Query<T._Value> { Query<T._Value>(content.computing(.sum)) }
}

extension Query {
  /// Returns a condition that all elements of a collection are in a range.
  func all(from lower: Any, _ operator: QueryOperator, _ upper: Any) -> Query<Bool> {
    let smallest = Query(content.computing(.min)).compared(.greaterOrEqual, lower)
    return smallest && Query(content.computing(.max)).compared(`operator`, upper)
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryNumeric {
  /// The smallest value of this property of a collection's objects; nil if there are no values.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.dogs.age.min > 3 }
  /// ```
  ///
  /// If the path leads through several collections, the value is computed over all objects of the
  /// first one. A path without a collection is an error.
  public var min: Query { Query(content.computingProperty(.min)) }

  /// The greatest value of this property of a collection's objects; nil if there are no values.
  public var max: Query { Query(content.computingProperty(.max)) }

  /// The average of this property of a collection's objects; nil if there are no values.
  public var avg: Query { Query(content.computingProperty(.average)) }

  /// The sum of this property of a collection's objects; 0 if there are no values.
  public var sum: Query { Query(content.computingProperty(.sum)) }
}
