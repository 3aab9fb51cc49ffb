import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A link to the file itself: what SQLite keeps beside the file isn't beside the link.
struct LinkedFilesTests {
  class Cat: Object {
    @Persisted var name = ""
  }

  private let folder: TestFolder
  private let file: URL
  private let link: URL

  init() throws {
    folder = try TestFolder()
    let real = folder.url.appendingPathComponent("real")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
    file = real.appendingPathComponent("cats.sqlite")
    link = folder.url.appendingPathComponent("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
  }

  private func configuration(_ url: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: url, objectTypes: [Cat.self])
  }

  private func add(_ name: String, to url: URL) throws {
    let realm = try Realm(configuration: configuration(url))
    try realm.write { realm.add(Cat(value: ["name": name])) }
  }

  private func cats(in url: URL) throws -> [String] {
    try Realm(configuration: configuration(url)).objects(Cat.self).map(\.name)
  }

  private var isLink: Bool {
    get throws {
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path
    }
  }

  @Test func `What is in the WAL only is seen through a link`() throws {
    let realm = try Realm(configuration: configuration(file))
    try realm.write { realm.add(Cat()) }
    let inspection = try Realm.inspection(at: link)
    expectEqual(inspection.objectCounts, ["Cat": 1])
    expectTrue(inspection.logSize > 0)
    try expectEqual(schemaVersionAtURL(link), 0)
    try expectEqual(Realm.migrationHistory(at: link).count, 1)
    var seeded = configuration(folder.file)
    seeded.seedFilePath = link
    expectError(containing: "cats.sqlite-wal' only") { _ = try Realm(configuration: seeded) }
  }

  @Test func `A WAL that was deleted is noticed through a link`() throws {
    folder.isDamaged = true
    let realm = try Realm(configuration: configuration(link))
    try realm.write { realm.add(Cat()) }
    unlink(file.path + "-wal")
    unlink(file.path + "-shm")
    expectError(code: .fileNotFound) { try realm.write { realm.add(Cat()) } }
  }

  @Test func `The file is deleted and made again, and the link stays`() throws {
    try add("Tom", to: link)
    try expectTrue(Realm.deleteFiles(for: configuration(link)))
    expectFalse(Realm.fileExists(for: configuration(link)))
    expectFalse(FileManager.default.fileExists(atPath: file.path))
    try expectTrue(isLink)
    try expectFalse(Realm.deleteFiles(for: configuration(link)))
    try add("Kit", to: link)
    try expectEqual(cats(in: file), ["Kit"])
  }

  @Test func `A seed is copied to where a link leads`() throws {
    try add("Tom", to: folder.file)
    var seeded = configuration(link)
    seeded.seedFilePath = folder.file
    try expectEqual(Realm(configuration: seeded).objects(Cat.self).map(\.name), ["Tom"])
    try expectTrue(isLink && cats(in: file) == ["Tom"])
  }

  @Test(arguments: [false, true])
  func `A copy is put back behind a link`(isDamaged: Bool) throws {
    try add("Tom", to: folder.file)
    if isDamaged { try Data(repeating: 7, count: 4_096).write(to: file) }
    try Realm.restoreBackup(at: folder.file, for: configuration(link))
    try expectTrue(isLink && cats(in: file) == ["Tom"])
    let second = folder.url.appendingPathComponent("second.sqlite")
    try Realm.restoreBackup(at: link, for: configuration(second))
    try expectEqual(cats(in: second), ["Tom"])
  }

  @Test func `The copies of a file are in one place`() throws {
    try add("Tom", to: file)
    var configuration = configuration(link)
    configuration.schemaVersion = 1
    configuration.migrationBackup = MigrationBackup()
    configuration.migrationBlock = { _, _ in }
    _ = try Realm(configuration: configuration)
    let copies = try Realm.backups(for: configuration)
    configuration.fileURL = file
    expectEqual(copies.count, 1)
    try expectEqual(copies.map(\.url.path), Realm.backups(for: configuration).map(\.url.path))
  }
}
