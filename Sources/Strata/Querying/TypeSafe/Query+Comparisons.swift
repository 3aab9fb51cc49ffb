import StrataQuery

extension Query {
  /// Whether both are equal; nil equals nil.
  ///
  /// Texts are compared by their bytes, decimals by their value, objects by identity. A custom type
  /// that is stored as an embedded object is compared by its members, of which none may be a link
  /// or a collection.
  public static func == (property: Query, value: T) -> Query<Bool> {
    property.compared(.equal, value)
  }

  /// Whether two properties are equal; nil equals nil.
  public static func == (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.equal, other.content))
  }

  /// Whether both are unlike; nil is unlike everything else.
  ///
  /// Of a collection, whether any element is unlike: `!($0.tags == "a")` means that none is equal.
  public static func != (property: Query, value: T) -> Query<Bool> {
    property.compared(.notEqual, value)
  }

  /// Whether two properties are unlike.
  public static func != (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.notEqual, other.content))
  }

  /// Whether the value is one of some.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.name.in(["Ada", "Bob"]) }
  /// ```
  ///
  /// Of none of no values; any number of them is possible.
  public func `in`<Values: Sequence>(_ values: Values) -> Query<Bool> where Values.Element == T {
    isIn(values)
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryNumeric {
  /// Whether the property is less than a value; false if one of them is nil.
  public static func < (property: Query, value: T) -> Query<Bool> {
    property.compared(.less, value)
  }

  /// Whether one property is less than the other; false if one of them is nil.
  public static func < (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.less, other.content))
  }

  /// Whether the property is at most a value; true if both are nil.
  public static func <= (property: Query, value: T) -> Query<Bool> {
    property.compared(.lessOrEqual, value)
  }

  /// Whether one property is at most the other; true if both are nil.
  public static func <= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.lessOrEqual, other.content))
  }

  /// Whether the property is greater than a value; false if one of them is nil.
  public static func > (property: Query, value: T) -> Query<Bool> {
    property.compared(.greater, value)
  }

  /// Whether one property is greater than the other; false if one of them is nil.
  public static func > (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greater, other.content))
  }

  /// Whether the property is at least a value; true if both are nil.
  public static func >= (property: Query, value: T) -> Query<Bool> {
    property.compared(.greaterOrEqual, value)
  }

  /// Whether one property is at least the other; true if both are nil.
  public static func >= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greaterOrEqual, other.content))
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryString {
  /// Whether the text comes before another one in the order of their bytes; false if one of them is
  /// nil.
  public static func < (property: Query, value: T) -> Query<Bool> {
    property.compared(.less, value)
  }

  /// Whether the text of one property comes before that of the other.
  public static func < (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.less, other.content))
  }

  /// Whether the text comes before another one, or is equal to it; true if both are nil.
  public static func <= (property: Query, value: T) -> Query<Bool> {
    property.compared(.lessOrEqual, value)
  }

  /// Whether the text of one property comes before that of the other, or is equal to it.
  public static func <= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.lessOrEqual, other.content))
  }

  /// Whether the text comes behind another one in the order of their bytes; false if one of them is
  /// nil.
  public static func > (property: Query, value: T) -> Query<Bool> {
    property.compared(.greater, value)
  }

  /// Whether the text of one property comes behind that of the other.
  public static func > (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greater, other.content))
  }

  /// Whether the text comes behind another one, or is equal to it; true if both are nil.
  public static func >= (property: Query, value: T) -> Query<Bool> {
    property.compared(.greaterOrEqual, value)
  }

  /// Whether the text of one property comes behind that of the other, or is equal to it.
  public static func >= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greaterOrEqual, other.content))
  }
}

extension Query {
  func compared<Value>(
    _ operator: QueryOperator, _ value: Value, _ options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(content.compared(`operator`, QueryValue(of: value), options: options.forTree))
  }

  func isIn(_ values: some Sequence) -> Query<Bool> {
    Query<Bool>(content.compared(.in, .list(values.map { QueryValue($0) })))
  }

  func compared<Other>(
    _ operator: QueryOperator, to other: Query<Other>, _ options: StringOptions
  ) -> Query<Bool> {
    Query<Bool>(content.compared(`operator`, other.content, options: options.forTree))
  }

  /// Whether a value is in a range that includes its upper bound.
  func between(_ lower: Any, _ upper: Any) -> Query<Bool> {
    // Format strings have `BETWEEN` for numbers and dates only.
    if lower is String, !content.isPlural {
      return compared(.greaterOrEqual, lower) && compared(.lessOrEqual, upper)
    }
    return Query<Bool>(content.compared(.between, .list([QueryValue(lower), QueryValue(upper)])))
  }

  /// Whether a value is in a range that doesn't include its upper bound.
  func from(_ lower: Any, below upper: Any) -> Query<Bool> {
    compared(.greaterOrEqual, lower) && compared(.less, upper)
  }
}

extension Query where T: Comparable {
  /// Whether the value is in a range; nil is in none.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    from(range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range; nil is in none.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound)
  }
}

extension Query where T: _OptionalProtocol, T.Wrapped: Comparable {
  /// Whether the value is in a range; nil is in none.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    from(range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range; nil is in none.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound)
  }
}
