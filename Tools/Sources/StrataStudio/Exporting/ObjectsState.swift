import GRDB
import StrataSchema

/// The state of some objects, with all that is in them, as a short text: for noticing that another
/// program has changed one of them between two requests.
struct ObjectsState: Sendable {
  let className: String
  let identities: [Int64]

  /// Means something in this process only.
  ///
  /// - Throws: ``RequestFailure`` with status 404 for an object that isn't there.
  func text(_ schema: StudioSchema, _ db: Database) throws -> String {
    let reader = try ExportReader(className, nil, schema, db)
    let cursor = try reader.cursor(Question(className), identities: identities)
    var hasher = Hasher()
    var rest = identities[...]
    while let object = try cursor.next() {
      guard rest.popFirst() == object.identity else { break }
      hasher.combine(object.identity)
      hasher.combine(bytes: object.text(of: .list(object.values)))
    }
    guard try cursor.next() == nil, rest.isEmpty else {
      let present = try identities.first { try !exists($0, schema, db) }
      throw RequestFailure.goneObject(className, present ?? identities.first ?? 0)
    }
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }

  private func exists(_ identity: Int64, _ schema: StudioSchema, _ db: Database) throws -> Bool {
    let table = try schema.objectSchema(className)
    return try db.kept(
      """
      SELECT 1 FROM \(SQLName.quote(className)) WHERE \(SQLName.quote(table.identityColumn)) = ?
      """, [.integer(identity)]) != nil
  }
}

extension Hasher {
  /// Texts are the same by their bytes.
  fileprivate mutating func combine(bytes text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
