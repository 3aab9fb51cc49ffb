/// The statements that find the rows of a class with equal values, and redirect the links to one of
/// them.
///
/// Two temporary tables hold the results: the values that occur more than once, and the rows to
/// delete with their survivors.
package struct DuplicatesSQL: Sendable {
  private let schema: ObjectSchema
  private let property: Property
  private let survivor: SurvivorRule<Property>
  /// The name of the collation of decimals.
  private let decimals: String
  /// A statement for the identities of the rows to check; nil for all.
  private let among: String?
  private let keys: String
  private let rows: String

  /// Creates the statements for a class.
  ///
  /// - Parameters:
  ///   - property: The property whose values must be unique; nil counts as a value.
  ///   - identities: A statement for the identities of the rows to check; nil for all.
  ///   - decimals: The collation that orders decimals.
  ///   - number: A number that distinguishes the tables from others of the connection.
  package init(
    _ schema: ObjectSchema, _ property: Property, keeping survivor: SurvivorRule<Property>,
    among identities: String? = nil, decimals: String, number: Int
  ) {
    among = identities
    self.schema = schema
    self.property = property
    self.survivor = survivor
    self.decimals = decimals
    keys = "temp.strata_duplicate_keys_\(number)"
    rows = "temp.strata_duplicates_\(number)"
  }

  private var table: String { SQLName.quote(schema.className) }
  private var identity: String { SQLName.quote(schema.identityColumn) }
  private var column: String { SQLName.quote(property.columnName) }

  /// Returns the condition of the rows to check; nil for all.
  private func condition(_ identity: String) -> String? {
    among.map { "\(identity) IN (\($0))" }
  }

  // MARK: Finding

  /// Returns a query with one row for each value that occurs more than once: `value`, and its
  /// number `n`.
  ///
  /// - Parameters:
  ///   - value: The expression for the value.
  ///   - condition: The condition of the rows to check; nil for all.
  package static func groups(
    of value: String, in table: String, where condition: String? = nil
  ) -> String {
    groups(of: value, in: table, where: condition, selecting: "\(value) AS value, count(*) AS n")
  }

  private static func groups(
    of value: String, in table: String, where condition: String? = nil, selecting columns: String
  ) -> String {
    "SELECT \(columns) FROM \(table) \(condition.map { "WHERE \($0) " } ?? "")"
      + "GROUP BY \(value) HAVING count(*) > 1"
  }

  /// Finds the values that occur more than once, in one pass in the order of the values.
  package var findKeys: [String] {
    let type = ColumnType(property.type).rawValue
    return [
      "CREATE TABLE \(keys) (number INTEGER PRIMARY KEY, value \(type))",
      """
      INSERT INTO \(keys) (value)
      \(Self.groups(of: column, in: table, where: condition(identity), selecting: column)) \
      ORDER BY min(\(identity))
      """,
      "CREATE INDEX \(keys)_value ON \(keys.dropFirst(5)) (value)",
    ]
  }

  package var countKeys: String { "SELECT count(*) FROM \(keys)" }

  /// Finds the rows with these values. It reads each row, and writes only the rows that are found.
  package var findRows: [String] {
    let row = "t.\(identity)"
    let filter = condition(row).map { " WHERE \($0)" } ?? ""
    let order =
      switch survivor {
      case .first: row
      case .last: "\(row) DESC"
      case .greatest(let property): "\(term(property)) DESC, \(row)"
      case .least(let property): "\(term(property)), \(row)"
      }
    return [
      "CREATE TABLE \(rows) (gone INTEGER PRIMARY KEY, survivor INTEGER NOT NULL, number INTEGER)",
      """
      INSERT INTO \(rows) (gone, survivor, number)
      SELECT gone, survivor, number FROM (
        SELECT \(row) AS gone, k.number AS number,
          first_value(\(row)) OVER (PARTITION BY k.number ORDER BY \(order)) AS survivor
        FROM \(table) AS t CROSS JOIN \(keys) AS k ON k.value IS t.\(column)\(filter)
      ) WHERE gone <> survivor
      """,
      "CREATE INDEX \(rows)_number ON \(rows.dropFirst(5)) (number, gone)",
    ]
  }

  private func term(_ property: Property) -> String {
    let column = "t.\(SQLName.quote(property.columnName))"
    return property.type == .decimal128 ? "\(column) COLLATE \(decimals)" : column
  }

  /// The groups after a number: number, value, and the surviving row.
  package var nextGroups: String {
    """
    SELECT k.number, k.value, (SELECT survivor FROM \(rows) AS r WHERE r.number = k.number LIMIT 1)
    FROM \(keys) AS k WHERE k.number > ? ORDER BY k.number LIMIT ?
    """
  }

  /// The rows of a group to delete, in the order in which they were added.
  package var rowsOfGroup: String {
    "SELECT gone FROM \(rows) WHERE number = ? ORDER BY gone LIMIT ?"
  }

  /// The surviving row for a deleted one.
  package var survivorOfRow: String { "SELECT survivor FROM \(rows) WHERE gone = ?" }

  package var allRows: String { "SELECT gone FROM \(rows) ORDER BY gone" }

  // MARK: Changing

  /// Returns the statement that redirects the links of a property from deleted rows to the
  /// survivors. Links in deleted rows are not changed.
  ///
  /// A set that already contains the survivor keeps the deleted row, which leaves the set when it
  /// is deleted.
  package func move(_ reference: Reference) -> String {
    let isOwn = SQLName.same(reference.origin.className, schema.className)
    let place = SQLName.quote(reference.table)
    let owner = SQLName.quote(reference.owner)
    let value = SQLName.quote(reference.column)
    var condition = "\(value) IN (SELECT +gone FROM \(rows))"
    if reference.property.type == .any {
      condition += " AND \(AnyValueSQL.isLink(reference.typeColumn, to: schema.className))"
    }
    if isOwn { condition += " AND \(owner) NOT IN (SELECT gone FROM \(rows))" }
    return """
      UPDATE\(reference.collection?.kind == .set ? " OR IGNORE" : "") \(place)
      SET \(value) = (SELECT survivor FROM \(rows) WHERE gone = \(place).\(value))
      WHERE \(condition)
      """
  }

  package var delete: String {
    "DELETE FROM \(table) WHERE \(identity) IN (SELECT gone FROM \(rows))"
  }

  package var cleanUp: [String] { [rows, keys].map { "DROP TABLE IF EXISTS \($0)" } }
}

/// Links to deleted objects, and elements of collections whose owner was deleted.
///
/// The triggers prevent them. A tool that drops the triggers, or writes any number into a column,
/// can leave some.
package enum DanglingLinksSQL {
  /// Returns the statements that set the links to nil, and delete the elements.
  package static func statements(_ schema: Schema) -> [String] {
    let schema = schema.stored
    return schema.objectSchema.flatMap { origin -> [String] in
      let collections = origin.collectionTables.flatMap { table in
        ["DELETE FROM \(SQLName.quote(table.name)) WHERE \(isGone(CollectionTable.owner, origin))"]
          + removing(Reference(origin: origin, property: table.property), schema)
      }
      return collections
        + origin.properties.filter(\.isStoredInColumn).flatMap {
          removing(Reference(origin: origin, property: $0), schema)
        }
    }
  }

  private static func removing(_ link: Reference, _ schema: Schema) -> [String] {
    guard link.property.type == .object,
      let target = link.property.objectClassName.flatMap({ schema[$0] })
    else { return [] }
    let table = SQLName.quote(link.table)
    let condition = isGone(link.column, target)
    return link.collection?.isNullable == false
      ? ["DELETE FROM \(table) WHERE \(condition)"]
      : ["UPDATE \(table) SET \(SQLName.quote(link.column)) = NULL WHERE \(condition)"]
  }

  private static func isGone(_ column: String, _ target: ObjectSchema) -> String {
    "\(SQLName.quote(column)) NOT IN (\(target.allIdentities))"
  }
}

extension ObjectSchema {
  /// The query for the identities of all objects.
  package var allIdentities: String {
    "SELECT \(SQLName.quote(identityColumn)) FROM \(SQLName.quote(className))"
  }
}
