import GRDB
import StrataQuery
import StrataSchema

/// The wanted part of an answer.
package enum PagePart: Hashable, Sendable {
  case start
  /// The rows after a key, or before it.
  case after(String)
  case before(String)
  /// The rows from a key on, or from its former position.
  case from(String)
}

/// A reader of the answer to a query, in pages.
///
/// A page takes two statements: one for the identities and sort values of the rows, and one for
/// their columns. In a single statement, SQLite would compute the columns of every sorted row.
struct PageReader {
  private let schema: StudioSchema
  private let db: Database
  private let question: Question
  private let query: QuerySQL
  private let page: QueryPage

  init(_ question: Question, _ schema: StudioSchema, _ db: Database) throws(RequestFailure) {
    self.schema = schema
    self.db = db
    self.question = question
    query = try question.compiled(schema)
    page = QueryPage(query)
  }

  /// The rows of a part of the answer, with the keys of the first and the last row.
  func json(_ place: PagePart, limit: Int) throws -> PageAnswer {
    switch place {
    case .start:
      return try answer(keys(behind: nil, .forward, limit: limit), position: 0)
    case .after(let text):
      let key = try PageKey(text, of: question)
      return try answer(
        keys(behind: orderKey(of: key), .forward, limit: limit), position: key.position + 1)
    case .before(let text):
      let key = try PageKey(text, of: question)
      let keys = try keys(behind: orderKey(of: key), .backward, limit: limit)
      return try answer(keys.reversed(), position: max(0, key.position - keys.count))
    case .from(let text):
      let key = try PageKey(text, of: question)
      let start = Self.precedingKey(try orderKey(of: key))
      return try answer(keys(behind: start, .forward, limit: limit), position: key.position)
    }
  }

  /// The number of rows before a key, or before its former position.
  func position(of text: String) throws -> Int {
    let key = try orderKey(of: try PageKey(text, of: question))
    if isByIdentity, let (least, greatest, count) = try extremes(),
      greatest - least + 1 == Int64(count)
    {
      return Int(max(0, min(key.identity, greatest + 1) - least))
    }
    return try count(before: key)
  }

  private func count(before key: QueryPage.Key) throws -> Int {
    try page.counts(before: key).reduce(0) { try $0 + db.count($1.sql, $1.parameters) }
  }

  /// Decrements the identity of a key, so that reading after the key includes its own row.
  private static func precedingKey(_ key: QueryPage.Key) -> QueryPage.Key {
    var key = key
    if key.identity > .min { key.identity -= 1 }
    return key
  }

  /// The rows with the given identities, in their order, at a position of the answer.
  func json(_ identities: [Int64], position: Int) throws -> PageAnswer {
    var keys: [QueryPage.Key] = []
    // Only the first and the last row need their sort values.
    for (index, identity) in identities.enumerated() {
      guard index == 0 || index == identities.count - 1 else {
        keys.append(QueryPage.Key(values: [], identity: identity))
        continue
      }
      keys += try self.keys(page.key(of: identity))
    }
    return try answer(keys, position: position)
  }

  /// The rows of a part, looked up in the list of all identities; nil if the list doesn't have the
  /// key at its position.
  func json(_ place: PagePart, in list: [Int64], limit: Int) throws -> PageAnswer? {
    let range: Range<Int>
    switch place {
    case .start: range = 0..<min(limit, list.count)
    case .after(let text):
      guard let index = try index(of: text, in: list) else { return nil }
      range = index + 1..<min(list.count, index + 1 + limit)
    case .before(let text):
      guard let index = try index(of: text, in: list) else { return nil }
      range = max(0, index - limit)..<index
    case .from: return nil
    }
    return try json(Array(list[range]), position: range.lowerBound)
  }

  private func index(of text: String, in list: [Int64]) throws -> Int? {
    let key = try PageKey(text, of: question)
    let isThere = list.indices.contains(key.position) && list[key.position] == key.identity
    return isThere ? key.position : nil
  }

  /// The last rows of the answer.
  func lastPage(limit: Int) throws -> PageAnswer {
    let keys = try keys(behind: nil, .backward, limit: limit)
    let count = try query.count(db)
    return try answer(keys.reversed(), position: max(0, count - keys.count))
  }

  /// The sort key of a page key. Reads the sort values again if they were too long for the page
  /// key.
  ///
  /// - Throws: ``RequestFailure`` with status 400 if that row was deleted.
  private func orderKey(of key: PageKey) throws -> QueryPage.Key {
    if let values = key.values, values.count == page.valueCount {
      return QueryPage.Key(values: values, identity: key.identity)
    }
    guard let found = try keys(page.key(of: key.identity)).first else {
      throw RequestFailure.otherKey
    }
    return found
  }

  private func keys(
    behind key: QueryPage.Key?, _ direction: QueryPage.Direction, limit: Int
  ) throws -> [QueryPage.Key] {
    var keys: [QueryPage.Key] = []
    for statement in page.statements(behind: key, direction, limit: limit) where keys.count < limit
    {
      keys += try self.keys(statement)
    }
    return Array(keys.prefix(limit))
  }

  private func keys(_ statement: QueryPage.Statement) throws -> [QueryPage.Key] {
    var keys: [QueryPage.Key] = []
    try db.forEachRow(statement.sql, statement.parameters) { row in
      guard let identity = row.integer(0) else { return }
      let values = (0..<page.valueCount).map { row[$0 + 1] }
      keys.append(QueryPage.Key(values: values, identity: identity))
    }
    return keys
  }

  private func answer(_ keys: [QueryPage.Key], position: Int) throws -> PageAnswer {
    let table = try schema.objectSchema(question.className)
    let rows = try RowReader(schema, db, table).json(keys.map(\.identity))
    func text(_ key: QueryPage.Key?, _ offset: Int) -> JSONValue {
      .optional(key) { .text(PageKey($0, position: position + offset).text(of: question)) }
    }
    return PageAnswer(
      columns: .texts(table.properties.map(\.name)), rows: rows,
      first: text(keys.first, 0), last: text(keys.last, keys.count - 1), position: position)
  }

  // MARK: Positions

  /// The identity at a position, if the answer is sorted by identity and unfiltered. Returns nil if
  /// this requires reading the rows.
  func identity(at position: Int) throws -> (first: Int64, position: Int)? {
    guard isByIdentity else { return nil }
    guard let (least, greatest, count) = try extremes() else { return (0, 0) }
    let share = Double(max(0, position)) / Double(max(1, count))
    let guess = least + Int64((Double(greatest - least + 1) * share).rounded(.down))
    let start = min(guess, greatest)
    if greatest - least + 1 == Int64(count) { return (start, Int(start - least)) }
    return (start, try self.count(before: QueryPage.Key(values: [], identity: start)))
  }

  /// Whether the answer has all objects, sorted by identity.
  private var isByIdentity: Bool { question.isAboutAll && question.sort.isEmpty }

  /// The minimum, the maximum and the number of identities; nil without objects.
  private func extremes() throws -> (least: Int64, greatest: Int64, count: Int)? {
    let table = try schema.objectSchema(question.className)
    let (name, id) = (SQLName.quote(table.className), SQLName.quote(table.identityColumn))
    let rows = try db.rows(
      """
      SELECT (SELECT min(\(id)) FROM \(name)), (SELECT max(\(id)) FROM \(name)), \
      (SELECT count(*) FROM \(name))
      """)
    guard let row = try rows.next(), let least = row.integer(0), let greatest = row.integer(1)
    else { return nil }
    return (least, greatest, Int(row.integer(2) ?? 0))
  }

  /// Returns the rows from an identity on, whose row has the given position in the answer.
  func json(from identity: Int64, position: Int, limit: Int) throws -> PageAnswer {
    let start = Self.precedingKey(QueryPage.Key(values: [], identity: identity))
    return try answer(keys(behind: start, .forward, limit: limit), position: position)
  }

  /// All identities in the order of the answer; nil if there are more than the maximum.
  func identities(atMost most: Int, _ progress: (Int) -> Void) throws -> [Int64]? {
    let table = try schema.objectSchema(question.className)
    let rows = try db.rows(
      query.select("t.\(SQLName.quote(table.identityColumn))"), query.parameters)
    var identities: [Int64] = []
    while let identity = try rows.next()?.integer(0) {
      guard identities.count < most else { return nil }
      identities.append(identity)
      if identities.count % 10_000 == 0 { progress(identities.count) }
    }
    return identities
  }
}

/// A part of an answer in the form of the page.
struct PageAnswer: Sendable {
  var columns: JSONValue
  var rows: JSONValue
  var first: JSONValue
  var last: JSONValue
  /// Nil if counting took too long.
  var position: Int?

  var isEmpty: Bool { rows.array?.isEmpty ?? true }

  func json(version: Int, since start: ContinuousClock.Instant) -> JSONValue {
    [
      "version": .int(version), "columns": columns, "rows": rows, "first": first, "last": last,
      "position": .optional(position) { .int($0) },
      "milliseconds": .milliseconds(since: start),
    ]
  }
}
