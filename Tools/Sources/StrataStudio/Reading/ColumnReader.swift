import GRDB
import StrataQuery
import StrataSchema

/// A reader of statistics of a property: the number of values, minimum and maximum, and the most
/// frequent values.
struct ColumnReader {
  let schema: StudioSchema
  let db: Database

  private static let bars = 20
  private static let frequentValueCount = 10

  /// - Parameter question: The query that selects the objects; its order is ignored.
  func json(_ property: Property, of question: Question) throws -> JSONValue {
    let start = ContinuousClock.now
    var question = question
    question.sort = []
    let query = try question.compiled(schema)
    let identity = SQLName.quote(try schema.objectSchema(question.className).identityColumn)
    let column =
      if let table = CollectionTable(className: question.className, property: property) {
        "(SELECT count(*) FROM \(SQLName.quote(table.name)) AS c WHERE c.owner = t.\(identity))"
      } else {
        "t.\(SQLName.quote(property.columnName))"
      }
    // The values are copied once: evaluating a condition may take longer than all the counting.
    let values = query.aggregateRows(
      column, type: property.typeColumnName.map { "t.\(SQLName.quote($0))" })
    let shape = Shape(property)
    let order = property.type == .decimal128 ? "value COLLATE strata_decimal" : "value"
    // 1 is an Int or a Bool in an AnyRealmValue: two values, as among the most frequent ones.
    // A Double is quoted, because `hex` converts it to a text with 15 digits first.
    let one =
      property.typeColumnName == nil
      ? "value"
      : "CASE typeof(value) WHEN 'real' THEN quote(value) ELSE hex(value) END || value_type"
    var totals: [StoredValue] = []
    try db.forEachRow(
      """
      SELECT count(*), count(*) - count(value), count(DISTINCT \(one)), \
      \(shape.isOrdered ? "min(\(order)), max(\(order))" : "NULL, NULL"), \
      \(shape.isNumber ? "avg(value), total(value)" : "NULL, NULL") FROM (\(values))
      """, query.parameters
    ) { row in
      totals = (0..<7).map { row[$0] }
    }
    let histogram =
      shape.isNumber
      ? try histogram(values, query.parameters, shape, from: totals[3], to: totals[4]) : .null
    let frequent = try frequent(property, question, values, query)
    let names = ["count", "nil", "distinct", "min", "max", "average", "sum"]
    return .joined(
      .object(zip(names, totals).map { .init($0, shape.json($1)) }),
      [
        "histogram": histogram, "frequent": frequent, "milliseconds": .milliseconds(since: start),
      ])
  }

  private func histogram(
    _ values: String, _ parameters: [StoredValue], _ shape: Shape, from least: StoredValue,
    to greatest: StoredValue
  ) throws -> JSONValue {
    guard let low = least.number, let high = greatest.number, (high - low).isFinite else {
      return .null
    }
    // The ranges of integers start at integers.
    let part = (high - low) / Double(Self.bars)
    let width = shape.isWhole ? max(1, ((high - low + 1) / Double(Self.bars)).rounded(.up)) : part
    let bars = width > 0 ? min(Self.bars, Int((high - low) / width) + 1) : 1
    var counts: [Int64: Int64] = [:]
    try db.forEachRow(
      """
      SELECT min(CAST((value - ?\(parameters.count + 1)) / ?\(parameters.count + 2) AS INTEGER), \
      \(bars - 1)) AS bar, count(*) FROM (\(values)) WHERE value IS NOT NULL GROUP BY bar
      """, parameters + [.real(low), .real(width > 0 ? width : 1)]
    ) { row in
      counts[row.integer(0) ?? 0] = row.integer(1)
    }
    return .array(
      (0..<bars).map { bar in
        let from = low + Double(bar) * width
        let to = bar == bars - 1 ? high : from + width
        return [
          "from": shape.json(from), "to": shape.json(to),
          "count": .int(counts[Int64(bar)] ?? 0),
        ]
      })
  }

  /// The most frequent values; for a collection, its most frequent elements.
  private func frequent(
    _ property: Property, _ question: Question, _ values: String, _ query: QuerySQL
  ) throws -> JSONValue {
    if property.type == .data { return .null }
    let columns: ValueColumns
    let rows: String
    if let table = CollectionTable(className: question.className, property: property) {
      columns = ValueColumns(elementsOf: table, "c", longestText: RowReader.longestText)
      let identity = SQLName.quote(try schema.objectSchema(question.className).identityColumn)
      let type = table.typeColumnName.map { ", \(SQLName.quote($0))" } ?? ""
      let name = SQLName.quote(table.name)
      let owners =
        question.condition.isEmpty
        ? "" : " WHERE owner IN (SELECT * FROM (\(query.select("t.\(identity)"))))"
      rows = "SELECT value\(type) FROM \(name)\(owners)"
    } else {
      columns = ValueColumns(valuesOf: property, "c", longestText: RowReader.longestText)
      rows = values
    }
    let group = property.type == .any ? "c.value, c.value_type" : "c.value"
    var cells: [(count: Int64, cell: ValueCell)] = []
    try db.forEachRow(
      """
      SELECT count(*) AS n, \(columns.sql.joined(separator: ", ")) FROM (\(rows)) AS c \
      GROUP BY \(group) ORDER BY n DESC, c.value LIMIT \(Self.frequentValueCount)
      """, query.parameters
    ) { row in
      cells.append((row.integer(0) ?? 0, columns.cell(row, at: 1)))
    }
    let labels = try Labels(of: cells.compactMap(\.cell.link), schema, db)
    return .array(cells.map { ["value": $0.cell.json(labels), "count": .int($0.count)] })
  }

  /// The features of a type that determine its statistics.
  private struct Shape {
    let type: PropertyType

    init(_ property: Property) { type = property.collection == nil ? property.type : .int }

    var isWhole: Bool { type == .int }
    var isNumber: Bool { [.int, .float, .double].contains(type) }
    var isOrdered: Bool {
      isNumber || [.bool, .string, .date, .decimal128, .UUID, .objectId].contains(type)
    }

    func json(_ value: StoredValue) -> JSONValue {
      switch value {
      case .null, .blob: .null
      case .integer(let number): .int(number)
      case .real(let number): .number(number)
      case .text(let text): .text(String(text.prefix(RowReader.longestText)))
      }
    }

    func json(_ number: Double) -> JSONValue {
      isWhole && abs(number) < 9e15 ? .int(Int64(number)) : .number(number)
    }
  }
}

extension StoredValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number.isFinite ? number : nil
    case .null, .text, .blob: nil
    }
  }
}

extension QuerySQL {
  /// The values of an expression for each row `t` of the query, as a column `value`. For an
  /// `AnyRealmValue`, the types are in a column `value_type`.
  fileprivate func aggregateRows(_ expression: String, type: String?) -> String {
    aggregate("\(expression) AS value" + (type.map { ", \($0) AS value_type" } ?? ""))
  }
}
