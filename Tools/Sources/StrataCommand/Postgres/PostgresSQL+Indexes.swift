import StrataSchema

/// The greatest length of the values of each column of a table, in bytes.
typealias PostgresLengths = [String: Int]

extension PostgresSQL {
  /// The most bytes that values of an index may have together: a B-tree takes 2,704 bytes, and
  /// needs some itself.
  static let longestIndexed = 2600

  /// The most characters of a text that an index of words takes. Its list of words may have a
  /// megabyte, where a short word needs six bytes.
  static let longestWords = 160_000

  /// Whether the values are too long for the usual index.
  static func isLong(
    _ index: PostgresIndex, of table: PostgresTable, _ lengths: PostgresLengths
  ) -> Bool {
    let length = index.columns.reduce(0) { $0 + lengths[$1, default: 0] }
    switch index.kind {
    case .text: return length > longestWords
    case .plain, .unique, .primaryKey: return length > longestIndexed
    case .uniqueNil, .child: return false
    }
  }

  /// The statement that makes an index.
  ///
  /// - Parameter isShared: Whether embedded objects have several parents, which a damaged file can
  ///   have.
  static func index(
    _ index: PostgresIndex, of table: PostgresTable, _ lengths: PostgresLengths = [:],
    isShared: Bool = false
  ) -> String {
    let columns = index.columns.compactMap { table[$0] }
    let isLong = isLong(index, of: table, lengths)
    let keys = columns.map { key($0, isLong: isLong) }
    switch index.kind {
    case .plain where columns.count == 1 && (isLong || columns[0].type == .jsonb):
      // Finds equal values of any length.
      return create(index, table, using: "hash", [SQLName.quote(columns[0].name)])
    case .plain: return create(index, table, keys)
    case .unique: return create(index, table, isUnique: true, keys)
    case .primaryKey where !isLong:
      return """
        ALTER TABLE \(SQLName.quote(table.name)) ADD PRIMARY KEY (\(SQLName.list(index.columns)));

        """
    case .primaryKey: return create(index, table, isUnique: true, keys)
    case .uniqueNil:
      let last = SQLName.quote(index.columns.last ?? "")
      let others = index.columns.dropLast().map(SQLName.quote)
      return create(
        index, table, isUnique: true, others.isEmpty ? ["(\(last) IS NULL)"] : others,
        where: "\(last) IS NULL")
    case .child: return create(index, table, isUnique: !isShared, keys)
    case .text:
      let name = SQLName.quote(index.columns[0])
      let text = isLong ? "left(\(name), \(longestWords))" : name
      return create(index, table, using: "gin", ["to_tsvector('simple', \(text))"])
    }
  }

  /// The expression of an index for a column.
  private static func key(_ column: PostgresColumn, isLong: Bool) -> String {
    if column.type == .jsonb { return hash(column) }
    return isLong && column.isOfAnyLength ? hash(column) : SQLName.quote(column.name)
  }

  /// A value of any length in 32 digits. Of JSON the text: to `jsonb` 1 and 1.0 are the same.
  static func hash(_ column: PostgresColumn) -> String {
    let name = SQLName.quote(column.name)
    return column.type == .jsonb ? "md5(\(name)::text)" : "md5(\(name))"
  }

  private static func create(
    _ index: PostgresIndex, _ table: PostgresTable, using method: String? = nil,
    isUnique: Bool = false, _ keys: [String], where condition: String? = nil
  ) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName.quote(index.name)) "
      + "ON \(SQLName.quote(table.name)) \(method.map { "USING \($0) " } ?? "")"
      + "(\(keys.joined(separator: ", ")))\(condition.map { " WHERE \($0)" } ?? "");\n"
  }
}
