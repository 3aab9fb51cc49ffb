extension _CollectionRows {
  /// The objects of a collection as a query; nil when they are none, or in a migration.
  ///
  /// Those of a collection from before `invalidate()` are as empty as it is itself.
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
  /// No objects, of an object that is in no realm.
  init(nothing: Element.Type) {
    self.init(SortedElements(nil, read: { _ in [] }))
  }
}

extension CollectionProperty where Self: RealmCollection {
  var results: Results<Element> {
    // Values that are stored as objects are not columns: they are made again, and sorted in memory.
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
  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    results.sorted(by: sortDescriptors)
  }
}

extension List where Element.PersistedType: SortableType {
  /// The values in order; nil is first, or last.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    results.sorted(ascending: ascending)
  }
}

extension MutableSet {
  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    results.sorted(by: sortDescriptors)
  }
}

extension MutableSet where Element.PersistedType: SortableType {
  /// The values in order; nil is first, or last.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    results.sorted(ascending: ascending)
  }
}

extension Map where Value.PersistedType: SortableType {
  /// The values in order; nil is first, or last.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    results.sorted(ascending: ascending)
  }
}

extension Map {
  /// The objects in the order of a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    results.sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects in the order of a property, also one through links.
  ///
  /// A key path that computes something is a mistake, which gives no objects.
  public func sorted<Target: ObjectBase, Sorted: RealmCollectionValue>(
    by keyPath: KeyPath<Target, Sorted>, ascending: Bool = true
  ) -> Results<Value> where Value == Target?, Sorted.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Value> {
    results.sorted(by: sortDescriptors)
  }

  var results: Results<Value> {
    Results(SortedElements(rows) { $0.map { Map($0).values } ?? self.values })
  }
}
