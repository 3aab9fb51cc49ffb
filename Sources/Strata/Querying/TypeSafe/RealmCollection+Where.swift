extension RealmCollection {
  /// The elements for which a condition is true.
  ///
  /// The closure says which condition, and runs once; the database finds the elements, so that only
  /// those are read that are used. Results are live, and can be asked again.
  ///
  /// ```swift
  /// let adults = realm.objects(Person.self).where { $0.age >= 18 && $0.dogs.name == "Rex" }
  /// ```
  ///
  /// ``Query`` has what a condition can say. A mistake in it gives no elements: `write` throws it,
  /// anywhere else it is reported through `IssueReporting`. The `filter { … }` of Swift, whose
  /// closure is called for each element, reads all of them into an array.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    _filter(isIncluded(Query()).content.predicate)
  }

  /// The position of the first element for which a condition is true; nil if there is none.
  ///
  /// ```swift
  /// let position = people.index(matching: { $0.name == "Ada" })
  /// ```
  ///
  /// A mistake in the condition is that of `where`, and the result is nil.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    _choices.where(isIncluded).first.flatMap { index(of: $0) }
  }
}

extension Map {
  /// The values for which a condition is true, in the order of their keys.
  ///
  /// See `where` of ``RealmCollection``.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    results._filter(isIncluded(Query()).content.predicate)
  }
}
