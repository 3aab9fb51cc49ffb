import StrataQuery

/// A property, a value or a condition in the closure of `where`.
///
/// The closure runs once, to say what is asked for; the database finds the objects. A property of
/// the objects is named as in Swift, through links and collections too; compared by operators and
/// by methods it becomes a condition.
///
/// ```swift
/// realm.objects(Person.self).where {
///   ($0.age > 3 || $0.dog.name == "Rex") && !$0.isDone
/// }
/// ```
///
/// A path through a collection is true for any of its elements: `$0.dogs.age > 3` means a dog that
/// is older. `!` before it means none; `&&` between two of them may mean two dogs. For one and the
/// same dog, count those: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0`.
///
/// A path through a link that is nil has the value nil. Nil equals nil, is unlike all else, and is
/// neither less nor greater.
///
/// A computed property can't be asked for, because the file doesn't have it. That is a mistake, as
/// is a value that doesn't fit: the results find nothing, `write` throws it, anywhere else it is
/// reported through `IssueReporting`.
@dynamicMemberLookup
public struct Query<T> {
  let content: QueryContent

  /// The object or the element that is asked about.
  init() { content = .element }

  init(_ content: QueryContent) { self.content = content }
}

extension Query {
  /// A property of the object.
  ///
  /// A computed property is a mistake: see ``Query``.
  public subscript<Value>(dynamicMember member: KeyPath<T, Value>) -> Query<Value>
  where T: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the object that the link leads to; nil if it leads nowhere.
  public subscript<Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Target? {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the collection: a condition is true if it is so for any of them.
  public subscript<Value>(dynamicMember member: KeyPath<T.Element, Value>) -> Query<Value>
  where T: RealmCollection, T.Element: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the map: a condition is true if it is so for any of them.
  public subscript<Key, Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Map<Key, Target?> {
    Query<Value>(content.following(member))
  }
}

extension Query where T: _OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Whether the embedded object is a place in an area.
  ///
  /// ```swift
  /// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
  /// realm.objects(Person.self).where { $0.location.geoWithin(circle) }
  /// realm.objects(Person.self).filter("location IN %@", circle)
  /// ```
  ///
  /// The object has the form that ``GeoPoint`` shows. A nil link, a `type` that isn't "Point" in
  /// any case, and coordinates that are no place on the Earth, are in no area. What is around the
  /// area is compared in SQL, the area itself only with what is left.
  ///
  /// A class of another form, and an area that can't be one, are mistakes: the results find
  /// nothing, and `write` throws it; anywhere else it is reported.
  public func geoWithin<Area: RLMGeospatial>(_ area: Area) -> Query<Bool> {
    Query<Bool>(content.compared(.geoWithin, QueryValue(area)))
  }
}

extension Query where T == Bool {
  /// The opposite of a condition, also where it is about nil or an empty collection.
  public static prefix func ! (condition: Query) -> Query<Bool> {
    Query(condition.content.negated)
  }

  /// Both conditions.
  public static func && (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.and(second.content))
  }

  /// One of the conditions, or both.
  public static func || (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.or(second.content))
  }

  /// The number of elements of a collection for which the condition is true.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0 }
  /// ```
  ///
  /// The condition is about the elements of one collection, and may name other properties of the
  /// object. With no collection, or with two, it is a mistake.
  public var count: Query<Int> { Query<Int>(content.subqueryCount) }
}

extension Query where T: RealmKeyedCollection {
  /// The keys: a condition is true if it is so for any of them.
  public var keys: Query<String> { Query<String>(content.adding(.keys)) }

  /// The values: a condition is true if it is so for any of them.
  public var values: Query<T.Value> { Query<T.Value>(content.adding(.values)) }

  /// The value of a key; nil if there is none.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.scores["chess"] > 2000 }
  /// ```
  ///
  /// A property of the object of a key is a mistake.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(content.value(ofKey: key._text))
  }

  /// The number of keys.
  public var count: Query<Int> { Query<Int>(content.computing(.count)) }

  /// Whether a value of the map is equal to another one.
  public func contains(_ value: T.Value) -> Query<Bool> { compared(.equal, value) }

  /// Whether a value of the map is one of some.
  public func containsAny<Values: Sequence>(in values: Values) -> Query<Bool>
  where Values.Element == T.Value {
    isIn(values)
  }

  /// Whether any value is equal to another one.
  public static func == (map: Query, value: T.Value) -> Query<Bool> {
    map.compared(.equal, value)
  }

  /// Whether any value is unlike another one.
  public static func != (map: Query, value: T.Value) -> Query<Bool> {
    map.compared(.notEqual, value)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// Whether there are values, and all of them are in a range; nil ones don't count.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether there are values, and all of them are in a range; nil ones don't count.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: _OptionalProtocol, T.Value.Wrapped: Comparable {
  /// Whether there are values, and all of them are in a range; nil ones don't count.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .less, range.upperBound)
  }

  /// Whether there are values, and all of them are in a range; nil ones don't count.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    all(from: range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query
where
  T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric
{
  /// Whether any value is less than another one.
  public static func < (map: Query, value: T.Value) -> Query<Bool> { map.compared(.less, value) }

  /// Whether any value is at most another one.
  public static func <= (map: Query, value: T.Value) -> Query<Bool> {
    map.compared(.lessOrEqual, value)
  }

  /// Whether any value is greater than another one.
  public static func > (map: Query, value: T.Value) -> Query<Bool> {
    map.compared(.greater, value)
  }

  /// Whether any value is at least another one.
  public static func >= (map: Query, value: T.Value) -> Query<Bool> {
    map.compared(.greaterOrEqual, value)
  }

  /// The smallest value; nil if there is none.
  public var min: Query<T.Value> { Query<T.Value>(content.computing(.min)) }

  /// The greatest value; nil if there is none.
  public var max: Query<T.Value> { Query<T.Value>(content.computing(.max)) }

  /// The average of the values that aren't nil; nil if there is none.
  public var avg: Query<T.Value> { Query<T.Value>(content.computing(.average)) }

  /// The sum of the values; 0 if there is none.
  public var sum: Query<T.Value> { Query<T.Value>(content.computing(.sum)) }
}

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
