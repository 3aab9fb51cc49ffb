extension RealmCollection {
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
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    _filter(isIncluded(Query()).content.predicate)
  }

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

extension Map {
  /// Returns the values that meet a condition, in the order of their keys.
  ///
  /// See `where` of ``RealmCollection``.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    results._filter(isIncluded(Query()).content.predicate)
  }
}
