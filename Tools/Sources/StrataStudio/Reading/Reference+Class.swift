import StrataSchema
import StrataStorage

extension Reference {
  /// The condition on the class of an `AnyRealmValue`'s link, to append to a condition on
  /// ``column``; empty for other types.
  ///
  /// - Parameter row: The table alias with a trailing point, or an empty text.
  func classCondition(_ className: String, row: String = "") -> (sql: String, [StoredValue]) {
    guard property.type == .any else { return ("", []) }
    let type = row + SQLName.quote(typeColumn)
    // The first part repeats the condition of the partial index of links in values.
    return (
      " AND \(type) < 'a' AND \(type) = ?",
      [.text(_StoredElement.typeName(ofLinkTo: className))]
    )
  }
}
