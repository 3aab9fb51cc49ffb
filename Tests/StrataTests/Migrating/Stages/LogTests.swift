import Foundation
import InMemoryLogging
import Logging
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("The log of a migration")
struct LogTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = ""
      @Persisted var email: String?
    }
  }

  enum Renamed {
    final class Human: Object {
      @Persisted var name = ""
      @Persisted var age = 0
    }
  }

  let folder: TestFolder
  let handler = InMemoryLogHandler()

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      for _ in 0..<3 { realm.create(V0.Person.self, value: ["name": "Secret"]) }
    }
  }

  func migrate(level: Logger.Level = .info, logs: Logger.Level, fails: Bool = false) throws {
    var logger = Logger(label: "test", factory: { [handler] _ in handler })
    logger.logLevel = logs
    var configuration = folder.configuration([V1.Person.self], version: 4) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["age"] = "\(old!["age"] ?? 0)"
        if fails { new!["nothing"] = 1 }
      }
    }
    configuration.logger = logger
    configuration.migrationLogLevel = level
    _ = try Realm(configuration: configuration)
  }

  @Test
  func `The log is one line with versions, operations, rows and duration, and no values`() throws {
    try migrate(logs: .info)
    let entries = handler.entries
    expectTrue(entries.count == 1 && entries[0].level == .info)
    let message = "\(entries[0].message)"
    expectTrue(
      message.hasPrefix(
        "Migrated '\(folder.file.path)' from schema version 0 to 4: 1 operation, 3 rows, "))
    expectTrue(message.hasSuffix(" ms; 3 values of 'Person.age' were not converted automatically"))
    expectEqual(entries[0].metadata["strata.version"], "4")
    expectFalse("\(entries)".contains("Secret"))
  }

  @Test func `The log has each operation at debug, and the line at the configured level`() throws {
    try migrate(level: .notice, logs: .debug)
    expectEqual(handler.entries.map(\.level), [.notice, .debug])
    expectEqual("\(handler.entries[1].message)", "Operation 1: Rebuild table 'Person'.")
  }

  @Test func `The log has no value even where the error has one`() throws {
    var configuration = folder.configuration([V1.Person.self], version: 4) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["age"] = ["Secret", old!["name"]]
      }
    }
    configuration.logger = Logger(label: "test", factory: { [handler] _ in handler })
    expectError(containing: "Secret") { _ = try Realm(configuration: configuration) }
    expectEqual(
      handler.entries.map { "\($0.message)" },
      [
        "The migration can't go on: Invalid value of type 'Array<Optional<Any>>' for 'string' property "
          + "'Person.age'."
      ])
  }

  @Test func `The log has a notice of an unknown class`() throws {
    var configuration = folder.configuration([V0.Person.self], version: 4) { migration, _ in
      migration.enumerateObjects(ofType: "Persn") { _, _ in }
    }
    configuration.logger = Logger(label: "test", factory: { [handler] _ in handler })
    _ = try Realm(configuration: configuration)
    expectEqual(handler.entries.map(\.level), [.notice, .info])
    expectEqual(
      "\(handler.entries[0].message)",
      "Neither the file nor the program has a class 'Persn' to enumerate.")
  }

  @Test func `The log has a notice of a class that looks like a missing one`() throws {
    var configuration = folder.configuration([Renamed.Human.self], version: 4) { _, _ in }
    configuration.logger = Logger(label: "test", factory: { [handler] _ in handler })
    _ = try Realm(configuration: configuration)
    expectEqual(handler.entries.map(\.level), [.notice, .info])
    let notice = """
      Class 'Human' is new and empty, and looks like 'Person', which the program no longer has and \
      whose objects stay in the file. If they are one class, call \
      'migration.renameClass(from: "Person", to: "Human")' in the migration, or declare \
      '.renamingClass("Person", to: "Human")' in the stage.
      """
    expectEqual("\(handler.entries[0].message)", notice)
    // It is said once, not with each migration that follows.
    configuration.schemaVersion = 5
    _ = try Realm(configuration: configuration)
    expectEqual(handler.entries.map(\.level), [.notice, .info, .info])
  }

  @Test func `The log has that notice also where the version needn't be raised`() throws {
    var configuration = folder.configuration([Renamed.Human.self])
    configuration.logger = Logger(label: "test", factory: { [handler] _ in handler })
    _ = try Realm(configuration: configuration)
    expectEqual(handler.entries.map(\.level), [.notice])
  }

  @Test
  func `The log has no such notice when the block has seen the objects, or there are none`() throws
  {
    var configuration = folder.configuration([Renamed.Human.self], version: 4) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, _ in
        migration.create("Human", value: ["name": old!["name"]!, "age": old!["age"]!])
      }
    }
    configuration.logger = Logger(label: "test", factory: { [handler] _ in handler })
    _ = try Realm(configuration: configuration)
    let other = try TestFolder()
    try other.open([V0.Person.self]) { _ in }
    configuration.fileURL = other.file
    configuration.migrationBlock = nil
    _ = try Realm(configuration: configuration)
    expectEqual(handler.entries.map(\.level), [.info, .info])
  }

  @Test func `The log has a mistake of the block at once`() throws {
    #expect(throws: Realm.Error.self) { try migrate(logs: .info, fails: true) }
    expectEqual(handler.entries.map(\.level), [.error])
    expectEqual(
      "\(handler.entries[0].message)",
      "The migration can't go on: Invalid property name 'nothing' for class 'Person'. It has: "
        + "name, age, email.")
  }
}
