extension Query where T: RealmCollectionValue {
  /// The stored form of this value: the raw value of an enum, the stored value of a custom type.
  ///
  /// ```swift
  /// realm.objects(Trip.self).where { $0.length.persistableValue > 1000 }
  /// ```
  ///
  /// Use it for conditions that the type itself can't express, and for stored values that have no
  /// counterpart in the type.
  // Disfavored, because an optional has this property and one of its own.
  @_disfavoredOverload
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(content) }
}

extension Query
where T: _OptionalProtocol & RealmCollectionValue, T.Wrapped: RealmCollectionValue {
  /// The stored form of this value.
  public var persistableValue: Query<T.Wrapped.PersistedType?> {
    Query<T.Wrapped.PersistedType?>(content)
  }
}

// The kind of collection doesn't matter here: all kinds have the same conditions.

extension Query where T: RealmCollection {
  /// The stored forms of the elements.
  public var persistableValue: Query<List<T.Element.PersistedType>> {
    Query<List<T.Element.PersistedType>>(content)
  }
}

extension Query where T: RealmKeyedCollection {
  /// The stored forms of the map's values.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    Query<Map<T.Key, T.Value.PersistedType>>(content)
  }
}

extension Query where T: PersistableEnum {
  /// The raw value of the enum.
  ///
  /// ```swift
  /// realm.objects(Pet.self).where { $0.kind.rawValue.starts(with: "d") }
  /// ```
  ///
  /// Use it for conditions on raw values, including values without a case.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(content) }
}

extension Query where T: _OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The raw value of the enum.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(content) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum {
  /// The raw values of the elements.
  public var rawValue: Query<List<T.Element.RawValue>> {
    Query<List<T.Element.RawValue>>(content)
  }
}

extension Query
where T: RealmCollection, T.Element: _OptionalProtocol, T.Element.Wrapped: PersistableEnum {
  /// The raw values of the elements.
  public var rawValue: Query<List<T.Element.Wrapped.RawValue?>> {
    Query<List<T.Element.Wrapped.RawValue?>>(content)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum {
  /// The raw values of the map's values.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> {
    Query<Map<T.Key, T.Value.RawValue>>(content)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: _OptionalProtocol, T.Value.Wrapped: PersistableEnum {
  /// The raw values of the map's values.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
    Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(content)
  }
}

extension Query where T == AnyRealmValue {
  /// The element of a list at a position, or nil.
  ///
  /// ```swift
  /// realm.objects(Setting.self).where { $0.value[0] == 3 || $0.value["sizes"][1] > 2 }
  /// ```
  /// SQLite can't use an index: the value of each object is read.
  public subscript(position: Int) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.index(position)))
  }

  /// The value of a key of a dictionary, or nil.
  public subscript(key: String) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.key(key)))
  }

  /// Each element of a list, or each value of a dictionary. A condition is true if it is true for
  /// any of them.
  public subscript(element: AnyElement) -> Query<AnyRealmValue> { any }

  /// Each element of a list, or each value of a dictionary. A condition is true if it is true for
  /// any of them.
  public var any: Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.any, isCollection: true))
  }
}

/// A placeholder for each element of a list, or each value of a dictionary, in a condition on an
/// `AnyRealmValue`: `$0.value[.any] == 3`.
public enum AnyElement: Sendable, Hashable {
  /// Each element.
  case any
}

extension _QueryableCollection {
  /// Returns the elements that meet a condition.
  ///
  /// The closure runs once, and returns the condition. SQLite finds the elements, so that only
  /// elements that you use are read. Results are live and can be queried further.
  ///
  /// ```swift
  /// let adults = realm.objects(Person.self).where { $0.age >= 18 && $0.dogs.name == "Rex" }
  /// ```
  ///
  /// See ``Query`` for the conditions. An invalid condition gives no elements. Inside of `write`,
  /// the transaction throws the error; elsewhere it is reported through `IssueReporting`. In
  /// contrast, Swift's `filter { … }` calls its closure for each element and reads all elements
  /// into an array.
  public func `where`(_ isIncluded: (Query<_Value>) -> Query<Bool>) -> Results<_Value> {
    _filter(isIncluded(Query()).content.predicate)
  }
}

extension RealmCollection {
  /// Returns the position of the first element that meets a condition, or nil.
  ///
  /// ```swift
  /// let position = people.index(matching: { $0.name == "Ada" })
  /// ```
  ///
  /// An invalid condition is handled as in `where`, and the result is nil.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    _choices.where(isIncluded).first.flatMap { index(of: $0) }
  }
}
