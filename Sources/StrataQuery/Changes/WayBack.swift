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
  /// - Parameter known: The known objects, which are bound.
  package func sql(_ known: BoundIdentities) -> String {
    let table = SQLName.quote(reference.table)
    let owner = SQLName.quote(reference.owner)
    let column = SQLName.quote(reference.column)
    if isForward {
      return "SELECT \(column) FROM \(table) WHERE \(owner) \(known.condition(at: 1)) "
        + "AND \(column) IS NOT NULL"
    }
    let query = "SELECT \(owner) FROM \(table) WHERE \(column) \(known.condition(at: 1))"
    guard reference.property.type == .any else { return query }
    return "\(query) AND \(AnyValueSQL.isLink(reference.typeColumn, to: className))"
  }
}
