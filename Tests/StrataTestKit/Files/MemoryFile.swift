import Foundation
package import GRDB
package import StrataSchema
package import StrataStorage
import TestKit
import Testing

/// A database in memory with the tables and triggers of a schema.
package struct MemoryFile {
  package let queue: DatabaseQueue
  package var schema: Schema

  package init(_ classes: ObjectSchema..., foreignKeys: Bool = false) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = foreignKeys
    configuration.prepareDatabase { QueryFunctions.add(to: $0) }
    queue = try DatabaseQueue(configuration: configuration)
    schema = Schema(classes)
    expectEqual(SchemaValidator.problems(in: schema), [])
    try queue.write { [schema] db in
      for schema in schema.objectSchema {
        for sql in TableSQL.createAll(schema) { try db.execute(sql: sql) }
      }
    }
    try makeTriggers()
  }

  package func makeTriggers() throws {
    _ = try queue.write { [schema] db in try HelperItems.make(of: schema, in: db) }
  }

  package static func runner(_ db: Database, _ file: Schema, _ target: Schema) -> OperationRunner {
    OperationRunner(
      db, target: target, classes: [:], file: file, report: MigrationReport.Stage(from: 0, to: 1))
  }

  package func execute(_ sql: String) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// The rows of a query, as text.
  package func rows(_ sql: String) throws -> [String] {
    try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: "nil"
          case .int64(let value): "\(value)"
          case .double(let value): "\(value)"
          case .string(let value): value
          case .blob(let value): "<\(value.count)>"
          }
        }
        .joined(separator: " ")
      }
    }
  }

  /// Whether SQLite finds nothing wrong, and triggers and indexes are as they must be.
  package func isSound() throws -> Bool {
    try queue.read { db in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      let catalog = try Catalog.read(db)
      let problems = CatalogCheck.problems(stored: schema, columns: catalog.columns)
      return integrity == ["ok"] && references.isEmpty && problems.isEmpty
        && HelperItems(of: schema, in: catalog).areRight
    }
  }

  /// Runs the plan to other classes; returns its report.
  @discardableResult
  package mutating func migrate(
    to classes: ObjectSchema..., choices: [String: EmbeddingChoice] = [:],
    phases: [SchemaTranslator.Phase] = [.noBlock]
  ) throws -> MigrationReport.Stage {
    try migrate(to: Schema(classes), choices: choices, phases: phases)
  }

  @discardableResult
  package mutating func migrate(
    to target: Schema, choices: [String: EmbeddingChoice] = [:],
    phases: [SchemaTranslator.Phase] = [.noBlock]
  ) throws -> MigrationReport.Stage {
    expectEqual(SchemaValidator.problems(in: target, besides: schema), [])
    let (report, result) = try queue.write { [schema] db in
      let runner = Self.runner(db, schema, target)
      runner.embeddingChoices = choices
      var schema = schema
      for phase in phases {
        let plan = SchemaTranslator.operations(from: schema, to: target, phase: phase) {
          _, property in
          .constant(.zero(for: property.type))
        }
        try runner.run(plan.operations)
        schema = plan.schema
        try HelperItems.make(of: schema, in: db)
      }
      return (runner.report, schema)
    }
    schema = result
    return report
  }

  /// Runs single operations.
  package func run(_ operations: TableOperation...) throws {
    try queue.write { [schema] db in try Self.runner(db, schema, schema).run(operations) }
  }

  /// The error of a refused migration.
  package mutating func refusal(
    to classes: ObjectSchema..., choices: [String: EmbeddingChoice] = [:]
  ) throws -> String? {
    let target = Schema(classes)
    do {
      try queue.write { [schema] db in
        let runner = Self.runner(db, schema, target)
        runner.embeddingChoices = choices
        let plan = SchemaTranslator.operations(from: schema, to: target, phase: .noBlock) { _, _ in
          .constant(.null)
        }
        try runner.run(plan.operations)
      }
      return nil
    } catch let error as RealmError {
      return error.message
    }
  }
}
