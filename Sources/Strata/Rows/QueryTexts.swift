import StrataQuery
import StrataStorage

/// The statements that the same query may be asked for again.
struct QueryTexts: Sendable {
  enum Kind: Int, CaseIterable {
    case first, last, count, exists, extent, deletion
  }

  /// By their kinds; empty before the first one.
  private var texts: [StatementText?] = []
  /// Whether the query is asked again and again, or a few times.
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
  /// The columns as those of `t`, for queries of several tables.
  let qualifiedColumns: String
  let selectByID: StatementText
  /// Nil for a class without a primary key.
  let selectByKey: StatementText?
  let selectRange: StatementText
  /// So many of the rows whose identities are greater than one, and at most another one.
  let selectSome: StatementText
  /// The greatest identity; no row without one.
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
      // `IS` finds a nil key, with the help of the index.
      StatementText("SELECT \(columns) FROM \(name) WHERE \(SQLName.quote($0.columnName)) IS ?")
    }
    selectRange = StatementText(
      "SELECT \(columns) FROM \(name) WHERE \(identity) BETWEEN ? AND ? ORDER BY \(identity)")
    selectSome = StatementText(
      "SELECT \(columns) FROM \(name) WHERE \(identity) > ? AND \(identity) <= ? "
        + "ORDER BY \(identity) LIMIT ?")
    greatest = StatementText(
      "SELECT \(identity) FROM \(name) ORDER BY \(identity) DESC LIMIT 1")
    deleteByID = StatementText("DELETE FROM \(name) WHERE \(identity) = ?")
  }
}
