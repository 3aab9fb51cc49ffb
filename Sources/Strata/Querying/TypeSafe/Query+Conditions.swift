extension Query where T == Bool {
  /// The opposite of a condition, also where it is about nil or an empty collection.
  public static prefix func ! (condition: Query) -> Query<Bool> {
    Query(condition.content.negated)
  }

  /// Both conditions.
  public static func && (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.and(second.content))
  }

  /// One of the conditions, or both.
  public static func || (first: Query, second: Query) -> Query<Bool> {
    Query(first.content.or(second.content))
  }

  /// The number of elements of a collection for which the condition is true.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0 }
  /// ```
  ///
  /// The condition is about the elements of one collection, and may name other properties of the
  /// object. With no collection, or with two, it is a mistake.
  public var count: Query<Int> { Query<Int>(content.subqueryCount) }
}
