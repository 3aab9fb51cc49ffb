/// A property whose values are lost from one schema to the next, unless a closure carries them
/// over.
package struct PossibleLoss: Sendable, Hashable {
  package var className: String
  /// The property before.
  package var property: Property
  /// The property after, for one whose type changes; nil for one that goes.
  package var replacement: Property?

  /// Describes the values of a property; without a replacement the property goes.
  package init(className: String, property: Property, replacement: Property? = nil) {
    self.className = className
    self.property = property
    self.replacement = replacement
  }

  /// `Person.age`.
  package var name: String { "\(className).\(property.columnName)" }

  /// All of them, in the order of the differences.
  ///
  /// Classes that only the file has keep their tables, so nothing of theirs goes. A property that
  /// becomes required has a default where it was nil, and keeps the rest.
  package static func all(from old: Schema, to new: Schema) -> [PossibleLoss] {
    SchemaDiff.changes(from: old, to: new.stored).compactMap { change in
      switch change {
      case .removeProperty(let className, let property):
        PossibleLoss(className: className, property: property, replacement: nil)
      case .changeType(let className, let before, let after):
        PossibleLoss(className: className, property: before, replacement: after)
      default: nil
      }
    }
  }

  /// Counts the rows that have a value.
  package var countSQL: String { countSQL(in: className) }

  /// The same in a file that calls the class otherwise.
  package func countSQL(in className: String) -> String {
    if let table = CollectionTable(className: className, property: property) {
      return "SELECT count(DISTINCT \"\(CollectionTable.owner)\") FROM \(SQLName.quote(table.name))"
    }
    return "SELECT count(\(SQLName.quote(property.columnName))) FROM \(SQLName.quote(className))"
  }
}
