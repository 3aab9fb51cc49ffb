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
