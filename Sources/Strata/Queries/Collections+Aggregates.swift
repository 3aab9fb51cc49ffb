// Members of the types themselves, not of a protocol: they are to win over those of `Sequence`.

extension List where Element: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.min.of(self, as: Element.self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.max.of(self, as: Element.self) }
}

extension List where Element: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element {
    Aggregate.sum.of(self, as: Element.self) ?? Element._zero()
  }

  /// The average of the values, or nil when there are none.
  public func average<T: AddableType>() -> T? { Aggregate.average.of(self, as: T.self) }
}

extension MutableSet where Element: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.min.of(self, as: Element.self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.max.of(self, as: Element.self) }
}

extension MutableSet where Element: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element {
    Aggregate.sum.of(self, as: Element.self) ?? Element._zero()
  }

  /// The average of the values, or nil when there are none.
  public func average<T: AddableType>() -> T? { Aggregate.average.of(self, as: T.self) }
}

extension Results where Element: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Element? { Aggregate.min.of(self, as: Element.self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Element? { Aggregate.max.of(self, as: Element.self) }
}

extension Results where Element: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Element {
    Aggregate.sum.of(self, as: Element.self) ?? Element._zero()
  }

  /// The average of the values, or nil when there are none.
  public func average<T: AddableType>() -> T? { Aggregate.average.of(self, as: T.self) }
}

extension Map where Value: MinMaxType {
  /// The smallest value, or nil when there is none.
  public func min() -> Value? { Aggregate.min.of(values, as: Value.self) }

  /// The greatest value, or nil when there is none.
  public func max() -> Value? { Aggregate.max.of(values, as: Value.self) }
}

extension Map where Value: AddableType {
  /// The sum of the values; integers go around where they overflow, as Realm's do.
  public func sum() -> Value { Aggregate.sum.of(values, as: Value.self) ?? Value._zero() }

  /// The average of the values, or nil when there are none.
  public func average<T: AddableType>() -> T? { Aggregate.average.of(values, as: T.self) }
}

extension Map {
  /// The smallest value of a property of the objects, or nil when no object has one.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    results.min(ofProperty: property)
  }

  /// The greatest value of a property of the objects, or nil when no object has one.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    results.max(ofProperty: property)
  }

  /// The sum of a property of the objects.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    results.sum(ofProperty: property)
  }

  /// The average of a property of the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    results.average(ofProperty: property)
  }
}
