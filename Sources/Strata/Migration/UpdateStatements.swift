import GRDB

/// The prepared updates of a migration, by what they set.
///
/// A closure sets the same properties for most rows, so the statement that ran last is most often
/// the next as well, and is found without hashing.
final class UpdateStatements {
  private struct Key: Hashable {
    var table: ObjectIdentifier
    var slots: [Int]
  }

  private let db: Database
  private var statements: [Key: Statement] = [:]
  @exclusivity(unchecked) private var last: (key: Key, statement: Statement)?

  init(_ db: Database) {
    self.db = db
  }

  /// An update of some properties, with the identity as its last parameter.
  func statement(_ table: MigrationTable, _ slots: [Int]) throws -> Statement {
    let key = Key(table: ObjectIdentifier(table), slots: slots)
    if let last, last.key == key { return last.statement }
    let statement = try statements[key] ?? prepare(table, slots)
    statements[key] = statement
    last = (key, statement)
    return statement
  }

  private func prepare(_ table: MigrationTable, _ slots: [Int]) throws -> Statement {
    let assignments = slots.flatMap { table.columns[$0] }.map { "\($0) = ?" }
      .joined(separator: ", ")
    return try db.makeStatement(
      sql: "UPDATE \(table.name) SET \(assignments) WHERE \(table.identity) = ?")
  }

  func removeAll() {
    statements = [:]
    last = nil
  }
}
