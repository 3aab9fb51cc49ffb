import GRDB
import StrataSchema

/// A reader of one complete value: the bytes of data or text, in a property or an element.
struct DataReader {
  let schema: StudioSchema
  let db: Database

  /// - Parameter position: The index of an element, in the order in which its collection is read;
  ///   nil for a property that is no collection.
  /// - Throws: ``RequestFailure`` with status 404 if the object or element doesn't exist, and if
  ///   the property has no bytes.
  func bytes(
    of name: String, _ link: ObjectLink, at position: Int64? = nil
  ) throws -> (bytes: [UInt8], isText: Bool) {
    let table = try schema.objectSchema(link.className)
    let property = try schema.property(name, of: link.className)
    let elements = CollectionTable(className: link.className, property: property)
    guard (elements == nil) == (position == nil), [.data, .string, .any].contains(property.type)
    else {
      throw RequestFailure.gone(
        "'\(PlainText.of(link.className)).\(PlainText.of(name))' has no bytes. Load the page again."
      )
    }
    let column = SQLName.quote(property.columnName)
    let identity = SQLName.quote(table.identityColumn)
    var sql = "SELECT \(column) FROM \(SQLName.quote(link.className)) WHERE \(identity) = ?"
    if let elements {
      sql = """
        SELECT value FROM \(SQLName.quote(elements.name)) WHERE owner = ? \
        ORDER BY \(elements.slot ?? CollectionTable.value) LIMIT 1 OFFSET ?
        """
    }
    var found: StoredValue?
    let parameters = [link.identity, position].compactMap { $0.map { StoredValue.integer($0) } }
    try db.forEachRow(sql, parameters) { row in
      found = row[0]
    }
    return switch found {
    case nil: throw RequestFailure.goneObject(link.className, link.identity)
    case .blob(let bytes): (bytes, false)
    case .text(let text): (Array(text.utf8), true)
    case .integer(let number): (Array("\(number)".utf8), true)
    case .real(let number): (Array("\(number)".utf8), true)
    case .null: ([], property.type != .data)
    }
  }
}
