import Foundation
import Strata
import StrataSchema
import TestKit
import Testing

@testable import StrataCommand

/// Files as SQL for PostgreSQL, without a server.
@Suite struct PostgresExportTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["export"] + arguments, in: folder)
  }

  @Test func `A file and the output have the same text`() throws {
    let before = try folder.contents()
    let shown = try run("people.sqlite", "--postgres")
    expectEqual(shown.status, 0)
    expectEqual(shown.errors, "")
    try expectEqual(folder.contents(), before)
    let written = try run("people.sqlite", "--postgres", "-o", "people.sql")
    expectEqual(
      written.output, "people.sql: 8 objects of 3 classes, 3 elements of collections\n")
    try expectEqual(String(contentsOf: folder.url("people.sql"), encoding: .utf8), shown.output)
    expectTrue(shown.output.hasSuffix("\nCOMMIT;\n"))
    expectTrue(shown.output.contains("\n2\tTomas Lind\t51\t\\N\n"))
    try expectEqual(run("people.sqlite", "--postgres", "-o", "b.sql", "--quiet").output, "")
  }

  @Test(arguments: [
    ["--class", "Pet"], ["--class", "Pet", "--where", "name == 'x'"], ["--format", "csv"],
    ["--class", "Pet", "--sort", "name"],
  ])
  func `A part of a file isn't written, because its links would lead nowhere`(
    arguments: [String]
  ) throws {
    let result = try Tool.run(["export", "people.sqlite", "--postgres"] + arguments, in: folder)
    expectEqual(result.status, 64)
    expectEqual(result.output, "")
    expectTrue(
      result.errors.hasPrefix(
        "Error: '--postgres' writes all of a file: leave out '--class', '--where', '--sort' and "
          + "'--format'.\n"))
  }

  @Test func `A link to an object that is gone is nil, and an element is left out`() throws {
    try folder.execute(
      """
      DROP TRIGGER strata_delete_Pet; DROP TRIGGER strata_delete_Address;
      DELETE FROM Pet WHERE _id = 2; DELETE FROM Address;
      """, in: "people.sqlite", foreignKeys: false)
    let result = try run("people.sqlite", "--postgres")
    expectEqual(result.status, 0)
    expectEqual(
      result.errors,
      """
      strata: Person.address: 1 link to a deleted object: NULL.
      strata: Person.pets: 1 element was left out, whose object was deleted.

      """)
    expectTrue(result.output.contains("\n1\tInes Duarte\t34\t\\N\n"))
    expectTrue(result.output.contains("FROM stdin;\n1\t0\t1\n2\t0\t3\n\\.\n"))
    // The next pet gets no identity that one had.
    expectTrue(
      result.output.contains(
        "\"Pet\" ADD PRIMARY KEY (\"_id\"), ALTER \"_id\" ADD GENERATED "
          + "BY DEFAULT AS IDENTITY (START WITH 5);"))
    expectTrue(result.output.contains("\n-- Person.address: 1 link to a deleted object"))
  }

  @Test func `An encrypted file needs its key`() throws {
    try folder.copyRealmFile("encrypted", to: "a.realm")
    try Data(0..<64).write(to: folder.url("key"))
    try expectEqual(run("a.realm", "--postgres", "-o", "a.sql").status, 65)
    let result = try run("a.realm", "--postgres", "-o", "a.sql", "--key-file", "key", "--quiet")
    expectEqual(result, Tool.Outcome(status: 0, output: "", errors: ""))
    try expectEqual(folder.names, ["a.realm", "a.sql", "key", "people.sqlite"])
  }

  @Test func `What is larger than PostgreSQL loads is refused before`() throws {
    let schema = Schema([
      ObjectSchema(
        className: "Pet",
        properties: [Property(name: "name", type: .string), Property(name: "kind", type: .string)])
    ])
    try folder.sql("people.sqlite") { db in
      var exporter = PostgresExporter(db, schema, longestLine: 10) { _ in }
      #expect(
        throws: CommandFailure(
          .data,
          "Pet, row 1: It is larger than PostgreSQL can load. Keep such data in files, and their "
            + "names in the database.")
      ) { try exporter.write() }
    }
  }
}
