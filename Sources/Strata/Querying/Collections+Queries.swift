extension _CollectionRows {
  /// The query of a collection's objects; nil if the elements are no objects, and in a migration.
  ///
  /// A collection from before `invalidate()` gives empty results.
  var objectResults: ObjectResults? {
    guard let collection = self as? SessionCollection, let query = collection.objectQuery else {
      return nil
    }
    let session = collection.session
    let generation = collection.isFromBefore ? session.generation &- 1 : session.generation
    return ObjectResults(query, session, generation: generation)
  }
}

extension Results {
  /// Creates empty results, for an unmanaged object.
  init(nothing: Element.Type) {
    self.init(SortedElements(nil, read: { _ in [] }))
  }
}

extension CollectionProperty where Self: RealmCollection {
  var results: Results<Element> {
    // Values that are stored as objects are not columns: they are decoded and sorted in memory.
    if !Element.isStoredAsObject, let objects = rows?.objectResults {
      return Results(objects.query, objects.session, generation: objects.generation)
    }
    return Results(
      SortedElements(rows) { rows in
        guard let rows else { return Array(self) }
        let shown = Self()
        shown.rows = rows
        return Array(shown)
      })
  }
}

extension List {
  /// Returns the objects sorted by the first property, then by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    results.sorted(by: sortDescriptors)
  }
}

extension List where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    results.sorted(ascending: ascending)
  }
}

extension MutableSet {
  /// Returns the objects sorted by the first property, then by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    results.sorted(by: sortDescriptors)
  }
}

extension MutableSet where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    results.sorted(ascending: ascending)
  }
}

extension Map where Value.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    results.sorted(ascending: ascending)
  }
}

extension Map {
  /// Returns the objects sorted by a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    results.sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the objects sorted by a property, which may be reached through links.
  ///
  /// A key path that computes a value is an error: the results are empty then.
  public func sorted<Target: ObjectBase, Sorted: RealmCollectionValue>(
    by keyPath: KeyPath<Target, Sorted>, ascending: Bool = true
  ) -> Results<Value> where Value == Target?, Sorted.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the objects sorted by the first property, then by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Value> {
    results.sorted(by: sortDescriptors)
  }

  var results: Results<Value> {
    Results(SortedElements(rows) { $0.map { Map($0).values } ?? self.values })
  }
}
