import Foundation
import GRDB
import StrataSchema
import StrataStorage

@testable import StrataCommand

/// A comparison of all values of a file with the values of a database. It reads the catalogs of
/// both, and then both with its own statements.
struct PostgresComparison {
  private let db: Database
  private let database: PostgresDatabase
  private(set) var differences: [String] = []
  private(set) var count = 0

  init(_ db: Database, _ database: PostgresDatabase) {
    self.db = db
    self.database = database
  }

  mutating func compare() throws {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'strata\\_%' ESCAPE '\\' \
        AND name <> 'grdb_migrations' ORDER BY name
        """)
    let inDatabase = try database.lines(
      """
      SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' \
      AND table_name <> 'strata_schema_version'
      """)
    if Set(inDatabase) != Set(tables) {
      differences.append("tables: \(tables) are \(inDatabase)")
    }
    for table in tables { try compare(table) }
  }

  private mutating func compare(_ table: String) throws {
    var columns = try Row.fetchAll(
      db, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table]
    ).map { (name: $0[0] as String, type: $0[1] as String) }
    let typed = columns.filter { $0.type == "ANY" }.map(\.name)
    columns.removeAll { column in typed.contains { column.name == "\($0)_type" } }
    let types = try database.lines(
      """
      SELECT data_type FROM information_schema.columns WHERE table_schema = 'public' \
      AND table_name = \(table.quoted("'")) ORDER BY ordinal_position
      """)
    let names = try database.lines(
      """
      SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' \
      AND table_name = \(table.quoted("'")) ORDER BY ordinal_position
      """)
    guard types.count == columns.count else {
      differences.append("\(table): \(columns.map(\.name)) are \(names)")
      return
    }
    let byName = Dictionary(uniqueKeysWithValues: zip(names, types))
    let inFile = try rows(table, columns.map(\.name), typed: typed, columns.map { byName[$0.name] })
    let expressions = columns.map { column in
      Self.expression(SQLName.quote(column.name), byName[column.name] ?? "")
    }
    let lines = try database.lines(
      "SELECT \(expressions.joined(separator: ", ")) FROM \(SQLName.quote(table))"
    ).map { line in
      zip(line.split(separator: "\t", omittingEmptySubsequences: false), columns).map {
        Self.canonical(String($0), byName[$1.name] ?? "")
      }.joined(separator: " | ")
    }
    count += lines.count
    for (file, other) in zip(inFile, lines.sorted()) where file != other {
      differences.append("\(table): \(file) is \(other)")
    }
    if inFile.count != lines.count {
      differences.append("\(table): \(inFile.count) rows are \(lines.count)")
    }
  }

  // MARK: The file

  /// The rows in the order of their canonical texts.
  private func rows(
    _ table: String, _ columns: [String], typed: [String], _ types: [String?]
  ) throws -> [String] {
    let selected = columns.flatMap { name in
      [SQLName.quote(name)] + (typed.contains(name) ? [SQLName.quote("\(name)_type")] : ["NULL"])
    }
    let statement = try db.makeStatement(
      sql: "SELECT \(selected.joined(separator: ", ")) FROM \(SQLName.quote(table))")
    var lines: [String] = []
    while try statement.stepRaw() {
      let values = types.enumerated().map { index, type in
        let value = statement.storedValue(Int32(index * 2))
        if case .text(let name) = statement.storedValue(Int32(index * 2 + 1)) {
          return Self.canonical(json: Self.nested(value, name))
        }
        return Self.canonical(value, type ?? "")
      }
      lines.append(values.joined(separator: " | "))
    }
    return lines.sorted()
  }

  private static func nested(_ value: StoredValue, _ typeName: String) -> NestedValue {
    if let nested = NestedValue(value, typeName: typeName) { return nested }
    if typeName.hasPrefix("<"), case .integer(let row) = value {
      return .link(className: String(typeName.dropFirst().dropLast()), row: row)
    }
    return .value(value, PropertyType(rawValue: typeName) ?? .string)
  }

  private static func canonical(_ value: StoredValue, _ type: String) -> String {
    switch (type, value) {
    case (_, .null): return "\\N"
    case ("boolean", .integer(let number)): return number == 0 ? "false" : "true"
    case ("bigint", .integer(let number)): return "\(number)"
    case ("real", .real(let number)): return "\(Float(number).bitPattern)"
    case ("double precision", .real(let number)): return "\(number.bitPattern)"
    case ("text", .text(let text)): return hex(text.replacing("\0", with: "\u{FFFD}").utf8)
    case ("bytea", .blob(let bytes)): return hex(bytes)
    case ("uuid", .text(let text)): return text.lowercased()
    case ("numeric", .text(let text)): return canonical(number: text)
    case ("timestamp with time zone", .text(let text)): return "\(microseconds(text))"
    default: return "not comparable: \(type) \(value)"
    }
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }

  /// The nearest microsecond since 1970 to a date of a file.
  private static func microseconds(_ date: String) -> Int64 {
    let parts = date.split { !$0.isNumber }.map(String.init)
    let numbers = parts.compactMap { Int64($0) }
    let (year, month) = (numbers[0] - (numbers[1] <= 2 ? 1 : 0), numbers[1])
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + numbers[2] - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let seconds = days * 86400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    let nanoseconds = Int64(parts[6].prefix(9)) ?? 0
    return seconds * 1_000_000 + (nanoseconds + 500) / 1000
  }

  /// A decimal number without the zeros that don't matter.
  private static func canonical(number: String) -> String {
    guard number.contains(where: \.isNumber) else { return number }
    let parts = number.uppercased().split(separator: "E")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let isNegative = parts[0].hasPrefix("-")
    let pieces = parts[0].drop { $0 == "-" }.split(
      separator: ".", omittingEmptySubsequences: false)
    if pieces.count > 1 { exponent -= pieces[1].count }
    var digits = pieces.joined().drop { $0 == "0" }
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)E\(exponent)"
  }

  private static func canonical(json: NestedValue) -> String {
    switch json {
    case .null: "nil"
    case .link(let className, let row): "<\(className)>\(row)"
    case .value(.text(let text), let type):
      "\(type) \(text.replacing("\0", with: "\u{FFFD}"))"
    case .value(.real(let number), let type): "\(type) \(number.bitPattern)"
    case .value(let value, let type): "\(type) \(value)"
    case .list(let items): "[\(items.map { canonical(json: $0) }.joined(separator: ","))]"
    case .dictionary(let entries):
      "{\(entries.map { "\($0.key.utf8.map { $0 }):\(canonical(json: $0.value))" }.joined(separator: ","))}"
    }
  }

  // MARK: The database

  private static func expression(_ column: String, _ type: String) -> String {
    switch type {
    case "text": "encode(convert_to(\(column), 'UTF8'), 'hex')"
    case "jsonb": "encode(convert_to(\(column)::text, 'UTF8'), 'hex')"
    case "bytea": "encode(\(column), 'hex')"
    case "boolean": "\(column)::text"
    case "timestamp with time zone": "(extract(epoch FROM \(column)) * 1000000)::bigint"
    default: column
    }
  }

  private static func canonical(_ text: String, _ type: String) -> String {
    if text == "\\N" { return text }
    switch type {
    case "real": return "\((Float(text) ?? .nan).bitPattern)"
    case "double precision": return "\((Double(text) ?? .nan).bitPattern)"
    case "numeric": return canonical(number: text)
    case "jsonb":
      var bytes: [UInt8] = []
      var digits = text[...]
      while let byte = UInt8(digits.prefix(2), radix: 16) {
        bytes.append(byte)
        digits = digits.dropFirst(2)
      }
      // It has keys in another order, by their lengths.
      let json = String(decoding: bytes, as: UTF8.self)
        .replacing(/\{"\$id": (\d+), "\$ref": ("[^"]*")\}/) {
          "{\"$ref\":\($0.output.2),\"$id\":\($0.output.1)}"
        }
      do {
        return canonical(json: try NestedValue(text: json))
      } catch {
        return "no JSON: \(json) (\(error))"
      }
    default: return text
    }
  }
}
