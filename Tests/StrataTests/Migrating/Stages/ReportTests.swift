import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct ReportTests {
  /// Migrates a file at version 1 with two persons and a dog.
  private func report(_ plan: SchemaMigrationPlan) throws -> (
    report: MigrationReport?, folder: TestFolder
  ) {
    let folder = try TestFolder()
    try folder.makeV1()
    return (try folder.plan(plan).reports().first, folder)
  }

  @Test func `The report accounts for each object`() throws {
    let (report, _) = try report([
      .version(V1.self),
      MigrationStage.version(V2.self) { migration in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
          if old!["age"] as? Int == 41 { migration.delete(new!) }
        }
        migration.create("Person", value: ["fullName": "Plain"])
        migration.create("Person", value: ["fullName": "With a dog", "dogs": [["name": "Pup"]]])
        let brief = migration.create("Dog", value: ["name": "Brief"])
        migration.delete(brief)
      },
    ])
    let stage = try #require(report?.stages.first)
    expectEqual(report?.from, 1)
    expectEqual(report?.to, 2)
    expectEqual(report?.rows, [["Dog: 1 + 2 - 1 - 0 = 2", "Person: 2 + 2 - 1 - 0 = 3"]])
    expectEqual(stage.rows, 2)
    expectTrue(stage.duration > .zero)
  }

  @Test func `The report is a table for people`() throws {
    let (report, _) = try report([.version(V1.self), .joinNames])
    var lines = try #require(report).description.split(separator: "\n").map(String.init)
    expectTrue(
      lines.removeFirst().wholeMatch(of: /Migrated from schema version 1 to 2: 2 rows, \d+ ms\./)
        != nil)
    expectEqual(
      lines.suffix(2),
      [
        "  class   before  after  created  deleted  merged",
        "  Person       2      2        0        0       0",
      ])
    expectTrue(lines.dropLast(2).allSatisfy { $0.hasPrefix("  ") && $0.hasSuffix(".") })
    expectTrue(lines.count > 2)
  }

  @Test func `A class that was not touched is not counted`() throws {
    let (report, _) = try report([.version(V1.self), .joinNames])
    expectEqual(report?.stages[0].classes.map(\.className), ["Person"])
  }

  @Test func `The history says what brought a file to its versions`() throws {
    let (_, folder) = try report(.all)
    let history = try Realm.migrationHistory(at: folder.file)
    expectEqual(history.map(\.version), [1, 2, 3, 4])
    expectEqual(history.map(\.migratedFrom), [nil, 1, 2, 3])
    expectEqual(history.map(\.rows), [0, 2, 2, 0])
    expectTrue(history.allSatisfy { $0.duration! >= .zero && $0.libraryVersion?.isEmpty == false })
  }

  @Test func `A file of an early release has a history as well`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    for column in ["migrated_from", "seconds", "row_count", "library"] {
      try folder.execute("ALTER TABLE strata_schema_version DROP COLUMN \(column)")
    }
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.rows), [nil])
    _ = try Realm(configuration: folder.plan(.all))
    let history = try Realm.migrationHistory(at: folder.file)
    expectEqual(history.map(\.migratedFrom), [nil, 1, 2, 3])
    expectEqual(history.map { $0.rows == nil }, [true, false, false, false])
  }

  @Test func `A duration that can't have been measured is not shown`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    for seconds in ["1e30", "1.0e300", "-1e300", "-1.0", "9e999"] {
      try folder.execute("UPDATE strata_schema_version SET seconds = \(seconds)")
      try expectEqual(Realm.migrationHistory(at: folder.file).map(\.duration), [nil])
    }
    try folder.execute("UPDATE strata_schema_version SET seconds = 2.5")
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.duration), [.milliseconds(2_500)])
  }

  @Test func `Other programs' dangling references are reported and left alone`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    folder.isDamaged = true
    try folder.sql { db in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE visits (person INTEGER REFERENCES Person(_id));
          INSERT INTO visits VALUES (77);
          """)
    }
    let configuration = folder.plan([.version(V1.self), .joinNames])
    try expectTrue(
      Realm.migrationForecast(for: configuration).stages[0].findings.map(\.description)
        .contains(
          "1 reference of 'visits' already points to a missing row."))
    try expectEqual(configuration.reports().first?.danglingReferences, ["visits": 1])
    try expectTrue(folder.dump().contains("visits: 77"))
  }
}
