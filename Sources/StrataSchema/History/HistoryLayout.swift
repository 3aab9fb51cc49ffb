/// The classes of a file for a history, and the class to which the changes of each table belong.
package struct HistoryLayout: Sendable {
  /// The class or the collection to which the changes of a table belong.
  package enum Home: Sendable, Hashable {
    /// The position of the class in ``classes``.
    case objects(Int)
    /// The class with the collection, and the property.
    case elements(Int, _PropertySlot)
  }

  /// The classes of the file, with its names.
  package let classes: [ObjectSchema]
  private let homes: [String: Home]
  private let positions: [String: Int]
  private let references: SchemaReferences

  package init(_ schema: Schema) {
    let stored = schema.stored
    classes = stored.objectSchema
    var homes: [String: Home] = [:]
    var positions: [String: Int] = [:]
    for (position, object) in classes.enumerated() {
      positions[object.className] = position
      homes[object.className] = .objects(position)
      let properties = SlotArray(object.properties)
      for slot in properties.indices {
        let table = CollectionTable(className: object.className, property: properties[slot])
        if let table { homes[table.name] = .elements(position, slot) }
      }
    }
    self.homes = homes
    self.positions = positions
    references = SchemaReferences(stored)
  }

  /// Returns the class or collection of a table; nil for a table of another program.
  package func home(of table: String) -> Home? { homes[table] }

  package func position(of className: String) -> Int? { positions[className] }

  /// Returns the property of each column of a table, in the order of the columns.
  package func properties(ofColumns columns: [String], in position: Int) -> [_PropertySlot?] {
    var slots: [String: _PropertySlot] = [:]
    let properties = SlotArray(classes[position].properties)
    for slot in properties.indices {
      for column in properties[slot].columns { slots[SQLName.folded(column.name)] = slot }
    }
    return columns.map { slots[SQLName.folded($0)] }
  }

  /// Returns the properties with some column names.
  package func properties(
    named columns: some Sequence<String>, in position: Int
  ) -> PropertySet {
    let wanted = Set(columns)
    let properties = SlotArray(classes[position].properties)
    return PropertySet(properties.indices.filter { wanted.contains(properties[$0].columnName) })
  }

  /// Returns the column names of properties, in the order of the class.
  package func columns(of properties: PropertySet, in position: Int) -> [String] {
    let all = SlotArray(classes[position].properties)
    return all.indices.filter(properties.contains).map { all[$0].columnName }
  }

  /// Returns the properties that can contain an embedded object of a class, each with the position
  /// of its class.
  package func holders(
    of position: Int
  ) -> [(reference: Reference, position: Int, property: PropertySet)] {
    references.links(to: classes[position].className).compactMap { reference in
      guard let holder = positions[reference.origin.className] else { return nil }
      return (
        reference, holder,
        properties(named: CollectionOfOne(reference.property.columnName), in: holder)
      )
    }
  }
}

extension HistoryLayout {
  /// Returns the groups of effects in one class, deletions last.
  ///
  /// - Parameter deletesAll: Whether all objects were deleted at once. The history keeps only their
  ///   number then.
  package func groups(
    of changes: [NetChange], in position: Int, deletesAll: Bool = false
  ) -> [HistoryGroup] {
    let name = classes[position].className
    var inserted: [Int64] = []
    var deleted: [Int64] = []
    var updated: [(properties: PropertySet, rows: [Int64])] = []
    var places: [PropertySet: Int] = [:]
    for change in changes {
      switch change.kind {
      case .inserted: inserted.append(change.row)
      case .deleted: deleted.append(change.row)
      case .updated:
        if let last = updated.indices.last, updated[last].properties == change.properties {
          updated[last].rows.append(change.row)
        } else {
          // Most transactions change the same properties of all objects; only other ones need a
          // lookup.
          if places.isEmpty, let only = updated.first { places[only.properties] = 0 }
          if let place = places[change.properties] {
            updated[place].rows.append(change.row)
          } else {
            if !updated.isEmpty { places[change.properties] = updated.count }
            updated.append((change.properties, [change.row]))
          }
        }
      }
    }
    var groups: [HistoryGroup] = []
    if !inserted.isEmpty {
      groups.append(HistoryGroup(name, .inserted, HistoryGroup.runs(inserted)))
    }
    for (properties, rows) in updated {
      let columns = columns(of: properties, in: position)
      // The property is no longer in the class: it is a column of another program.
      guard !columns.isEmpty else { continue }
      groups.append(HistoryGroup(name, .updated(columns), HistoryGroup.runs(rows)))
    }
    if deletesAll, !deleted.isEmpty {
      groups.append(HistoryGroup(name, .deletedAll(count: deleted.count)))
    } else if !deleted.isEmpty {
      groups.append(HistoryGroup(name, .deleted, HistoryGroup.runs(deleted)))
    }
    return groups
  }
}
