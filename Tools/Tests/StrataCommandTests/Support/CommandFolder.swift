import Foundation
import GRDB
import Testing

/// A folder with files for one test, removed when the test is over.
final class CommandFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      chmod(url.path, 0o755)
      try FileManager.default.removeItem(at: url)
    } catch {
      Issue.record("The folder of the test can't be removed: \(error)")
    }
  }

  func url(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The root of the repository.
  static let repository: URL = {
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    while folder.lastPathComponent != "Tools" { folder.deleteLastPathComponent() }
    return folder.deletingLastPathComponent()
  }()

  /// Copies a file that a version of the example left behind.
  func copyFixture(_ name: String, to target: String) throws {
    let fixtures = Self.repository.appendingPathComponent("Fixtures")
    try FileManager.default.copyItem(
      at: fixtures.appendingPathComponent(name + ".sqlite"), to: url(target))
  }

  /// Copies a file that Realm wrote.
  func copyRealmFile(_ name: String, to target: String) throws {
    let files = Self.repository.appendingPathComponent("Tests/StrataRealmFileTests/Files")
    try FileManager.default.copyItem(
      at: files.appendingPathComponent(name + ".realm"), to: url(target))
  }

  /// Works on a file as another program does, which closes it again.
  @discardableResult
  func sql<Result>(
    _ name: String, foreignKeys: Bool = true, _ body: (Database) throws -> Result
  ) throws -> Result {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = foreignKeys
    let queue = try DatabaseQueue(path: url(name).path, configuration: configuration)
    defer { #expect(throws: Never.self) { try queue.close() } }
    return try queue.inDatabase(body)
  }

  func execute(_ sql: String, in name: String, foreignKeys: Bool = true) throws {
    try self.sql(name, foreignKeys: foreignKeys) { try $0.execute(sql: sql) }
  }

  /// Executes statements, and calls a closure while the file is still open: what they change is in
  /// its WAL.
  func withOpen<Result>(
    _ name: String, after sql: String, _ body: () throws -> Result
  ) throws -> Result {
    try self.sql(name) { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; \(sql)")
      return try body()
    }
  }

  /// Everything that a command could change: the names, and the bytes of each file.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: url($0))) })
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
