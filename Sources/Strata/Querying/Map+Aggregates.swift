import IssueReporting
import StrataStorage

extension Map {
  /// Returns the smallest value of a property of the objects; nil if there are no values.
  public func min<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { min(ofProperty: $0) }
  }

  /// Returns the greatest value of a property of the objects; nil if there are no values.
  public func max<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: MinMaxType {
    persistedName(of: keyPath).flatMap { max(ofProperty: $0) }
  }

  /// Returns the sum of a property of the objects.
  public func sum<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).map { sum(ofProperty: $0) } ?? T._zeroElement()
  }

  /// Returns the average of a property's values that aren't nil; nil if there are no values. An
  /// integer result is truncated.
  @_disfavoredOverload
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> T? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }

  /// Returns the average of a property as a `Double`, with its fraction.
  public func average<Target: ObjectBase, T: RealmCollectionValue>(
    of keyPath: KeyPath<Target, T>
  ) -> Double? where Value == Target?, T.PersistedType: AddableType {
    persistedName(of: keyPath).flatMap { average(ofProperty: $0) }
  }
}

/// Returns the name of the property that a key path reads. For a key path that reads none, or
/// computes a value, reports the problem and returns nil.
func persistedName<Root: ObjectBase, T: RealmCollectionValue>(
  of keyPath: KeyPath<Root, T>
) -> String? {
  if let property = persistedProperty(of: keyPath) { return property.name }
  reportIssue("\(ErrorText.computedKeyPath(Root.className(), "\(T.self)"))")
  return nil
}
