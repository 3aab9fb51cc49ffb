import GRDB
import GRDBSQLite
import StrataStorage

/// The rows of one collection of one object, on a connection.
///
/// A list counts its elements from 0. The file keeps positions, which only give the order. If the
/// positions have no gaps, index and position can be computed from each other.
struct ElementTable {
  let info: CollectionInfo
  let owner: Int64

  /// The number of rows and, for a list, the positions of the first and the last one.
  struct Extent {
    var count: Int
    var first: Int64
    var last: Int64

    static let empty = Extent(count: 0, first: 0, last: -1)

    /// Whether positions have no gaps. The distance of positions by other programs may overflow.
    var isDense: Bool {
      let (distance, overflow) = last.subtractingReportingOverflow(first)
      return !overflow && distance == Int64(count) - 1
    }

    /// Whether there is room for more positions before the first and after the last one.
    var hasFreePositionsAround: Bool { first > -(1 << 60) && last < 1 << 60 }
  }

  private var elementColumns: String { info.columns.joined(separator: ", ") }

  // MARK: Reading

  func extent(_ db: Database) throws -> Extent {
    let rows = "FROM \(info.name) WHERE owner = ?1"
    // As separate subqueries, the minimum and the maximum are index lookups. Together with the
    // number, SQLite would compare all rows, which takes four times as long.
    let ends = ", (SELECT min(position) \(rows)), (SELECT max(position) \(rows))"
    let sql = "SELECT (SELECT count(*) \(rows))\(info.kind == .list ? ends : "")"
    return try first(db, sql, []) { statement in
      let count = Int(statement.int64(0))
      guard info.kind == .list, count > 0 else { return Extent(count: count, first: 0, last: -1) }
      return Extent(count: count, first: statement.int64(1), last: statement.int64(2))
    } ?? .empty
  }

  func positions(_ db: Database) throws -> [Int64] {
    try db.integers(
      "SELECT position FROM \(info.name) WHERE owner = ? ORDER BY position", [.integer(owner)])
  }

  func element(_ db: Database, position: Int64) throws -> _StoredElement? {
    try first(
      db, "SELECT \(elementColumns) FROM \(info.name) WHERE owner = ? AND position = ?",
      [.integer(position)], element)
  }

  func element(_ db: Database, key: String) throws -> _StoredElement? {
    try first(
      db, "SELECT \(elementColumns) FROM \(info.name) WHERE owner = ? AND key = ?", [.text(key)],
      element)
  }

  /// The element, and in a map the key, at an index in the order of the collection.
  func entry(_ db: Database, index: Int) throws -> (key: String, element: _StoredElement)? {
    try first(
      db, "\(selectAll) LIMIT 1 OFFSET ?", [.integer(Int64(index))], entry)
  }

  /// The last element in the order of the collection.
  func lastElement(_ db: Database) throws -> _StoredElement? {
    try first(
      db,
      """
      SELECT \(elementColumns) FROM \(info.name) WHERE owner = ? ORDER BY \(info.order) DESC LIMIT 1
      """, [], element)
  }

  /// Selects all elements in order, with the key (empty without a map) as the first column.
  var selectAll: String {
    let key = info.kind == .map ? "key" : "''"
    return
      "SELECT \(key), \(elementColumns) FROM \(info.name) WHERE owner = ? ORDER BY \(info.order)"
  }

  func entry(_ statement: some SteppedStatement) -> (key: String, element: _StoredElement) {
    var key = ""
    if case .text(let text) = statement.storedValue(0) { key = text }
    return (key, statement.element(1, columns: info.columns.count))
  }

  /// All elements in order, with their keys in a map.
  func entries(_ db: Database) throws -> [(key: String, element: _StoredElement)] {
    let statement = try db.cachedStatement(sql: selectAll)
    statement.bindRaw(owner, at: 1)
    var entries: [(key: String, element: _StoredElement)] = []
    while try statement.stepRaw() { entries.append(entry(statement)) }
    return entries
  }

  private func element(_ statement: some SteppedStatement) -> _StoredElement {
    statement.element(0, columns: info.columns.count)
  }

  /// A condition for rows. The values of its parameters follow the owner.
  private typealias Condition = (sql: String, values: [StoredValue])

  private func condition(_ comparison: String, _ values: [StoredValue]) -> Condition {
    // The second column is the type of an `AnyRealmValue`.
    let rest = info.columns.dropFirst().map { " AND \($0) IS ?" }.joined()
    return ("\(info.columns[0]) \(comparison)\(rest)", values)
  }

  /// The condition for exactly an element.
  private func isExactly(_ element: _StoredElement) -> Condition {
    condition("IS ?", values(element))
  }

  /// The condition for decimals that equal an element; nil for an element that is no decimal. Their
  /// texts may differ.
  private func isEqualDecimal(_ element: _StoredElement) -> Condition? {
    let decimal = PropertyType.decimal128
    guard info.property.type == decimal || element.type == decimal.rawValue,
      case .text(let text) = element.value, let number = Decimal128(text)
    else { return nil }
    var values = values(element)
    guard let texts = number.equalTexts else {
      return condition("= ? COLLATE \(QueryFunctions.decimalOrder)", values)
    }
    // An index of the values finds each of the texts.
    values[0] = .text("[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]")
    return condition("IN (SELECT value FROM json_each(?))", values)
  }

  private func isEqual(_ element: _StoredElement) -> Condition {
    isEqualDecimal(element) ?? isExactly(element)
  }

  private func values(_ element: _StoredElement) -> [StoredValue] {
    info.columns.count > 1
      ? [element.value, element.type.map { .text($0) } ?? .null] : [element.value]
  }

  func contains(_ db: Database, _ element: _StoredElement) throws -> Bool {
    let condition = isEqual(element)
    return try first(
      db, "SELECT 1 FROM \(info.name) WHERE owner = ? AND \(condition.sql)", condition.values
    ) { _ in true } ?? false
  }

  /// The index of the first element that is equal to the given one.
  func index(_ db: Database, of element: _StoredElement) throws -> Int? {
    let (order, condition) = (info.order, isEqual(element))
    let found = try first(
      db,
      """
      SELECT \(order) FROM \(info.name)
      WHERE owner = ? AND \(condition.sql) ORDER BY \(order) LIMIT 1
      """, condition.values
    ) { $0.storedValue(0) }
    guard let found else { return nil }
    // NULL precedes every other value.
    if found == .null { return 0 }
    return try first(
      db,
      "SELECT count(*) FROM \(info.name) WHERE owner = ? AND (\(order) < ? OR \(order) IS NULL)",
      [found]
    ) { Int($0.int64(0)) }
  }

  private func first<Value>(
    _ db: Database, _ sql: String, _ arguments: [StoredValue], _ body: (Statement) -> Value
  ) throws -> Value? {
    let statement = try db.cachedStatement(sql: sql)
    try bind(statement, arguments)
    return try statement.firstRow(body)
  }

  private func bind(_ statement: Statement, _ arguments: [StoredValue]) throws {
    statement.bindRaw(owner, at: 1)
    for (index, value) in arguments.enumerated() {
      try statement.bindRaw(value, at: Int32(index + 2))
    }
  }

  // MARK: Writing

  /// Runs a statement with the owner as its first parameter. Returns whether it changed a row.
  @discardableResult
  private func run(_ db: Database, _ sql: String, _ arguments: [StoredValue] = []) throws -> Bool {
    let statement = try db.cachedStatement(sql: sql)
    try bind(statement, arguments)
    _ = try statement.stepRaw()
    return db.changesCount > 0
  }

  /// Inserts elements into a list, at free positions that begin with the given one.
  func insert(_ db: Database, _ elements: [_StoredElement], position: Int64) throws {
    var position = position
    var rest = elements[...]
    while !rest.isEmpty {
      let rows = rest.count < CollectionInfo.manyRows ? 1 : CollectionInfo.manyRows
      let statement = try db.cachedStatement(sql: rows > 1 ? info.insertionOfMany : info.insertion)
      var index: Int32 = 1
      for element in rest.prefix(rows) {
        statement.bindRaw(owner, at: index)
        statement.bindRaw(position, at: index + 1)
        index += 2
        try statement.bind(element, info.columns.count, at: &index)
        position += 1
      }
      _ = try statement.stepRaw()
      rest = rest.dropFirst(rows)
    }
  }

  /// Adds an element to a set; false if the set contains it already.
  func insert(_ db: Database, _ element: _StoredElement) throws -> Bool {
    if isEqualDecimal(element) != nil, try contains(db, element) { return false }
    return try run(db, info.insertion, values(element))
  }

  /// Removes an element from a set; false if the set doesn't contain it.
  ///
  /// Of equal decimals, which other programs may have added, the same one is removed first.
  func remove(_ db: Database, _ element: _StoredElement) throws -> Bool {
    let exactly = isExactly(element)
    let delete = "DELETE FROM \(info.name) WHERE owner = ? AND \(exactly.sql)"
    if try run(db, delete, exactly.values) { return true }
    guard let condition = isEqualDecimal(element) else { return false }
    let other = try first(
      db,
      """
      SELECT \(info.columns.joined(separator: ", ")) FROM \(info.name)
      WHERE owner = ? AND \(condition.sql) LIMIT 1
      """, condition.values, self.element)
    guard let other else { return false }
    return try run(db, delete, values(other))
  }

  func set(_ db: Database, _ element: _StoredElement, key: String) throws {
    try run(db, info.insertion, [.text(key)] + values(element))
  }

  func remove(_ db: Database, key: String) throws -> Bool {
    try run(db, "DELETE FROM \(info.name) WHERE owner = ? AND key = ?", [.text(key)])
  }

  func replace(_ db: Database, position: Int64, with element: _StoredElement) throws {
    // The owner is parameter 1, wherever it stands in the statement.
    let assignments = info.columns.indices.map { "\(info.columns[$0]) = ?\($0 + 3)" }
    try run(
      db,
      """
      UPDATE \(info.name) SET \(assignments.joined(separator: ", "))
      WHERE owner = ?1 AND position = ?2
      """, [.integer(position)] + values(element))
  }

  func remove(_ db: Database, positions: ClosedRange<Int64>) throws {
    try run(
      db, "DELETE FROM \(info.name) WHERE owner = ? AND position BETWEEN ? AND ?",
      [.integer(positions.lowerBound), .integer(positions.upperBound)])
  }

  func removeAll(_ db: Database) throws {
    try run(db, "DELETE FROM \(info.name) WHERE owner = ?")
  }

  /// Moves one element to another, free position.
  func move(_ db: Database, from source: Int64, to destination: Int64) throws {
    try run(
      db, "UPDATE \(info.name) SET position = ?3 WHERE owner = ?1 AND position = ?2",
      [.integer(source), .integer(destination)])
  }

  /// Renumbers the elements of a list from 0.
  ///
  /// Elements that move down are moved first to last, the others last to first. Each new position
  /// is therefore free.
  func renumber(_ db: Database) throws {
    let positions = try positions(db)
    let moves = positions.enumerated().map { (from: $0.element, to: Int64($0.offset)) }
    for (from, to) in moves where from > to { try move(db, from: from, to: to) }
    for (from, to) in moves.reversed() where from < to { try move(db, from: from, to: to) }
  }

  /// Moves all elements of a range of positions by a distance.
  ///
  /// In two steps: SQLite checks for duplicates after each row, so the moved rows must not pass
  /// positions of other rows.
  func shift(_ db: Database, _ shift: ListGap.Shift) throws {
    let sql = """
      UPDATE \(info.name) SET position = position + ?4
      WHERE owner = ?1 AND position BETWEEN ?2 AND ?3
      """
    let (first, last, far) = (shift.positions.lowerBound, shift.positions.upperBound, shift.far)
    try run(db, sql, [.integer(first), .integer(last), .integer(far)])
    try run(
      db, sql, [.integer(first + far), .integer(last + far), .integer(shift.distance - far)])
  }
}

/// A collection of a class in an open file, with the table that holds its elements.
struct CollectionInfo: Sendable {
  let className: String
  let property: Property
  let kind: CollectionKind
  /// The position among the collections of the store.
  let index: Int
  let tableName: String
  /// The table's name, quoted.
  let name: String
  /// The columns of an element, quoted: one, or two for `AnyRealmValue`.
  let columns: [String]
  /// The column that orders the elements, quoted.
  let order: String
  /// The statement that adds an element. Parameters: the owner, the position or the key, the
  /// columns.
  let insertion: String
  /// The statement that adds ``manyRows`` elements to a list.
  let insertionOfMany: String

  static let manyRows = 32

  init(className: String, _ property: Property, index: Int = 0) {
    self.className = className
    self.property = property
    self.index = index
    kind = property.collection ?? .list
    tableName = CollectionTable.name(className: className, property: property)
    name = SQLName.quote(tableName)
    columns = property.type == .any ? ["\"value\"", "\"value_type\""] : ["\"value\""]
    order =
      switch kind {
      case .list: "\"position\""
      case .set: "\"value\""
      case .map: "\"key\""
      }
    insertion = Self.insertion(into: name, kind, columns)
    insertionOfMany = Self.insertion(into: name, kind, columns, rows: Self.manyRows)
  }

  private static func insertion(
    into name: String, _ kind: CollectionKind, _ elements: [String], rows: Int = 1
  ) -> String {
    let columns: [String]
    let conflict: String
    switch kind {
    case .list:
      columns = ["owner", "position"] + elements
      conflict = ""
    case .set:
      columns = ["owner"] + elements
      conflict = " ON CONFLICT DO NOTHING"
    case .map:
      let assignments = elements.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      columns = ["owner", "key"] + elements
      conflict = " ON CONFLICT (owner, key) DO UPDATE SET \(assignments)"
    }
    let values = InsertSQL.parameters(columns: columns.count, rows: rows)
    return """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(values)\(conflict)
      """
  }
}
