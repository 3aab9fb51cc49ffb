import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Random schemas with links, collections and embedded classes, migrated in a real database.
@Suite("Random migrations")
struct RandomMigrationTests {
  private static let names = ["A", "B", "order", "na\"ïve"]

  private struct Random {
    var generator: SplitMix64

    mutating func percent(_ chance: Int) -> Bool {
      Int.random(in: 0..<100, using: &generator) < chance
    }

    mutating func schema(besides stored: Schema) -> Schema {
      while true {
        let names = RandomMigrationTests.names.filter { _ in percent(80) }
        let schema = Schema(names.map { anyClass($0, names) })
        let problems =
          SchemaValidator.problems(in: schema)
          + SchemaValidator.problems(in: schema, besides: stored)
        if problems.isEmpty, !names.isEmpty { return schema }
      }
    }

    private mutating func anyClass(_ name: String, _ names: [String]) -> ObjectSchema {
      let types: [PropertyType] = [.int, .string, .any, .object, .object, .data]
      let kinds: [CollectionKind?] = [nil, nil, nil, .list, .map, .set]
      var properties = [property("kept")]
      for name in ["_id", "x", "Y", "y", "a\"b", "z"] where percent(55) {
        let type = types.randomElement(using: &generator) ?? .int
        let kind = kinds.randomElement(using: &generator) ?? nil
        properties.append(
          property(
            name, type, to: type == .object ? names.randomElement(using: &generator) : nil, kind,
            optional: type != .object && percent(50),
            fullText: type == .string && kind == nil && percent(60)))
      }
      return ObjectSchema(className: name, properties: properties, isEmbedded: percent(35))
    }

    /// Three rows for each class, with links among them.
    mutating func fill(_ file: MemoryFile) throws {
      for schema in file.schema.objectSchema {
        for row in 1...3 {
          var values: [(String, String)] = [(schema.identityColumn, "\(row)")]
          for property in schema.properties where property.isStoredInColumn {
            values += self.values(property, file.schema)
          }
          try insert(values, schema.className, file)
        }
        for table in schema.collectionTables {
          for row in 1...3 where percent(70) {
            for position in 0..<3 {
              var values: [(String, String)] = [("owner", "\(row)")]
              if let slot = table.slot { values.append((slot, "\(position)")) }
              values += self.values(table.property, file.schema, columns: ("value", "value_type"))
              if table.isNullable || values.first(where: { $0.0 == "value" })?.1 != "NULL" {
                try insert(values, table.name, file, orIgnore: true)
              }
            }
          }
        }
      }
    }

    private mutating func values(
      _ property: Property, _ schema: Schema, columns: (String, String)? = nil
    ) -> [(String, String)] {
      let (column, type) = columns ?? (property.columnName, property.columnName + "_type")
      let number = Int.random(in: 1...3, using: &generator)
      if property.isNullable, percent(30) { return [(column, "NULL")] }
      switch property.type {
      case .any:
        let classes = schema.objectSchema.filter { !$0.isEmbedded }
        guard percent(50), let target = classes.randomElement(using: &generator) else {
          return [(column, "\(number)"), (type, "'int'")]
        }
        let name = AnyValueSQL.typeName(className: target.className)
        return [(column, "\(number)"), (type, StoredValue.text(name).sqlLiteral)]
      case .string: return [(column, "'text \(number)'")]
      case .data: return [(column, "x'0\(number)'")]
      default: return [(column, "\(number)")]
      }
    }

    private func insert(
      _ values: [(String, String)], _ table: String, _ file: MemoryFile, orIgnore: Bool = false
    ) throws {
      try file.execute(
        """
        INSERT \(orIgnore ? "OR IGNORE" : "") INTO \(SQLName.quote(table))
        (\(SQLName.list(values.map(\.0)))) VALUES (\(values.map(\.1).joined(separator: ", ")))
        """)
    }
  }

  /// Whether each object in an `AnyRealmValue` is there.
  private func hasAllAnyValues(_ file: MemoryFile) throws -> Bool {
    let references = SchemaReferences(file.schema)
    for value in references.anyValues {
      let table = value.collection?.name ?? value.origin.className
      let column = value.collection == nil ? value.property.columnName : "value"
      for target in file.schema.objectSchema where !target.isEmbedded {
        let rows = try file.rows(
          """
          SELECT 1 FROM \(SQLName.quote(table))
          WHERE \(AnyValueSQL.isLink(column + "_type", to: target.className))
          AND \(SQLName.quote(column)) NOT IN (
            SELECT \(SQLName.quote(target.identityColumn)) FROM \(SQLName.quote(target.className)))
          """)
        if !rows.isEmpty { return false }
      }
    }
    return true
  }

  /// FTS5's own check, which compares each index with the texts.
  private func areTextsIndexed(_ file: MemoryFile) throws -> Bool {
    for table in file.schema.textTables {
      let name = SQLName.quote(table.name)
      do {
        try file.execute("INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return false
      }
    }
    return true
  }

  @Test(arguments: 0..<30)
  func `A random migration leaves a sound file, with all links pointing to rows`(seed: Int) throws {
    var random = Random(generator: SplitMix64(seed: UInt64(seed)))
    var file = try MemoryFile()
    let both = EmbeddingChoice(orphans: .delete, shared: .copy)
    let choices = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, both) })
    for operation in 0..<4 {
      let target = random.schema(besides: file.schema)
      do {
        try file.migrate(
          to: target, choices: choices,
          phases: operation.isMultiple(of: 2) ? [.noBlock] : [.beforeBlock, .afterBlock])
      } catch let error as RealmError where error.message.contains("the Mixed property") {
        continue
      }
      try expectTrue(file.isSound(), "\(operation): \(file.schema)")
      try expectTrue(hasAllAnyValues(file), "\(operation): \(file.schema)")
      try expectTrue(areTextsIndexed(file), "\(operation): \(file.schema)")
      if operation == 0 { try random.fill(file) }
      for schema in file.schema.objectSchema where operation > 0 {
        let table = SQLName.quote(schema.className)
        try file.execute(
          "DELETE FROM \(table) WHERE \(SQLName.quote(schema.identityColumn)) = \(operation)")
        try expectTrue(file.isSound(), "\(operation): \(schema.className) of \(file.schema)")
        try expectTrue(hasAllAnyValues(file), "\(operation): \(schema.className) of \(file.schema)")
      }
    }
    for schema in file.schema.objectSchema {
      try file.run(.dropTable(schema.className, in: file.schema))
      file.schema = file.schema.removing(schema.className)
      try file.makeTriggers()
      try expectTrue(file.isSound())
      try expectTrue(hasAllAnyValues(file))
    }
    try expectEqual(file.rows("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'"), [])
  }
}
