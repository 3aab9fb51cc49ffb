import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V0

/// Paths that can't be opened, and files that are deleted.
@Suite("Files and paths") struct FileErrorsTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func expectFailure(
    at url: URL, _ code: Realm.Error.Code, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
      try Realm(configuration: .init(fileURL: url, objectTypes: [V0.Item.self]))
    }
    expectEqual(error?.code, code, sourceLocation: sourceLocation)
    expectEqual(
      error?.message, "Failed to open Realm file at path '\(url.path)': \(reason)",
      sourceLocation: sourceLocation)
    expectEqual(error?.fileURL, url, sourceLocation: sourceLocation)
  }

  @Test func `A file of one byte is not a database, and stays`() throws {
    try Data("x".utf8).write(to: file.url)
    expectFailure(
      at: file.url, .invalidDatabase,
      "file is non-empty but too small (1 bytes) to be a valid Realm.")
    try expectEqual(Data(contentsOf: file.url), Data("x".utf8))
  }

  @Test func `A long file of other content is not a database, and stays`() throws {
    let content = Data(String(repeating: "Dear diary, ", count: 1_000).utf8)
    try content.write(to: file.url)
    expectFailure(
      at: file.url, .invalidDatabase,
      "it is not an SQLite database, or its first page is damaged, or it is encrypted, which needs "
        + "`encryptionKey`. A file of Realm itself is converted by `convertsRealmFile`.")
    try expectEqual(Data(contentsOf: file.url), content)
  }

  @Test func `A folder is not a file`() {
    expectFailure(at: file.folder, .fileOperationFailed, "Is a directory")
  }

  @Test func `A missing folder is not made`() {
    let url = file.folder.appendingPathComponent("none/test.sqlite")
    expectFailure(at: url, .fileNotFound, "parent directory does not exist")
    expectFalse(FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test func `A path through a file is an error`() throws {
    try Data("x".utf8).write(to: file.url)
    let url = file.url.appendingPathComponent("test.sqlite")
    expectFailure(at: url, .fileOperationFailed, "parent path is not a directory")
    try expectEqual(Data(contentsOf: file.url), Data("x".utf8))
  }

  @Test(.enabled(if: getuid() != 0))
  func `A file that may not be read is an error`() throws {
    try file.migrate([V0.Item.self], to: 0)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.url.path)
    expectFailure(
      at: file.url, .filePermissionDenied,
      "Permission denied. Please use a path where your app has read-write permissions.")
  }

  @Test func `A configuration needs a path or an identifier`() throws {
    let configuration = Realm.Configuration(fileURL: nil, objectTypes: [V0.Item.self])
    expectError(
      "A Realm Configuration must specify a path or an in-memory identifier.", code: .fail
    ) {
      _ = try Realm(configuration: configuration)
    }
  }

  @Test func `Errors are caught by the names of their codes`() throws {
    do {
      _ = try Realm(
        configuration: .init(
          fileURL: file.url, readOnly: true, objectTypes: [V0.Item.self]))
      Issue.record("Opening should fail.")
    } catch Realm.Error.fileNotFound {
      // As in programs.
    }
  }

  @Test
  func `Files are deleted with all that belongs to them, but not while they are open`() throws {
    let configuration = file.configuration([V0.Item.self])
    expectFalse(Realm.fileExists(for: configuration))
    try expectFalse(Realm.deleteFiles(for: configuration))
    try file.open([V0.Item.self]) { realm in
      try realm.write { realm.add(V0.Item()) }
      expectTrue(Realm.fileExists(for: configuration))
      expectError(
        "Cannot delete files of an open Realm: '\(file.url.path)' is still in use.",
        code: .alreadyOpen
      ) {
        try Realm.deleteFiles(for: configuration)
      }
      expectEqual(realm.objects(V0.Item.self).count, 1)
    }
    try expectTrue(Realm.deleteFiles(for: configuration))
    expectFalse(Realm.fileExists(for: configuration))
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: file.folder.path), [])
    try file.open([V0.Item.self]) { expectTrue($0.isEmpty) }
  }

  @Test(arguments: ["", "/test.sqlite-wal"])
  func `A folder is never deleted in the place of a file`(of path: String) throws {
    let folder = file.folder.appendingPathComponent("Documents")
    let inside = URL(fileURLWithPath: folder.path + path)
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: inside.appendingPathComponent("letter.txt"))
    let url = path.isEmpty ? folder : folder.appendingPathComponent("test.sqlite")
    if !path.isEmpty { try Data("no database".utf8).write(to: url) }
    expectError(
      "Cannot delete files of Realm at path '\(url.path)': '\(inside.path)' is a folder. Nothing was deleted: "
        + "give the path of the file.", code: .fileOperationFailed
    ) {
      try Realm.deleteFiles(for: Realm.Configuration(fileURL: url, objectTypes: [V0.Item.self]))
    }
    expectTrue(
      FileManager.default.fileExists(atPath: inside.appendingPathComponent("letter.txt").path))
    expectTrue(FileManager.default.fileExists(atPath: url.path))
  }
}
