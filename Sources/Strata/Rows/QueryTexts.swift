import StrataQuery
import StrataStorage

/// The statements of a query that may run several times.
struct QueryTexts: Sendable {
  enum Kind: Int, CaseIterable {
    case first, last, count, exists, extent, deletion
  }

  /// The statements by kind; empty before the first one.
  private var texts: [StatementText?] = []
  /// Whether the query is expected to run often.
  private let areKept: Bool

  init(areKept: Bool) { self.areKept = areKept }

  mutating func text(_ kind: Kind, _ make: () -> String) -> StatementText {
    if kind.rawValue < texts.count, let known = texts[kind.rawValue] { return known }
    let text = StatementText(make(), isKept: areKept)
    if texts.isEmpty { texts = Array(repeating: nil, count: Kind.allCases.count) }
    texts[kind.rawValue] = text
    return text
  }
}

/// The SQL of a table: its columns, and the statements that reach its rows.
struct TableTexts: Sendable {
  /// The identity and the columns of each property, quoted, in the order in which rows are read.
  let columns: String
  /// The number of columns without the identity.
  let columnCount: Int
  /// The columns with the qualifier `t`, for queries of several tables.
  let qualifiedColumns: String
  let selectByID: StatementText
  /// Nil for a class without a primary key.
  let selectByKey: StatementText?
  let selectRange: StatementText
  /// Selects rows in a range of identities, up to a limit.
  let selectSome: StatementText
  /// Selects the greatest identity; returns no row for an empty table.
  let greatest: StatementText
  let deleteByID: StatementText

  /// - Parameters:
  ///   - name: The table, quoted.
  ///   - identity: Its identity, quoted.
  init(_ info: ClassInfo, _ schema: ObjectSchema, name: String, identity: String) {
    let names = info.properties.flatMap(\.columns).map { SQLName.quote($0.name) }
    let columns = ([identity] + names).joined(separator: ", ")
    self.columns = columns
    columnCount = names.count
    qualifiedColumns = ([identity] + names).map { "t.\($0)" }.joined(separator: ", ")
    selectByID = StatementText("SELECT \(columns) FROM \(name) WHERE \(identity) = ?")
    selectByKey = schema.primaryKeyProperty.map {
      // `IS` also finds a nil key, and uses the index.
      StatementText("SELECT \(columns) FROM \(name) WHERE \(SQLName.quote($0.columnName)) IS ?")
    }
    let range =
      "SELECT \(columns) FROM \(name) WHERE \(identity) BETWEEN ? AND ? ORDER BY \(identity)"
    selectRange = StatementText(range)
    selectSome = StatementText(range + " LIMIT ?")
    greatest = StatementText(
      "SELECT \(identity) FROM \(name) ORDER BY \(identity) DESC LIMIT 1")
    deleteByID = StatementText("DELETE FROM \(name) WHERE \(identity) = ?")
  }
}
