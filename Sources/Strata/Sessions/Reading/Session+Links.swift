import StrataStorage

extension Session {
  /// The row of an object to link to. Adds the object if it is unmanaged.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an object of another realm or another class, and
  ///   for an embedded one that is part of an object already.
  func rowForLink(
    to object: ObjectBase, _ property: Property, of className: String
  ) throws(RealmError) -> Int64 {
    guard let transaction else { throw RealmError(.fail, ErrorText.outsideWrite) }
    // Swift accepts an object of a subclass, but its row is in another table.
    if property.type == .object,
      self.className(of: Swift.type(of: object)) != property.objectClassName
    {
      throw .invalidValue(object, for: property, of: className)
    }
    if object is EmbeddedObject, object.managedContext != nil, isOfFile(object),
      !object.isInvalidated
    {
      throw RealmError(.fail, ErrorText.managedEmbedded)
    }
    return try DraftWriter.add(object, .error, self, transaction)
  }

  /// The stored form of an object in a property of type `AnyRealmValue`. Adds the object if it is
  /// unmanaged.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an object of another realm.
  func element(
    linkingTo object: ObjectBase, _ property: Property, of className: String
  ) throws(RealmError) -> _StoredElement {
    let row = try rowForLink(to: object, property, of: className)
    return _StoredElement(
      .integer(row),
      type: _StoredElement.typeName(
        ofLinkTo: self.className(of: Swift.type(of: object))))
  }

  func changeLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    let acting = acting
    guard acting === self else { return acting.changeLink(slot, of: owner, to: target) }
    guard let transaction, let table = table(Swift.type(of: owner)) else { return }
    let property = table.info.properties[slot]
    if let target, target.managedContext != nil, isOfFile(target), property.type == .object,
      owner.linkRow(slot)?.row == target._rowID, !target.isInvalidated
    {
      return
    }
    _ = noting { () throws(RealmError) in
      let row = try target.map { target throws(RealmError) in
        try rowForLink(to: target, property, of: table.info.className)
      }
      let className = target.map { self.className(of: Swift.type(of: $0)) }
      let child = owner.linkRow(slot) == nil ? nil : embeddedTable(of: property)
      if child != nil {
        // A trigger deletes the replaced object, which must be in the file and linked for that.
        try transaction.flushAll()
      }
      // Reading the target's row may have flushed pending changes, and this owner without its new
      // link.
      if !owner._dirty.contains(slot) {
        guard willWrite(owner, slot: slot) else { return }
      }
      owner.setLinkRow(slot, className: property.type == .object ? nil : className, row)
      if let child {
        try transaction.flush(table)
        transaction.recordDeletion(in: child)
      }
    }
  }

  func embeddedTable(of property: Property) -> Table? {
    guard let name = property.objectClassName, let table = store.table(className: name) else {
      return nil
    }
    return table.info.isEmbedded ? table : nil
  }
}
