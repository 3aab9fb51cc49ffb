import StrataSchema
import StrataStorage

extension Reference {
  /// The rest of a condition on ``column``: nothing, or which class an `AnyRealmValue` links to.
  ///
  /// - Parameter row: The name of the row with a point behind it, if it has one.
  func classCondition(_ className: String, row: String = "") -> (sql: String, [StoredValue]) {
    guard property.type == .any else { return ("", []) }
    let type = row + SQLName.quote(typeColumn)
    // The first part is the condition of the index of links in values.
    return (
      " AND \(type) < 'a' AND \(type) = ?",
      [.text(_StoredElement.typeName(ofLinkTo: className))]
    )
  }
}
