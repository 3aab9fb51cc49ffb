import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Names that a file system takes as they are, and URLs of files that say more than a path.
struct FileNamesTests {
  class Cat: Object {
    @Persisted var name = ""
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func configuration(_ url: URL, version: UInt64 = 0) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, schemaVersion: version, migrationBlock: { _, _ in }, objectTypes: [Cat.self])
    configuration.migrationBackup = MigrationBackup(keeping: 1)
    return configuration
  }

  #if os(Linux)
    /// `é`, and `e` with an accent after it: the same text in Swift, and two files.
    private var twins: [URL] {
      ["caf\u{E9}.sqlite", "cafe\u{301}.sqlite"].map(folder.url.appendingPathComponent)
    }

    @Test func `Two files whose names have the same letters are two`() throws {
      let realms = try twins.map { try Realm(configuration: configuration($0)) }
      try realms[1].write { realms[1].add(Cat(value: ["name": "Tom"])) }
      expectEqual(realms.map { $0.objects(Cat.self).count }, [0, 1])
      for url in twins { expectTrue(FileManager.default.fileExists(atPath: url.path)) }
      let gone = folder.url.appendingPathComponent("caf\u{E9}-2.sqlite")
      try expectFalse(Realm.deleteFiles(for: configuration(gone)))
    }

    @Test func `Two files whose names have the same letters keep their copies`() throws {
      let copies = MigrationBackup(
        directory: folder.url.appendingPathComponent("copies"), keeping: 1)
      for version in [0, 1] as [UInt64] {
        for url in twins {
          var configuration = configuration(url, version: version)
          configuration.migrationBackup = copies
          _ = try Realm(configuration: configuration)
        }
      }
      for url in twins {
        var configuration = configuration(url)
        configuration.migrationBackup = copies
        let found = try Realm.backups(for: configuration).map(\.url.lastPathComponent)
        let start = Array(url.deletingPathExtension().lastPathComponent.utf8)
        expectEqual(found.count, 1)
        expectTrue(found.allSatisfy { $0.utf8.starts(with: start) })
      }
    }
  #endif

  @Test(arguments: [
    "file://%/a.sqlite?mode=rw", "file://%/a.sqlite#top", "file://elsewhere%/a.sqlite",
    "file://%/a%2Fb.sqlite", "file://%/a%3Fb%23c.sqlite", "file://%/a%20b.sqlite",
  ])
  func `A URL with more than a path can be read without writing`(text: String) throws {
    let url = try #require(
      URL(string: text.replacingOccurrences(of: "%/", with: folder.url.path + "/")))
    do {
      let realm = try Realm(configuration: configuration(url))
      try realm.write { realm.add(Cat()) }
    }
    // When it is closed, it is read as a file that doesn't change.
    expectFalse(FileManager.default.fileExists(atPath: url.path + "-wal"))
    try expectEqual(Realm.inspection(at: url).objectCounts, ["Cat": 1])
  }

  @Test func `A path that begins nowhere is one of the current folder`() throws {
    for text in ["file:strata-names.sqlite", "file::memory:"] {
      let url = try #require(URL(string: text))
      let path = FileManager.default.currentDirectoryPath + "/" + url.path
      defer { for ending in ["", "-wal", "-shm"] { unlink(path + ending) } }
      do {
        let realm = try Realm(configuration: configuration(url))
        try realm.write { realm.add(Cat()) }
        expectEqual(realm.session.store.file.path, path)
      }
      expectTrue(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `A name that is too long for what is beside it is an error that says so`() throws {
    func url(_ length: Int) -> URL {
      folder.url.appendingPathComponent(String(repeating: "n", count: length))
    }
    let longest = try Realm(configuration: configuration(url(247)))
    try longest.write { longest.add(Cat()) }
    let path = url(248)
    for attempt in [
      { _ = try Realm(configuration: configuration(path)) },
      { try Realm.makeBackup(at: path, for: configuration(url(247))) },
      { try longest.writeCopy(toFile: path) },
      {
        var seeded = configuration(path)
        try longest.writeCopy(toFile: folder.file)
        seeded.seedFilePath = folder.file
        _ = try Realm(configuration: seeded)
      },
    ] {
      expectError(containing: "names of 247 bytes", code: .fileAccess) { try attempt() }
    }
    try expectFalse(Realm.deleteFiles(for: configuration(path)))
  }

  @Test func `A path that is too long for SQLite is an error that says so`() throws {
    var long = folder.url
    while long.path.utf8.count < 500 { long.appendPathComponent(String(repeating: "d", count: 40)) }
    try FileManager.default.createDirectory(at: long, withIntermediateDirectories: true)
    expectError(containing: "paths of 504") {
      _ = try Realm(configuration: configuration(long.appendingPathComponent("a.sqlite")))
    }
  }
}
