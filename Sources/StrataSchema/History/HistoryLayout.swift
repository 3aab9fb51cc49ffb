/// The classes of a file as a history names them: where the changes of each table belong.
///
/// A property is a bit, by its position in the class; all from the 64th on share the last bit.
package struct HistoryLayout: Sendable {
  /// The place to which changes of a table belong.
  package enum Home: Sendable, Hashable {
    /// The position of the class in ``classes``.
    case objects(Int)
    /// The class that has the collection, and the bit of the property.
    case elements(Int, UInt64)
  }

  /// The classes of the file, in its names.
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
      for (index, property) in object.properties.enumerated() {
        guard let table = CollectionTable(className: object.className, property: property) else {
          continue
        }
        homes[table.name] = .elements(position, Self.bit(index))
      }
    }
    self.homes = homes
    self.positions = positions
    references = SchemaReferences(stored)
  }

  static func bit(_ index: Int) -> UInt64 { 1 << UInt64(min(index, 63)) }

  /// Where the changes of a table belong; nil for a table of another program.
  package func home(of table: String) -> Home? { homes[table] }

  /// The position of a class in ``classes``.
  package func position(of className: String) -> Int? { positions[className] }

  /// The bits that a change of each column of a table sets, in the order of the columns.
  package func bits(ofColumns columns: [String], in position: Int) -> [UInt64] {
    var bits: [String: UInt64] = [:]
    for (index, property) in classes[position].properties.enumerated() {
      for column in property.columns { bits[SQLName.folded(column.name)] = Self.bit(index) }
    }
    return columns.map { bits[SQLName.folded($0)] ?? 0 }
  }

  /// The bits of properties, by their columns.
  package func bits(ofProperties columns: some Sequence<String>, in position: Int) -> UInt64 {
    let wanted = Set(columns)
    var bits: UInt64 = 0
    for (index, property) in classes[position].properties.enumerated()
    where wanted.contains(property.columnName) {
      bits |= Self.bit(index)
    }
    return bits
  }

  /// The properties that bits stand for, by their columns, in the order of the class.
  package func properties(_ bits: UInt64, in position: Int) -> [String] {
    classes[position].properties.enumerated().compactMap { index, property in
      bits & Self.bit(index) == 0 ? nil : property.columnName
    }
  }

  /// The properties that can hold an embedded object of a class, each with the position of its
  /// class and its bit.
  package func holders(
    of position: Int
  ) -> [(reference: Reference, position: Int, property: UInt64)] {
    references.links(to: classes[position].className).compactMap { reference in
      guard let holder = positions[reference.origin.className] else { return nil }
      return (
        reference, holder,
        bits(ofProperties: CollectionOfOne(reference.property.columnName), in: holder)
      )
    }
  }
}

extension HistoryLayout {
  /// The groups of effects in one class, deletions last.
  ///
  /// - Parameter deletesAll: Whether all objects were deleted, of which the history keeps nothing:
  ///   only their number is told.
  package func groups(
    of changes: [NetChange], in position: Int, deletesAll: Bool = false
  ) -> [HistoryGroup] {
    let name = classes[position].className
    var inserted: [Int64] = []
    var deleted: [Int64] = []
    var updated: [(properties: UInt64, rows: [Int64])] = []
    var places: [UInt64: Int] = [:]
    for change in changes {
      switch change.kind {
      case .inserted: inserted.append(change.row)
      case .deleted: deleted.append(change.row)
      case .updated:
        if let last = updated.indices.last, updated[last].properties == change.properties {
          updated[last].rows.append(change.row)
        } else {
          // Most transactions do the same to all objects: only others need to find a place.
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
    for (bits, rows) in updated {
      let properties = properties(bits, in: position)
      // Of a class without such a property: a column of another program.
      guard !properties.isEmpty else { continue }
      groups.append(HistoryGroup(name, .updated(properties), HistoryGroup.runs(rows)))
    }
    if deletesAll, !deleted.isEmpty {
      groups.append(HistoryGroup(name, .deletedAll(count: deleted.count)))
    } else if !deleted.isEmpty {
      groups.append(HistoryGroup(name, .deleted, HistoryGroup.runs(deleted)))
    }
    return groups
  }
}
