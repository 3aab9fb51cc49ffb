import GRDB
import StrataQuery
import StrataSchema

/// The identities of objects in the order of the answer, in batches that one statement can read.
struct IdentityBatches {
  private let nextIdentity: () throws -> Int64?
  private var isAtEnd = false

  private static let size = 500

  /// The objects that a query finds.
  ///
  /// - Parameter limit: The maximum number of objects; nil for all.
  init(_ question: Question, _ schema: StudioSchema, _ db: Database, limit: Int?) throws {
    let table = try schema.objectSchema(question.className)
    let query = try question.compiled(schema)
    let sql = query.select("t.\(SQLName.quote(table.identityColumn))")
    let rows = try db.rows(sql + (limit.map { " LIMIT \($0)" } ?? ""), query.parameters)
    nextIdentity = { try rows.next()?.integer(0) }
  }

  init(_ identities: [Int64]) {
    var rest = identities.makeIterator()
    nextIdentity = { rest.next() }
  }

  /// Returns the next batch; nil at the end.
  mutating func next() throws -> [Int64]? {
    var batch: [Int64] = []
    while !isAtEnd, batch.count < Self.size {
      guard let identity = try nextIdentity() else {
        // Stepping a finished statement would run it again.
        isAtEnd = true
        break
      }
      batch.append(identity)
    }
    return batch.isEmpty ? nil : batch
  }
}
