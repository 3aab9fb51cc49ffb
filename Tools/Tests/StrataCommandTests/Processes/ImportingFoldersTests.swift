import Foundation
import TestKit
import Testing

@testable import StrataCommand

/// The import of folders that `export` has written, and of CSV with other separators.
@Suite struct ImportingFoldersTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["import"] + arguments, in: folder)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url(name))
  }

  /// Deletes all objects, and resets the identities.
  private func empty(_ name: String) throws {
    try folder.execute(
      "BEGIN; DELETE FROM Person; DELETE FROM Pet; DELETE FROM sqlite_sequence; COMMIT", in: name)
  }

  @Test(arguments: ["csv", "json", "ndjson"])
  func `A folder that was exported brings back all objects`(format: String) throws {
    try folder.copyFixture("PetOwners-v5", to: "new.sqlite")
    try empty("new.sqlite")
    func export(_ file: String, to name: String) throws -> [String: Data] {
      _ = try Tool.run(["export", file, "--format", format, "-o", name, "--quiet"], in: folder)
      return try Dictionary(
        uniqueKeysWithValues: ["Person", "Pet"].map {
          ($0, try Data(contentsOf: folder.url("\(name)/\($0).\(format)")))
        })
    }
    let before = try export("people.sqlite", to: "out")
    let dry = try run("new.sqlite", "out", "--dry-run")
    expectEqual(
      dry.output,
      """
      out/Person.\(format): 3 of 3 rows are fine
      embedded in them: 1 Address
      out/Pet.\(format): 4 of 4 rows are fine

      """)
    let result = try run("new.sqlite", "out")
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      out/Person.\(format): 3 of 3 rows were imported into Person
      embedded in them: 1 Address
      out/Pet.\(format): 4 of 4 rows were imported into Pet

      """)
    try expectEqual(export("new.sqlite", to: "again"), before)
    let json = try run("new.sqlite", "out", "--dry-run", "--json")
    expectTrue(json.output.contains("\"imports\": [\n"))
    try expectEqual(Tool.run(["check", "new.sqlite"], in: folder).status, 0)
    // A class without objects is a file with nothing, or with names only.
    try empty("new.sqlite")
    _ = try export("new.sqlite", to: "nothing")
    let nothing = try run("new.sqlite", "nothing")
    expectEqual(nothing.status, 0)
    expectTrue(nothing.output.contains("0 of 0 rows were imported into Pet"))
  }

  @Test func `A folder with something else is refused`() throws {
    _ = try Tool.run(["export", "people.sqlite", "-o", "out", "--quiet"], in: folder)
    for (arguments, status, message) in [
      (
        ["out", "--class", "Pet"], 64,
        "'out' is a folder, whose files have classes of their own: leave out '--class'."
      ),
      (
        ["out/Pet.csv"], 64,
        "'out/Pet.csv' is a file: give the class of its objects with '--class'."
      ),
      (["out", "--map", "a=b"], 64, "'--map' is for the columns of one file"),
    ] as [([String], Int32, String)] {
      let result = try Tool.run(["import", "people.sqlite"] + arguments, in: folder)
      expectEqual(result.status, status)
      expectTrue(result.errors.contains(message), "\(result.errors)")
    }
    try write("x", to: "out/Other.csv")
    let other = try run("people.sqlite", "out")
    expectEqual(other.status, 65)
    expectEqual(
      other.errors,
      "strata: 'out/Other.csv': No class of the file has its objects there. Take it out of the folder, "
        + "or import it by itself with '--class'.\n")
    try FileManager.default.removeItem(at: folder.url("out/Other.csv"))
    try write("", to: "out/Pet.json")
    try expectTrue(
      run("people.sqlite", "out").errors.contains("Another file has objects of the same class"))
    try FileManager.default.createDirectory(
      at: folder.url("no"), withIntermediateDirectories: false)
    try expectTrue(run("people.sqlite", "no").errors.contains("There is nothing to be imported"))
  }

  @Test func `What is between fields is found out, or given`() throws {
    try write("name;kind\r\nRex;dog\r\n", to: "semicolons.csv")
    try expectTrue(
      run("people.sqlite", "semicolons.csv", "--class", "Pet").output.contains("1 of 1"))
    // An input without the name of a property makes no empty objects.
    for (name, text) in [
      ("colons.csv", "name:kind\nRex:dog\n"), ("lines.ndjson", "{\"a\":1}\n{}"),
      ("list.json", "[{\"a\":1}]"),
    ] {
      try write(text, to: name)
      for options in [["--dry-run"], []] {
        let refused = try Tool.run(
          ["import", "people.sqlite", name, "--class", "Pet"] + options, in: folder)
        expectEqual(refused.status, 65)
        expectEqual(
          refused.errors,
          "strata: '\(name)': No column has the name of a property of 'Pet': 'name', 'kind'. Choose "
            + "the properties of the columns, or another separator.\n")
      }
    }
    try expectTrue(
      run("people.sqlite", "colons.csv", "--class", "Pet", "--separator", ":").output
        .contains("1 of 1"))
    for text in ["", "ab", "\"", "é"] {
      let wrong = try run("people.sqlite", "colons.csv", "--class", "Pet", "--separator", text)
      expectEqual(wrong.status, 64)
      expectTrue(wrong.errors.contains("'--separator' is one character of ASCII, or 'tab'."))
    }
    try expectTrue(
      Tool.run(["export", "people.sqlite", "--class", "Pet"], in: folder).output.hasSuffix(
        "5,Rex,dog\n6,Rex,dog\n"))
  }
}
