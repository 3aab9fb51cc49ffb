import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V0

/// `schemaVersionAtURL`, and the valid versions.
@Suite("Schema versions") struct SchemaVersionTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  @Test
  func `A missing file has no version, however often it is asked for, and stays missing`() throws {
    for _ in 0..<2 {
      let error = try #require(throws: Realm.Error.self) { try schemaVersionAtURL(file.url) }
      expectEqual(error.code, .invalidDatabase)
      expectEqual(error.message, "Realm at path '\(file.url.path)' has not been initialized.")
      expectEqual(error.fileURL, file.url)
      expectFalse(FileManager.default.fileExists(atPath: file.url.path))
    }
  }

  @Test func `An empty file has no version, and stays empty`() throws {
    try Data().write(to: file.url)
    expectError(containing: "has not been initialized", code: .invalidDatabase) {
      try schemaVersionAtURL(file.url)
    }
    try expectTrue(Data(contentsOf: file.url).isEmpty)
  }

  @Test func `The version of an open file is known as well`() throws {
    try file.open([V0.Item.self], version: 4) { realm in
      try expectEqual(file.version, 4)
      try realm.write { realm.add(V0.Item()) }
      try expectEqual(file.version, 4)
    }
  }

  @Test func `Asking for the version doesn't change the file`() throws {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [7])) }
    let before = try Data(contentsOf: file.url)
    try expectEqual(file.version, 0)
    try expectEqual(Data(contentsOf: file.url), before)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: file.folder.path).count, 1)
  }

  @Test func `A device has no version`() throws {
    let error = try #require(throws: Realm.Error.self) {
      try schemaVersionAtURL(URL(fileURLWithPath: "/dev/null"))
    }
    expectTrue([.filePermissionDenied, .fileAccess].contains(error.code))
  }

  @Test func `A file that is not a database has no version`() throws {
    try Data("Dear diary".utf8).write(to: file.url)
    expectError(code: .invalidDatabase) { try schemaVersionAtURL(file.url) }
  }

  @Test(arguments: [(10, 5), (2, 0)] as [(UInt64, UInt64)])
  func `A version can't go down, even if nothing else changed`(old: UInt64, new: UInt64) throws {
    try file.migrate([V0.Item.self], to: old)
    let error = try file.failure([V0.Item.self], to: new) { _, _ in
      Issue.record("The block must not be called.")
    }
    expectEqual(error.code, .fail)
    expectEqual(
      error.message, "Provided schema version \(new) is less than last set version \(old).")
    try expectEqual(file.version, old)
  }

  @Test func `Each file has its own version`() throws {
    let first = try TestFile()
    let second = try TestFile()
    try first.migrate([V0.Item.self], to: 15)
    try second.migrate([V0.Item.self], to: 10)
    try expectEqual(first.version, 15)
    try expectEqual(second.version, 10)
    try second.migrate([V0.Item.self], to: 12)
    try expectEqual(first.version, 15)
    try expectEqual(second.version, 12)
  }

  @Test func `The greatest number stands for no version, and is refused`() throws {
    let error = try file.failure([V0.Item.self], to: .max)
    expectEqual(error.code, .fail)
    expectTrue(
      error.message.hasPrefix(
        "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)"))
    expectFalse(FileManager.default.fileExists(atPath: file.url.path))
  }
}
