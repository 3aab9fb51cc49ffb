import IssueReporting
import StrataStorage

extension Map {
  /// The smallest value of a property of the objects, or nil when no object has one.
  public func min<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { min(ofProperty: $0) }
  }

  /// The greatest value of a property of the objects, or nil when no object has one.
  public func max<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { max(ofProperty: $0) }
  }

  /// The sum of a property of the objects.
  public func sum<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).map { sum(ofProperty: $0) } ?? T._zeroElement()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none. As an
  /// integer it is without the digits behind the point.
  @_disfavoredOverload
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }

  /// The average of a property as a `Double`, with the digits behind the point.
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> Double? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }
}

/// The name of the property that a key path reads; nil, and reported, for one that reads none, or
/// computes something.
func persistedName<Root: ObjectBase, T: RealmCollectionValue>(
  of keyPath: KeyPath<Root, T>
) -> String? {
  if let property = persistedProperty(of: keyPath) { return property.name }
  reportIssue("\(ErrorText.computedKeyPath(Root.className(), "\(T.self)"))")
  return nil
}
