import Foundation
import GRDB
import StrataStorage
import TestKit
import Testing

/// A comparison of two databases, of which one is the twin of the other.
struct TwinComparison {
  private let db: Database
  private let twin: Data
  /// Tables with the values that are replaced, and their columns.
  private let tables: [(name: String, columns: [String], key: String)]

  /// - Parameter db: A connection to the original, to which the twin is attached as `twin`.
  init(_ db: Database, twin: Data, tables: [String]) throws {
    self.db = db
    self.twin = twin
    self.tables = try tables.map { table in
      let rows = try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo('\(table)')")
      let columns = rows.filter { $0["hidden"] == 0 }.map { $0["name"] as String }
      let key = columns.contains("owner") ? "owner" : columns.first { $0 == "_row_id" } ?? "_id"
      return (table, columns, key)
    }
  }

  /// The differences that a twin must not have.
  func differences() throws -> [String] {
    var differences: [String] = []
    func compare(_ what: String, _ sql: (_ schema: String) -> String) throws {
      let texts = try ["main", "twin"].map { schema in
        try Row.fetchAll(db, sql: sql(schema)).map { "\($0)" }
      }
      if texts[0] != texts[1] {
        let pair = zip(texts[0], texts[1]).first { $0 != $1 }
        differences.append("\(what): \(texts[0].count), \(texts[1].count), \(pair ?? ("", ""))")
      }
    }
    // The first opening gives the twin an origin.
    try compare("schema") {
      """
      SELECT type, name, sql FROM \($0).sqlite_schema WHERE name <> 'strata_origin' ORDER BY 1, 2
      """
    }
    try compare("versions") {
      "SELECT version, schema, library FROM \($0).strata_schema_version ORDER BY 1"
    }
    try compare("sequences") {
      "SELECT * FROM \($0).sqlite_sequence WHERE name <> 'audit' ORDER BY 1"
    }
    for (table, columns, key) in tables {
      try compare("\(table): rows") { "SELECT count(*) FROM \($0).\"\(table)\"" }
      for column in columns {
        // Row by row, where rows have an identity, else by the owner.
        try compare("\(table).\(column): lengths") {
          """
          SELECT "\(key)", typeof("\(column)"), length(CAST("\(column)" AS BLOB)) AS length,
            count(*) FROM \($0)."\(table)" WHERE typeof("\(column)") <> 'real'
          GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
          """
        }
        try compare("\(table).\(column): nil and numbers") {
          """
          SELECT "\(key)", typeof("\(column)"), count(*), total("\(column)" < 0)
          FROM \($0)."\(table)" GROUP BY 1, 2 ORDER BY 1, 2
          """
        }
        try compare("\(table).\(column): duplicates") {
          """
          SELECT count(*) FROM \($0)."\(table)" WHERE "\(column)" IS NOT NULL
          GROUP BY "\(column)" ORDER BY 1
          """
        }
      }
    }
    return differences
  }

  /// The values of a database that are longer than two bytes or digits.
  private func longValues(_ schema: String) throws -> Set<DatabaseValue> {
    var values: Set<DatabaseValue> = []
    for (table, columns, key) in tables {
      for column in columns where column != key && !column.hasSuffix("_type") {
        let sql = """
          SELECT DISTINCT "\(column)" FROM \(schema)."\(table)"
          WHERE length(CAST("\(column)" AS BLOB)) > 2 AND lower("\(column)") <> 'point'
          """
        let isLink = try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list('\(table)')")
          .contains { $0["from"] == column }
        guard !isLink, column != "position" else { continue }
        for row in try Row.fetchAll(db, sql: sql) {
          let value = row[0] as DatabaseValue
          switch value.storage {
          case .double(let number) where isShort(number): break
          // The date of a new object, which is no content.
          case .string("1970-01-01 00:00:00.000000000"): break
          default: values.insert(value)
          }
        }
      }
    }
    return values
  }

  /// Whether a number has at most two digits, also in single precision.
  private func isShort(_ number: Double) -> Bool {
    number.isInfinite
      || [number.description, Float(number).description].contains { text in
        let mantissa = text.prefix { $0 != "e" }
        let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
        return digits.count - (mantissa.hasSuffix(".0") ? 1 : 0) <= 2
      }
  }

  /// The values of the original that are values of the twin.
  func sharedValues() throws -> [String] {
    let values = try ["main", "twin"].map { schema in
      Set(
        try longValues(schema).map { value in
          if case .blob(let data) = value.storage { return data.base64EncodedString() }
          // An integer is no number with a point.
          return "\(value.storage)"
        })
    }
    return values[0].intersection(values[1]).sorted()
  }

  /// The texts and data of the original that are somewhere in the bytes of the twin.
  ///
  /// - Parameter words: Words in texts or in JSON, which are looked for as well.
  func textsInBytes(_ words: [String]) throws -> [String] {
    let values = try longValues("main").compactMap { value -> Data? in
      switch value.storage {
      case .string(let text): Data(text.utf8)
      case .blob(let data): data
      default: nil
      }
    }
    let schema = try String.fetchAll(db, sql: "SELECT sql FROM main.sqlite_schema WHERE sql > ''")
    let names = Data(schema.joined().utf8)
    return (values + words.map { Data($0.utf8) }).filter {
      // Three letters may come together by chance, and the schema is the same.
      $0.count > 4 && twin.range(of: $0) != nil && names.range(of: $0) == nil
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number of texts and data that are looked for.
  func longCount() throws -> Int { try longValues("main").count }
}
