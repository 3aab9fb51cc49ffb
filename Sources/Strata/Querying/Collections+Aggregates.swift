// Members of the types themselves, and not of a protocol, so that they win over those from
// `Sequence`.

extension List where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension List where Element.PersistedType: AddableType {
  /// Returns the sum of the values. Integers wrap around on overflow, as in Realm.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// Returns the average of the values; nil if there are no values.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

extension MutableSet where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension MutableSet where Element.PersistedType: AddableType {
  /// Returns the sum of the values. Integers wrap around on overflow, as in Realm.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// Returns the average of the values; nil if there are no values.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
}

extension Results where Element.PersistedType: MinMaxType {
  /// Returns the smallest value; nil if there are no values.
  public func min() -> Element? { Aggregate.smallest(of: self) }

  /// Returns the greatest value; nil if there are no values.
  public func max() -> Element? { Aggregate.greatest(of: self) }
}

extension Results where Element.PersistedType: AddableType {
  /// Returns the sum of the values. Integers wrap around on overflow, as in Realm.
  public func sum() -> Element { Aggregate.sum(of: self) }

  /// Returns the average of the values; nil if there are no values.
  public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
    Aggregate.average(of: self)
  }
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
  public func min<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    results.min(ofProperty: property)
  }

  /// Returns the greatest value of a property of the objects; nil if there are no values.
  public func max<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    results.max(ofProperty: property)
  }

  /// Returns the sum of a property of the objects.
  public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    results.sum(ofProperty: property)
  }

  /// Returns the average of a property's values that aren't nil; nil if there are no values.
  public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType {
    results.average(ofProperty: property)
  }
}
