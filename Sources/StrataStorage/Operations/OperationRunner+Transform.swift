import GRDB
package import StrataSchema

/// A property, with the expression for its new value.
package struct TransformedColumn {
  package var property: Property
  package var value: TransformCompiler.Result

  package init(property: Property, value: TransformCompiler.Result) {
    self.property = property
    self.value = value
  }
}

extension OperationRunner {
  /// The number of values that an error names, and of rows for each.
  private static let named = 10

  /// Runs operations that compute columns of a table.
  ///
  /// - Parameter schema: The class before the operations.
  /// - Throws: ``RealmError`` with code `fail` for a value that can't be computed, or that is nil
  ///   in a required property.
  package func run(
    _ operations: [TableOperation], computing columns: [TransformedColumn], of schema: ObjectSchema
  ) throws {
    let functions = ExpressionFunctions()
    let needsFunctions = columns.contains(where: \.value.needsFunctions)
    if needsFunctions { functions.add(to: db) }
    defer { if needsFunctions { functions.remove(from: db) } }
    do {
      try run(operations)
    } catch let error as RealmError {
      if functions.takeFailure() != nil { try explain(functions, columns, schema) }
      if let cause = error.underlyingError as? DatabaseError,
        cause.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL
      {
        try explainNulls(columns, schema)
      }
      throw error
    }
  }

  /// Computes the columns one by one, to find the one that fails.
  private func explain(
    _ functions: ExpressionFunctions, _ columns: [TransformedColumn], _ schema: ObjectSchema
  ) throws {
    for column in columns {
      do {
        _ = try Int.fetchOne(
          db, sql: "SELECT count(\(column.value.sql)) FROM \(SQLName.quote(schema.className))")
      } catch {
        guard let failure = functions.takeFailure() else { throw error }
        throw RealmError(
          .fail,
          "Cannot transform '\(schema.className).\(column.property.name)': \(failure.text). Say what "
            + "it is in such a case with '.when', or use 'enumerateObjects'.",
          underlyingError: error)
      }
    }
  }

  private func explainNulls(_ columns: [TransformedColumn], _ schema: ObjectSchema) throws {
    let table = SQLName.quote(schema.className)
    for column in columns where !column.property.isNullable {
      let condition = "FROM \(table) WHERE (\(column.value.sql)) IS NULL"
      let count = try Int.fetchOne(db, sql: "SELECT count(*) \(condition)") ?? 0
      guard count > 0 else { continue }
      // A column with the future name of the identity may exist already.
      let identity = try identityColumn(of: schema.className)
      let rows = try Int64.fetchAll(
        db,
        sql: "SELECT \(SQLName.quote(identity)) \(condition) ORDER BY 1 LIMIT \(Self.named)")
      let names = rows.map(String.init).joined(separator: ", ")
      throw RealmError(
        .fail,
        "Cannot transform '\(schema.className).\(column.property.name)': it is required, and becomes "
          + "nil for \(count) \(count == 1 ? "object" : "objects") (\(identity) \(names)"
          + "\(count > rows.count ? ", …" : "")). Say what it is then with '??', or make the property "
          + "optional.")
    }
  }

  /// Sets columns of all rows, or of the rows for which an SQL condition is true.
  package func setColumns(
    _ columns: [TableRebuild.Column], of table: String, where condition: String?
  ) throws {
    try db.execute(sql: TableSQL.setColumns(table, columns, where: condition))
    recordRows(db.changesCount)
    recordTransformed(table, db.changesCount)
  }
}
