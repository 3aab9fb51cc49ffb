extension RealmCollectionChange where Collection: ThreadConfined {
  /// The same change with its collection as it is now, for good.
  ///
  /// For code that waits while it works on a change: an `await` lets other code of the same actor
  /// write and move the realm, and the positions of the change don't fit the collection any more.
  /// Those of this one always do.
  ///
  /// ```swift
  /// for try await change in members.changes() {
  ///   let change = change.frozen()
  ///   if case .update(let members, _, let insertions, _) = change {
  ///     for index in insertions { await greet(members[index].name) }
  ///   }
  /// }
  /// ```
  /// Call it before the first `await`. See ``ThreadConfined/freeze(fileID:line:)`` for what it
  /// costs to keep it. A collection whose object was deleted stays as it is: it is empty.
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
  /// The same change with its map as it is now, for good.
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
  /// The same change with its sections as they are now, for good.
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
  /// The same change with its object as it is now, for good; also the objects, old and new, of
  /// links that changed.
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
  /// Itself where it was deleted: a change tells of that too.
  fileprivate func frozenIfThere(_ fileID: String, _ line: UInt) -> Self {
    isInvalidated ? self : freeze(fileID: fileID, line: line)
  }
}

/// The value of a property, where it is an object or a collection of a realm a frozen one.
private func frozenValue(_ value: Any?, _ fileID: String, _ line: UInt) -> Any? {
  func frozen(_ thing: some ThreadConfined) -> Any {
    thing._confined() == nil ? thing : thing.frozenIfThere(fileID, line)
  }
  return (value as? any ThreadConfined).map { frozen($0) } ?? value
}
