import GRDB
import StrataSchema

/// Counter of values that go because their property has another type in a schema.
struct RestartedValues {
  let db: Database
  let target: Schema

  /// The values that a rebuild leaves behind.
  func counts(in rebuild: TableRebuild) throws -> [MigrationReport.Restarted] {
    let columns = Set(
      try Catalog.columns(of: rebuild.table, db).map { SQLName.folded($0.name) })
    let given = rebuild.columns.filter { column in
      guard case .value = column.source else { return false }
      return columns.contains(SQLName.folded(column.property.columnName))
    }
    let kept = rebuild.columns.map(\.property.columnName)
    let left = (target[rebuild.table]?.properties ?? []).filter { property in
      columns.contains(SQLName.folded(property.columnName)) && !kept.contains(property.columnName)
    }
    return try given.flatMap { try count(rebuild.table, $0.property.columnName) }
      + left.flatMap { try counts(in: rebuild.table, $0.columnName) }
  }

  /// The values of a column that goes, if the property has become a collection.
  func counts(in table: String, _ column: String) throws -> [MigrationReport.Restarted] {
    guard target[table]?.property(column: column)?.collection != nil else { return [] }
    return try count(table, column)
  }

  /// The elements of a collection that goes, if the property has another type now.
  func counts(in table: CollectionTable) throws -> [MigrationReport.Restarted] {
    let column = table.property.columnName
    let target = target[table.className]?.property(column: column)
    guard let target, target.typeName != table.property.typeName else { return [] }
    return try count(
      property: "\(table.className).\(column)",
      sql: "SELECT count(*) FROM \(SQLName.quote(table.name))")
  }

  private func count(
    _ table: String, _ column: String
  ) throws -> [MigrationReport.Restarted] {
    try count(
      property: "\(table).\(column)",
      sql: "SELECT count(\(SQLName.quote(column))) FROM \(SQLName.quote(table))")
  }

  private func count(property: String, sql: String) throws -> [MigrationReport.Restarted] {
    guard let count = try Int.fetchOne(db, sql: sql), count > 0 else { return [] }
    return [MigrationReport.Restarted(property: property, values: count)]
  }
}
