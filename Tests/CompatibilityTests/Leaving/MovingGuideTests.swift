import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/moving.md: it equals `MovingGuide.swift`, and works as the text says. A program
/// that imports `RealmSwift` is in `PortedProgramTests`.
@Suite struct MovingGuideTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(
      contentsOf: Self.here.appendingPathComponent("../../../\(path)"), encoding: .utf8)
  }

  /// The lines of the page's shell commands that begin with a program.
  private func commands(_ program: String) throws -> [String] {
    try text("docs/moving.md").components(separatedBy: "```sh\n").dropFirst()
      .flatMap { $0.components(separatedBy: "```")[0].components(separatedBy: "\n") }
      .filter { $0.hasPrefix("\(program) ") }
  }

  /// Gives a closure the configuration of the moved program, with a file that RealmSwift wrote.
  private func withMovedProgram(
    _ body: (_ configuration: Realm.Configuration, _ old: URL, _ new: URL) async throws -> Void
  ) async throws {
    let file = try TestFile()
    let old = file.folder.appendingPathComponent("default.realm")
    let new = file.folder.appendingPathComponent("new.sqlite")
    try FileManager.default.copyItem(
      at: Self.here.appendingPathComponent("../../../Fixtures/Dogs-v3.realm"), to: old)
    var configuration = MovingGuide.configuration(old)
    MovingGuide.move(&configuration, old, new)
    try await body(configuration, old, new)
  }

  @Test func `The guide shows what is compiled`() throws {
    try CompiledGuide(
      "moving.md", "MovingGuide.swift", "../../PortedProgramTests/AddressBook.swift"
    ).expectCompiled(atLeast: 6)
  }

  @Test func `Each command for a file is an example in the page of commands`() throws {
    let examples = try text("docs/command.md")
    let commands = try commands("strata")
    expectTrue(commands.count >= 4)
    for command in commands { expectTrue(examples.contains("\n$ \(command)"), "\(command)") }
  }

  @Test func `The package has the products and versions that the documents name`() throws {
    let manifest = try text("Package.swift")
    let moving = try text("docs/moving.md")
    let install = try text("README.md").components(separatedBy: "\n")
      .first { $0.contains(".package(url: \"https://github.com/OWNER/Strata\"") }
    let dependency = try #require(install).trimmingCharacters(in: .whitespaces)
    expectTrue(moving.contains(dependency), "\(dependency)")
    for product in ["RealmSwift", "StrataTestSupport"] {
      expectTrue(moving.contains(".product(name: \"\(product)\", package: \"Strata\")"))
      expectTrue(manifest.contains(".library(name: \"\(product)\""))
    }
    expectTrue(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    expectTrue(
      manifest.contains("[.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)]"))
    let storage = try text("Sources/StrataStorage/File/Connections.swift")
    expectTrue(storage.contains("minimumSQLiteVersion: Int32 = 3_037_000"))
    let promises = try text("docs/RELEASING.md").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for promise in [
      "Swift 6.2", "SQLite 3.37", "macOS 15, iOS 18, tvOS 18, watchOS 11 and visionOS 2",
    ] { expectTrue(promises.contains(promise), "\(promise)") }
  }

  @Test(arguments: ["moving.md", "llms.txt", "RELEASING.md"])
  func `Each link leads to a file`(page: String) throws {
    let links = try text("docs/\(page)").components(separatedBy: "](").dropFirst()
      .compactMap { $0.split(separator: ")").first }
      .filter { !$0.hasPrefix("https://") }
    expectTrue(links.count > 2)
    for link in links {
      let path = "../../../docs/\(link.split(separator: "#")[0])"
      let isThere = FileManager.default.fileExists(
        atPath: Self.here.appendingPathComponent(path).path)
      expectTrue(isThere, "\(link)")
    }
  }

  @Test func `The path of the old file is refused, and the setting named`() async throws {
    try await withMovedProgram { _, old, _ in
      expectError(containing: "convertsRealmFile", code: .invalidDatabase) {
        _ = try Realm(configuration: MovingGuide.configuration(old))
      }
    }
  }

  @Test func `The first opening converts each object, and migrates the file`() async throws {
    try await withMovedProgram { configuration, old, new in
      let bytes = try Data(contentsOf: old)
      let reports = Heard<ConversionReport>()
      var configuration = configuration
      configuration.convertsRealmFile?.didConvert = { reports.add($0) }
      for _ in 0..<2 {
        let realm = try Realm(configuration: configuration)
        expectEqual(realm.objects(MovingGuide.Person.self).count, 5)
        expectEqual(realm.objects(MovingGuide.Dog.self).count, 11)
      }
      expectEqual(reports.all.map(\.read.objects), [24])
      expectEqual(reports.all.map(\.written.objects), [24])
      try expectEqual(Data(contentsOf: old), bytes)
      let state = try MovingGuide.state(configuration, new)
      expectEqual(state.versions, [3, 4])
      expectTrue(state.isSound)
    }
  }

  @Test func `A wrong condition is an error`() async throws {
    try await withMovedProgram { configuration, _, _ in
      let realm = try Realm(configuration: configuration)
      try expectEqual(MovingGuide.names(realm, "fullName ENDSWITH '3'"), ["person 3"])
      expectError(code: .fail) {
        try MovingGuide.names(realm, "fullNam ENDSWITH '3'")
      }
    }
  }

  @Test func `A task hears of what another one adds`() async throws {
    try await withMovedProgram { configuration, _, _ in
      let shown = Heard<String>()
      let task = Task {
        let realm = try await Realm.open(configuration: configuration)
        try await MovingGuide.follow(realm) { shown.add($0) }
      }
      try await expectEqual(shown.arrival(of: 1), ["5 people"])
      let realm = try await Realm.open(configuration: configuration)
      try realm.write { _ = realm.create(MovingGuide.Person.self, value: ["fullName": "Ada"]) }
      try await expectEqual(shown.arrival(of: 2), ["5 people", "Ada"])
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `The tool sqlite3 reads the file`() async throws {
    guard SQLiteTool.isThere else { return }
    try await withMovedProgram { configuration, _, new in
      _ = try Realm(configuration: configuration)
      let outputs = try commands("sqlite3").map { command in
        try SQLiteTool.output(of: command, in: new.deletingLastPathComponent())
      }
      expectEqual(outputs.count, 2)
      expectTrue(outputs[0].contains("\"Person\" ("), "\(outputs[0])")
      expectEqual(outputs[1], "5\n")
    }
  }

  @Test func `The next release makes a backup, and this one goes on`() async throws {
    try await withMovedProgram { configuration, _, _ in
      var configuration = configuration
      let forecast = try MovingGuide.goLive(&configuration)
      expectTrue(forecast.obstacles.isEmpty)
      expectEqual(forecast.from, 3)
      _ = try Realm(configuration: configuration)
      var next = configuration
      next.schemaVersion = 5
      _ = try Realm(configuration: next)
      try expectEqual(Realm.backups(for: next).first?.schemaVersion, 4)
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(MovingGuide.Person.self).count, 5)
      try realm.write { _ = realm.create(MovingGuide.Person.self, value: ["fullName": "Ada"]) }
    }
  }
}
