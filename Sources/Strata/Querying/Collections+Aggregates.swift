// Members of the types themselves, not of a protocol: they are to win over those of `Sequence`.

extension List where Element.PersistedType: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension List where Element.PersistedType: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// The average of the values, or nil when there are none.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

extension MutableSet where Element.PersistedType: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension MutableSet where Element.PersistedType: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// The average of the values, or nil when there are none.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

extension Results where Element.PersistedType: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension Results where Element.PersistedType: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// The average of the values, or nil when there are none.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

extension Map where Value.PersistedType: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Value? { Aggregate.smallest(of: values) }

  /// The greatest value, or nil when there is none.
  public func max() -> Value? { Aggregate.greatest(of: values) }
}

extension Map where Value.PersistedType: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Value { Aggregate.sum(of: values) }

  /// The average of the values, or nil when there are none.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: values)
  }
}

extension Map {
  /// The smallest value of a property of the objects, or nil when no object has one.
  public func min<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    results.min(ofProperty: property)
  }

  /// The greatest value of a property of the objects, or nil when no object has one.
  public func max<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    results.max(ofProperty: property)
  }

  /// The sum of a property of the objects.
  public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    results.sum(ofProperty: property)
  }

  /// The average of a property of the objects where it isn't nil; nil when there are none.
  public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    results.average(ofProperty: property)
  }
}
