import GRDB
import StrataSchema

/// The state of some objects and their contents as a short text. It reveals that another program
/// has changed an object between two requests.
struct ObjectsState: Sendable {
  let className: String
  let identities: [Int64]

  /// The hash of the state. It is only valid in this process.
  ///
  /// - Throws: ``RequestFailure`` with status 404 if an object doesn't exist.
  func text(_ schema: StudioSchema, _ db: Database) throws -> String {
    let reader = try ExportReader(className, nil, schema, db)
    let cursor = try reader.cursor(Question(className), identities: identities)
    var hasher = Hasher()
    var rest = identities[...]
    while let object = try cursor.next() {
      guard rest.popFirst() == object.identity else { break }
      hasher.combine(object.identity)
      hasher.combine(StoredText(object.text(of: .list(object.values))))
    }
    guard try cursor.next() == nil, rest.isEmpty else {
      let table = try schema.objectSchema(className)
      let present = try identities.first { try !db.hasObject($0, in: table) }
      throw RequestFailure.goneObject(className, present ?? identities.first ?? 0)
    }
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }
}
