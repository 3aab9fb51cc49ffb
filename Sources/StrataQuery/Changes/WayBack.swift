package import StrataSchema

/// One step from objects back to those from which they are reached, and its SQL.
package struct WayBack: Sendable {
  /// The objects that are known, as a position in ``ObservedRegion/sources``.
  package let from: Int
  /// The objects that are asked for, likewise. They are nearer to the observed class.
  package let to: Int
  /// The property that leads from the one class to the other.
  package let reference: Reference
  /// The class of the known objects.
  package let className: String
  /// Whether the known objects are those that have the property, as for linking objects.
  ///
  /// Then the state before has to be asked as well: a link that was there has left no trace in the
  /// state after.
  package let isForward: Bool

  /// Whether the state before the changes has to be asked, too.
  package var readsOldState: Bool { isForward }

  /// The query for the identities of the objects that are asked for, some of them several times.
  ///
  /// SQLite answers it by an index, which every link and every collection of objects has.
  ///
  /// - Parameter count: How many identities of known objects are bound.
  package func sql(count: Int) -> String {
    let parameters = repeatElement("?", count: count).joined(separator: ", ")
    let table = SQLName.quote(reference.table)
    let owner = SQLName.quote(reference.owner)
    let column = SQLName.quote(reference.column)
    if isForward {
      return "SELECT \(column) FROM \(table) WHERE \(owner) IN (\(parameters)) "
        + "AND \(column) IS NOT NULL"
    }
    let query = "SELECT \(owner) FROM \(table) WHERE \(column) IN (\(parameters))"
    guard reference.property.type == .any else { return query }
    return "\(query) AND \(AnyValueSQL.isLink(reference.typeColumn, to: className))"
  }
}
