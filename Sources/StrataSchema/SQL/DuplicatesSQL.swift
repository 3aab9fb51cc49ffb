/// The statements that find the rows of a class with a value in common, and make links to them lead
/// to one.
///
/// Two temporary tables hold the results: the values that occur
/// more than once, and the rows that are to go with those that take their place.
package struct DuplicatesSQL: Sendable {
  private let schema: ObjectSchema
  private let property: Property
  private let survivor: SurvivorRule<Property>
  /// The name of the order of decimals.
  private let decimals: String
  /// The identities of the rows that are looked at, as a statement; nil for all.
  private let among: String?
  private let keys: String
  private let rows: String

  /// Describes the work on a class.
  ///
  /// - Parameters:
  ///   - schema: The class as the file has it.
  ///   - property: The property whose values are to be unique; nil is a value.
  ///   - identities: A statement for the identities of the rows that are looked at; nil for all.
  ///   - decimals: The collation that orders decimals.
  ///   - number: Tells the tables apart from others of the connection.
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

  /// What is true for the rows that are looked at; nil for all.
  private func condition(_ identity: String) -> String? {
    among.map { "\(identity) IN (\($0))" }
  }

  // MARK: Finding

  /// One row for each value that occurs more than once: `value`, and `n`, how many times.
  ///
  /// - Parameters:
  ///   - value: The expression for the value.
  ///   - table: Quoted.
  ///   - condition: The rows to look at; nil for all.
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

  /// Finds the values that occur more than once: one pass in the order of the values.
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

  /// Finds the rows that have these values: a look at each row, and work for those that are found.
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

  /// The groups behind one: number, value, and the row that stays.
  package var nextGroups: String {
    """
    SELECT k.number, k.value, (SELECT survivor FROM \(rows) AS r WHERE r.number = k.number LIMIT 1)
    FROM \(keys) AS k WHERE k.number > ? ORDER BY k.number LIMIT ?
    """
  }

  /// The rows of a group that go, in the order in which they were added.
  package var rowsOfGroup: String {
    "SELECT gone FROM \(rows) WHERE number = ? ORDER BY gone LIMIT ?"
  }

  /// The row that stays for one that goes.
  package var survivorOfRow: String { "SELECT survivor FROM \(rows) WHERE gone = ?" }

  package var allRows: String { "SELECT gone FROM \(rows) ORDER BY gone" }

  // MARK: Changing

  /// Makes the links of a property to rows that go lead to those that stay; links of rows that go
  /// themselves are left.
  ///
  /// A set in which the row that stays is already keeps the other one, which leaves it when it is
  /// deleted.
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
