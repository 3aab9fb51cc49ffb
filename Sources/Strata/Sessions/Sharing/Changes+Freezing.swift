extension RealmCollectionChange where Collection: ThreadConfined {
  /// The same change with a frozen collection, in its current state.
  ///
  /// For code that waits while it works on a change. During an `await`, other code of the same
  /// actor may write and move the realm, and the change's positions no longer fit the collection.
  /// The positions of the frozen change always fit its collection.
  ///
  /// ```swift
  /// for try await change in members.changes() {
  ///   let change = change.frozen()
  ///   if case .update(let members, _, let insertions, _) = change {
  ///     for index in insertions { await greet(members[index].name) }
  ///   }
  /// }
  /// ```
  /// Call it before the first `await`. See ``ThreadConfined/freeze(fileID:line:)`` for the cost of
  /// keeping a frozen collection. A collection whose object was deleted stays as it is: empty.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let collection):
      .initial(collection.frozenIfThere(fileID, line))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        collection.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange where Collection: ThreadConfined {
  /// The same change with a frozen map, in its current state.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let map): .initial(map.frozenIfThere(fileID, line))
    case .update(let map, let deletions, let insertions, let modifications):
      .update(
        map.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange where Collection: ThreadConfined {
  /// The same change with frozen sections, in their current state.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let sections): .initial(sections.frozenIfThere(fileID, line))
    case .update(
      let sections, let deletions, let insertions, let modifications, let newSections,
      let oldSections):
      .update(
        sections.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications, sectionsToInsert: newSections, sectionsToDelete: oldSections)
    }
  }
}

extension ObjectChange where T: ThreadConfined {
  /// The same change with a frozen object, in its current state. The old and new objects of changed
  /// links are frozen, too.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    guard case .change(let object, let properties) = self else { return self }
    return .change(
      object.frozenIfThere(fileID, line),
      properties.map { property in
        PropertyChange(
          name: property.name, oldValue: frozenValue(property.oldValue, fileID, line),
          newValue: frozenValue(property.newValue, fileID, line))
      })
  }
}

extension ThreadConfined {
  /// The frozen value, or itself if it was deleted: a change may also report a deletion.
  fileprivate func frozenIfThere(_ fileID: String, _ line: UInt) -> Self {
    isInvalidated ? self : freeze(fileID: fileID, line: line)
  }
}

/// The value of a property. Managed objects and collections are frozen.
private func frozenValue(_ value: Any?, _ fileID: String, _ line: UInt) -> Any? {
  func frozen(_ thing: some ThreadConfined) -> Any {
    thing._confined() == nil ? thing : thing.frozenIfThere(fileID, line)
  }
  return (value as? any ThreadConfined).map { frozen($0) } ?? value
}
