import Foundation
import GRDB
import RealmFileKit
import StrataSchema

/// The rows of a converted file, read with SQL, as texts of ``ExpectedValue``.
struct ConvertedRows {
  let db: Database
  /// By class, the keys that objects had, by identity.
  private var keys: [String: [Int64: Int64]] = [:]

  init(_ db: Database, _ json: JSONValue) throws {
    self.db = db
    for (name, item) in json["classes"].members {
      let objects = item["objects"].elements.compactMap(\.self["key"].number)
      let rows = try Int64.fetchAll(
        db, sql: "SELECT \(Self.identity(item)) FROM \"\(name)\" ORDER BY 1")
      keys[name] = Dictionary(uniqueKeysWithValues: zip(rows, objects))
    }
  }

  private static func identity(_ item: JSONValue) -> String {
    item["properties"].elements.contains { $0["name"].text == "_id" } ? "_row_id" : "_id"
  }

  /// The values of a class: by object, property by property.
  func values(of name: String, _ item: JSONValue) throws -> [[String]] {
    let properties = item["properties"].elements
    let identity = Self.identity(item)
    return try Row.fetchAll(db, sql: select(name, by: identity)).map {
      row in
      try properties.map { property in
        let column = property["name"].text ?? ""
        guard let collection = property["collection"].text else {
          return text(
            row[column], row.hasColumn("\(column)_type") ? row["\(column)_type"] : nil, property)
        }
        return try elements("\(name)_\(column)", row[identity], collection, property)
      }
    }
  }

  /// All columns. Texts are read as bytes, because GRDB ends them at a zero.
  private func select(_ table: String, by order: String, where condition: String = "1") throws
    -> String
  {
    let columns = try db.columns(in: table).map { column in
      let name = "\"\(column.name)\""
      return
        "CASE typeof(\(name)) WHEN 'text' THEN CAST(\(name) AS BLOB) ELSE \(name) END AS \(name)"
    }
    return
      "SELECT \(columns.joined(separator: ", ")) FROM \"\(table)\" WHERE \(condition) ORDER BY "
      + "\"\(table)\".\"\(order)\""
  }

  private func elements(
    _ table: String, _ owner: Int64, _ collection: String, _ property: JSONValue
  ) throws -> String {
    let order = ["list": "position", "dictionary": "key"][collection] ?? "value"
    let rows = try Row.fetchAll(
      db, sql: select(table, by: order, where: "owner = ?"), arguments: [owner])
    let texts = rows.map { row in
      let value = text(
        row["value"], row.hasColumn("value_type") ? row["value_type"] : nil, property)
      guard collection == "dictionary" else { return value }
      return "\((row["key"] as String).unicodeScalars.map(\.value)): \(value)"
    }
    return (collection == "list" ? texts : texts.sorted()).joined(separator: "; ")
  }

  private func text(_ value: DatabaseValue, _ mixed: String?, _ property: JSONValue) -> String {
    if value.isNull { return ExpectedValue.null }
    let type = property["type"].text ?? ""
    guard type == "mixed" else { return text(value, type, property["target"].text) }
    guard let mixed else { return "a value without a type" }
    if case .blob(let bytes) = value.storage, NestedKind(rawValue: mixed) != nil {
      let stored = StoredValue.text(String(decoding: bytes, as: UTF8.self))
      return NestedValue(stored, typeName: mixed).map { text($0) } ?? "damaged"
    }
    if mixed.hasPrefix("<") { return text(value, "object", String(mixed.dropFirst().dropLast())) }
    let names = ["object id": "objectId", "decimal128": "decimal"]
    return "mixed " + text(value, names[mixed] ?? mixed, nil)
  }

  private func databaseValue(_ value: StoredValue) -> DatabaseValue {
    switch value {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  private func text(_ nested: NestedValue) -> String {
    switch nested {
    case .null: return ExpectedValue.null
    case .link(let className, let row):
      return text(row.databaseValue, "object", className)
    case .value(.real(let number), _) where number.isNaN: return "mixed real nan"
    case .value(.text(let text), let type):
      return self.text(
        Data(text.utf8).databaseValue, type.rawValue, .object(["type": .string("mixed")]))
    case .value(let value, let type):
      return self.text(databaseValue(value), type.rawValue, .object(["type": .string("mixed")]))
    case .list(let items): return ExpectedValue.list(items.map { text($0) })
    case .dictionary(let entries):
      return ExpectedValue.dictionary(entries.map { ($0.key, text($0.value)) })
    }
  }

  private func text(_ value: DatabaseValue, _ type: String, _ target: String?) -> String {
    switch (type, value.storage) {
    case ("object", .int64(let row)):
      "\(target ?? "") \(keys[target ?? ""]?[row].map { "\($0)" } ?? "?")"
    case ("int", .int64(let value)): "int \(value)"
    case ("bool", .int64(let value)): "bool \(value == 1)"
    case ("float", .double(let value)), ("double", .double(let value)): "real \(value)"
    case ("data", .blob(let bytes)):
      "data \(bytes.map { String(format: "%02x", $0) }.joined())"
    case ("string", .blob(let text)):
      "string '\(String(decoding: text, as: UTF8.self).unicodeScalars.map(\.value))'"
    case (let type, .blob(let text)): "\(type) \(String(decoding: text, as: UTF8.self))"
    default: "not expected: \(type) \(value)"
    }
  }
}

extension JSONValue {
  /// The values of a class that are expected: by object, property by property.
  func expectedValues() -> [[String]] {
    let properties = self["properties"].elements
    return self["objects"].elements.map { object in
      properties.map { property in
        let expected = ExpectedValue(property)
        let value = object["values"][property["name"].text ?? ""]
        switch property["collection"].text {
        case "list": return value.elements.map(expected.text).joined(separator: "; ")
        // Elements that become the same are one.
        case "set": return Set(value.elements.map(expected.text)).sorted().joined(separator: "; ")
        case "dictionary":
          return value.members.map { "\($0.unicodeScalars.map(\.value)): \(expected.text($1))" }
            .sorted().joined(separator: "; ")
        default: return expected.text(value)
        }
      }
    }
  }
}
