public import GRDB
package import StrataQuery
import StrataSchema

/// A reader of the rows of a table in the order of their identities.
///
/// The reader begins with all columns, and continues with the columns that the closure has read: a
/// closure that reads two properties of twenty should not pay for decoding the others.
@usableFromInline
package final class RowReader {
  private let db: Database
  private let query: QuerySQL
  private let identity: String
  private let columns: [[String]]
  @exclusivity(unchecked) @usableFromInline var statement: Statement
  /// The SQLite statement, whose current row this is.
  @exclusivity(unchecked) @usableFromInline package internal(set) var pointer: OpaquePointer
  @exclusivity(unchecked) @usableFromInline package internal(set) var row: Int64 = 0
  /// The first column of each slot in a row; 0 for slots that are left out.
  @usableFromInline let positions: UnsafeMutablePointer<Int32>
  @usableFromInline let wasRead: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) @usableFromInline var rowsUntilReview = RowReader.firstReview

  private static let firstReview = 64
  private static let review = 1_024

  /// - Parameters:
  ///   - query: The rows, in the order of their identities. Their table's name in the query is `t`.
  ///   - identity: The name of the identity, quoted.
  ///   - columns: The columns of each slot, quoted.
  package init(_ db: Database, _ query: QuerySQL, identity: String, columns: [[String]]) throws {
    self.db = db
    self.query = query
    self.identity = "t.\(identity)"
    self.columns = columns.map { names in names.map { "t.\($0)" } }
    positions = .allocate(capacity: columns.count)
    positions.initialize(repeating: 0, count: columns.count)
    wasRead = .allocate(capacity: columns.count)
    wasRead.initialize(repeating: true, count: columns.count)
    let all = ([self.identity] + self.columns.joined()).joined(separator: ", ")
    statement = try db.makeStatement(sql: query.select(all))
    try statement.bindRaw(query.parameters)
    pointer = statement.sqliteStatement
    setPositions()
    wasRead.update(repeating: false, count: columns.count)
  }

  deinit {
    statement.resetRaw()
    positions.deallocate()
    wasRead.deallocate()
  }

  /// Moves to the next row. Returns false at the end.
  @inlinable @inline(__always)
  package func next() throws -> Bool {
    if rowsUntilReview == 0 { try reviewColumns() }
    rowsUntilReview -= 1
    guard try statement.stepRaw() else { return false }
    row = statement.int64(0)
    return true
  }

  /// Returns the first column of a slot; nil if it was left out, which ends with this call.
  @inlinable @inline(__always)
  package func position(_ slot: Int) -> Int32? {
    wasRead[slot] = true
    let position = positions[slot]
    return position == 0 ? nil : position
  }

  package func hasRead(_ slot: Int) -> Bool { wasRead[slot] }

  @usableFromInline
  func reviewColumns() throws {
    rowsUntilReview = Self.review
    let isRight = columns.indices.allSatisfy { wasRead[$0] == (positions[$0] != 0) }
    guard !isRight else { return }
    let read = columns.indices.filter { wasRead[$0] }.flatMap { columns[$0] }
    statement.resetRaw()
    statement = try db.makeStatement(
      sql: query.select(
        ([identity] + read).joined(separator: ", "),
        where: "\(identity) > ?\(query.parameters.count + 1)"))
    try statement.bindRaw(query.parameters + [.integer(row)])
    pointer = statement.sqliteStatement
    setPositions()
  }

  private func setPositions() {
    var next: Int32 = 1
    for slot in columns.indices {
      positions[slot] = wasRead[slot] ? next : 0
      if wasRead[slot] { next += Int32(columns[slot].count) }
    }
  }
}
