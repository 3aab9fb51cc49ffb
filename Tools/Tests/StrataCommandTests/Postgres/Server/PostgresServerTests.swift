import Foundation
import GRDB
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// Files in a real PostgreSQL: `make test-postgres`.
@Suite(.enabled(if: PostgresDatabase.hasServer), .serialized)
struct PostgresServerTests {
  typealias Everything = PostgresModels.Everything

  private let folder: CommandFolder
  private let database: PostgresDatabase

  init() throws {
    folder = try CommandFolder()
    database = try PostgresDatabase()
  }

  private func export(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["export"] + arguments + ["--postgres", "-o", "out.sql"], in: folder)
  }

  /// Loads a file, and compares every value.
  private func differences(
    _ file: String
  ) throws -> (differences: [String], findings: String, count: Int) {
    let exported = try export(file)
    expectEqual(exported.status, 0, "\(exported.errors)")
    let loaded = try database.load(folder.url("out.sql"))
    expectEqual(loaded, Tool.Outcome(status: 0, output: "", errors: ""))
    let comparison = try folder.sql(file) { db in
      var comparison = PostgresComparison(db, database)
      try comparison.compare()
      return comparison
    }
    return (comparison.differences, exported.errors, comparison.count)
  }

  private static let fixtures: [String] = {
    do {
      let folder = CommandFolder.repository.appendingPathComponent("Fixtures")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".sqlite") }.map { String($0.dropLast(7)) }.sorted()
    } catch {
      return ["no folder of examples"]
    }
  }()

  @Test(arguments: fixtures)
  func `Each example has the same values in PostgreSQL`(name: String) throws {
    try folder.copyFixture(name, to: "a.sqlite")
    let result = try differences("a.sqlite")
    // Retired properties stay behind, as other programs' columns and tables do.
    let retires = name == "Orders-v3"
    expectEqual(
      result.differences.map { $0.prefix { $0 != ":" } },
      retires ? ["tables", "Purchase", "Purchase_items"] : [], "\(result.differences)")
    expectTrue(result.count > 0)
    try expectEqual(
      database.lines("SELECT count(*) FROM strata_schema_version"), [retires ? "3" : "1"])
  }

  @Test(arguments: [
    "all-types", "compacted", "evolved", "fragmented", "integers", "links", "many", "mixed",
    "older-10", "older-22", "primary-keys", "strings", "tombstones", "upgraded-9",
    "upgraded-10-used", "upgraded-20-used", "upgraded-23-used", "upgraded-studio",
  ])
  func `Each file of Realm has the same values in PostgreSQL`(name: String) throws {
    try folder.copyRealmFile(name, to: "a.realm")
    let converted = try Tool.run(
      [
        "convert", "a.realm", "a.sqlite", "--quiet", "--nan", "nil-or-zero", "--dates", "clamp",
        "--invalid-text", "repair", "--nested-collections", "nil", "--asymmetric-classes",
        "leave-out",
      ], in: folder)
    expectEqual(converted.status, 0)
    let result = try differences("a.sqlite")
    expectEqual(result.differences, [])
    // The same without a file between.
    let before = try String(contentsOf: folder.url("out.sql"), encoding: .utf8)
    try FileManager.default.removeItem(at: folder.url("out.sql"))
    try expectEqual(export("a.realm").status, 0)
    let direct = try String(contentsOf: folder.url("out.sql"), encoding: .utf8)
    let (first, second) = (Self.withoutTime(before), Self.withoutTime(direct))
    expectEqual(first, second)
  }

  /// The text without the line that says when the file was made.
  private static func withoutTime(_ sql: String) -> [Substring] {
    sql.split(separator: "\n").filter { !$0.contains("\t{\"classes\":") }
  }
}
