/// The tables that hold the elements of collections.
package enum CollectionTable {
  /// The name of the table of one collection: `Person_dogs`.
  package static func name(className: String, property: Property) -> String {
    "\(className)_\(property.columnName)"
  }
}
