import GRDB
import StrataSchema

/// A reader of one value in full: the bytes of data, or of a text.
struct DataReader {
  private let schema: StudioSchema
  private let db: Database

  init(_ schema: StudioSchema, _ db: Database) {
    self.schema = schema
    self.db = db
  }

  /// - Throws: ``RequestFailure`` with status 404 for an object that isn't there, and for a
  ///   property without bytes.
  func bytes(of name: String, _ link: ObjectLink) throws -> (bytes: [UInt8], isText: Bool) {
    let table = try schema.objectSchema(link.className)
    let property = try schema.property(name, of: link.className)
    guard property.collection == nil, [.data, .string, .any].contains(property.type) else {
      throw RequestFailure.gone(
        "'\(PlainText.of(link.className)).\(PlainText.of(name))' has no bytes. Load the page again."
      )
    }
    var found: StoredValue?
    try db.forEachRow(
      """
      SELECT \(SQLName.quote(property.columnName)) FROM \(SQLName.quote(link.className)) \
      WHERE \(SQLName.quote(table.identityColumn)) = ?
      """, [.integer(link.identity)]
    ) { row in
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
