package import GRDB
package import StrataSchema

/// The finder of the owners of embedded objects. A change of an embedded object is recorded as a
/// change of its owner.
package struct EmbeddedOwners {
  private let layout: HistoryLayout
  private let db: Database
  private var holders: [Int: [Holder]] = [:]

  /// An object with an embedded object in a property.
  package struct Owner: Hashable {
    /// The position of the class in the layout.
    package var position: Int
    package var row: Int64
    package var property: PropertySet
  }

  private struct Holder {
    var position: Int
    var property: PropertySet
    var sql: String
  }

  package init(_ layout: HistoryLayout, _ db: Database) {
    self.layout = layout
    self.db = db
  }

  /// Returns the outermost owner of an embedded object, which isn't embedded itself; nil if
  /// missing.
  package mutating func owner(of row: Int64, in position: Int) throws -> Owner? {
    var owner = Owner(position: position, row: row, property: PropertySet())
    var visited: Set<Owner> = []
    while layout.classes[owner.position].isEmbedded {
      // In a file that other programs have changed, objects may contain each other.
      guard visited.insert(owner).inserted,
        let next = try holder(of: owner.row, in: owner.position)
      else { return nil }
      owner = next
    }
    return owner
  }

  private mutating func holder(of row: Int64, in position: Int) throws -> Owner? {
    for holder in holders(of: position) {
      let statement = try db.cachedStatement(sql: holder.sql)
      statement.bindRaw(row, at: 1)
      guard try statement.stepRaw() else { continue }
      defer { statement.resetRaw() }
      return Owner(
        position: holder.position, row: statement.int64(0), property: holder.property)
    }
    return nil
  }

  private mutating func holders(of position: Int) -> [Holder] {
    if let known = holders[position] { return known }
    let found = layout.holders(of: position).map { reference, position, property in
      Holder(
        position: position, property: property,
        sql: "SELECT \(SQLName.quote(reference.owner)) FROM \(SQLName.quote(reference.table)) "
          + "WHERE \(SQLName.quote(reference.column)) = ? LIMIT 1")
    }
    holders[position] = found
    return found
  }
}
