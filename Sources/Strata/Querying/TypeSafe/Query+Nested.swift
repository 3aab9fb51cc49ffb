extension Query where T == AnyRealmValue {
  /// The element of a list at a position; nil if there is none.
  ///
  /// ```swift
  /// realm.objects(Setting.self).where { $0.value[0] == 3 || $0.value["sizes"][1] > 2 }
  /// ```
  /// No index helps: the value of each object is read.
  public subscript(position: Int) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.index(position)))
  }

  /// The value of a key of a dictionary; nil if there is none.
  public subscript(key: String) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.key(key)))
  }

  /// Each element of a list, or each value of a dictionary: a condition is true if it is so for any
  /// of them.
  public subscript(element: AnyElement) -> Query<AnyRealmValue> { any }

  /// Each element of a list, or each value of a dictionary: a condition is true if it is so for any
  /// of them.
  public var any: Query<AnyRealmValue> {
    Query<AnyRealmValue>(content.adding(.any, isCollection: true))
  }
}
