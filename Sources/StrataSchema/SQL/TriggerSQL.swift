/// The required definition of a trigger in the file.
package struct Trigger: Sendable, Hashable {
  package let name: String
  /// The statement that creates the trigger, as stored in `sqlite_schema`.
  package let sql: String

  init(_ name: String, _ event: String, on table: String, when: String?, _ statements: [String]) {
    self.name = name
    let condition = when.map { " WHEN \($0)" } ?? ""
    sql = """
      CREATE TRIGGER \(SQLName.quote(name)) AFTER \(event) ON \(SQLName.quote(table))\(condition) BEGIN
      \(statements.map { "  \($0);" }.joined(separator: "\n"))
      END
      """
  }
}

/// The triggers that maintain links, collections and embedded objects.
///
/// Foreign keys do a part of this, but they are off in the `sqlite3` tool, and during a migration.
/// They can neither check an `AnyRealmValue` nor delete the child of a deleted row.
package enum TriggerSQL {
  /// The prefix of the names of all triggers of this library.
  package static let prefix = "strata_"

  /// Returns all triggers of a schema: for each class, its own triggers and then the triggers of
  /// its collections.
  package static func all(of schema: Schema) -> [Trigger] {
    let planner = TriggerPlanner(schema)
    return planner.schema.objectSchema.flatMap(planner.triggers)
  }
}

private struct TriggerPlanner {
  let schema: Schema
  let references: SchemaReferences

  init(_ schema: Schema) {
    self.schema = schema.stored
    references = SchemaReferences(self.schema)
  }

  func triggers(of schema: ObjectSchema) -> [Trigger] {
    var triggers: [Trigger] = []
    let statements = statements(deleting: schema)
    if !statements.isEmpty {
      triggers.append(
        Trigger(
          "\(TriggerSQL.prefix)delete_\(schema.className)", "DELETE", on: schema.className,
          when: nil, statements))
    }
    for child in references.children(of: schema) {
      if let collection = CollectionTable(className: schema.className, property: child) {
        triggers += self.triggers(of: collection)
      } else {
        triggers.append(replacing(child.columnName, of: schema.className, child))
      }
    }
    return triggers
  }

  /// Returns statements that delete the dependent rows of a deleted object, and set links to it to
  /// nil.
  private func statements(deleting schema: ObjectSchema) -> [String] {
    let identity = "OLD.\(SQLName.quote(schema.identityColumn))"
    var statements = references.links(to: schema.className).map { removingLink($0, identity) }
    if !schema.isEmbedded {
      statements += references.anyValues.map { removingLink($0, identity, schema.className) }
    }
    for table in schema.collectionTables {
      statements.append(delete(from: table.name, where: CollectionTable.owner, is: identity))
    }
    for child in references.children(of: schema) where child.isStoredInColumn {
      statements.append(deleteChild(child, SQLName.quote(child.columnName)))
    }
    return statements
  }

  private func removingLink(_ link: Reference, _ identity: String) -> String {
    if let table = link.collection, !table.isNullable {
      return delete(from: table.name, where: link.column, is: identity)
    }
    let column = SQLName.quote(link.column)
    return "UPDATE \(SQLName.quote(link.table)) SET \(column) = NULL WHERE \(column) = \(identity)"
  }

  /// Returns the statement that removes a link in an `AnyRealmValue`. The `+` removes the affinity
  /// of the identity: a column of type `ANY` has no affinity, and without the `+` SQLite would not
  /// use the index.
  private func removingLink(_ value: Reference, _ identity: String, _ className: String) -> String {
    let table = SQLName.quote(value.table)
    let quoted = SQLName.quote(value.column)
    let condition =
      "\(quoted) = +\(identity) AND \(AnyValueSQL.isLink(value.typeColumn, to: className))"
    if value.collection?.kind == .set { return "DELETE FROM \(table) WHERE \(condition)" }
    return "UPDATE \(table) SET \(quoted) = NULL, \(SQLName.quote(value.typeColumn)) = NULL "
      + "WHERE \(condition)"
  }

  private func triggers(of table: CollectionTable) -> [Trigger] {
    let value = SQLName.quote(CollectionTable.value)
    return [
      Trigger(
        "\(TriggerSQL.prefix)delete_\(table.name)", "DELETE", on: table.name,
        when: "OLD.\(value) IS NOT NULL", [deleteChild(table.property, value)]),
      replacing(CollectionTable.value, of: table.name, table.property),
    ]
  }

  /// Returns the trigger that deletes a replaced child, which has no parent any more.
  ///
  /// The name has a dot, like the name of an index, so that no two columns share a trigger.
  private func replacing(_ column: String, of table: String, _ child: Property) -> Trigger {
    let quoted = SQLName.quote(column)
    return Trigger(
      "\(TriggerSQL.prefix)replace_\(table).\(column)", "UPDATE OF \(quoted)", on: table,
      when: "OLD.\(quoted) IS NOT NULL AND OLD.\(quoted) IS NOT NEW.\(quoted)",
      [deleteChild(child, quoted)])
  }

  private func deleteChild(_ property: Property, _ column: String) -> String {
    let target = property.objectClassName ?? ""
    return delete(
      from: target, where: schema[target]?.identityColumn ?? "_id", is: "OLD.\(column)")
  }

  private func delete(from table: String, where column: String, is value: String) -> String {
    "DELETE FROM \(SQLName.quote(table)) WHERE \(SQLName.quote(column)) = \(value)"
  }
}
