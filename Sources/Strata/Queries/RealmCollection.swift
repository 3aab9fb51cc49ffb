import IssueReporting

/// What the collections of a realm have in common: ``List``, ``MutableSet``, ``Results`` and
/// ``LinkingObjects``.
public protocol RealmCollection: RandomAccessCollection, CustomStringConvertible
where Element: RealmCollectionValue, Index == Int {
  /// The result of an aggregate function over a property of the objects, or nil.
  func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement?
}

extension RealmCollection {
  private func aggregate(_ function: Aggregate, _ property: String) -> StoredValue? {
    _aggregate(function.rawValue, ofProperty: property)?.value
  }
  /// The smallest value of a property, or nil when no object has one.
  ///
  /// The property is a number or a date; anything else is reported, and nil.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate(.min, property).flatMap(T.init(_stored:))
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate(.max, property).flatMap(T.init(_stored:))
  }

  /// The sum of a property; nil values count as nothing, and so does a sum that `T` can't hold.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    T(_stored: aggregate(.sum, property) ?? .integer(0)) ?? T._zero()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    aggregate(.average, property).flatMap(T.init(_stored:))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property, or nil when no object has one.
  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    min(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    max(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The sum of a property.
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    average(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }
}

extension Results: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    switch source {
    case .objects(let objects): objects.aggregate(function, property).map { _StoredElement($0) }
    case .values(let values):
      Aggregate(function)?.of(values.elements, property: property).map { _StoredElement($0) }
    }
  }
}

extension LinkingObjects: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results?._aggregate(function, ofProperty: property)
  }
}

extension List: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results._aggregate(function, ofProperty: property)
  }
}

extension MutableSet: RealmCollection {
  public func _aggregate(_ function: String, ofProperty property: String) -> _StoredElement? {
    results._aggregate(function, ofProperty: property)
  }
}
