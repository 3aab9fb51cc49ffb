import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// One file by several paths, from before it is there: a link must not make two stores of it, which
/// would wait for each other's transactions.
struct PathsTests {
  class Cat: Object {
    @Persisted var name = ""
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func realm(_ url: URL) throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Cat.self]))
  }

  /// Opens a file that isn't there by one path, and once more by each.
  private func expectOneFile(_ first: URL, _ second: URL) throws {
    let realm = try realm(first)
    for url in [first, second] {
      let other = try self.realm(url)
      try #require(other.session.store === realm.session.store)
      // In the transaction of this thread, and not after another one.
      try realm.write { other.add(Cat()) }
      expectError(code: .alreadyOpen) {
        _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: url))
      }
    }
    expectEqual(realm.objects(Cat.self).count, 2)
  }

  @Test func `A new file in a folder that is a link is one file`() throws {
    let real = folder.url.appendingPathComponent("real")
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    for name in ["first.sqlite", "sub/../second.sqlite", "./third.sqlite"] {
      try FileManager.default.createDirectory(
        at: real.appendingPathComponent("sub"), withIntermediateDirectories: true)
      try expectOneFile(link.appendingPathComponent(name), real.appendingPathComponent(name))
    }
  }

  @Test func `A link to a file that isn't there yet is one file with it`() throws {
    for (name, destination) in [("one", "new.sqlite"), ("two", folder.url.path + "/other.sqlite")] {
      let link = folder.url.appendingPathComponent(name)
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: destination)
      let file = URL(fileURLWithPath: destination, relativeTo: folder.url).absoluteURL
      try expectOneFile(link, file)
    }
  }

  @Test(arguments: ["backup", "copy"])
  func `A copy is made where a link without a file leads`(way: String) throws {
    let configuration = Realm.Configuration(fileURL: folder.file, objectTypes: [Cat.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Cat()) }
    let link = folder.url.appendingPathComponent("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "new.sqlite")
    func copy() throws {
      if way == "backup" {
        try Realm.makeBackup(at: link, for: configuration)
      } else {
        try realm.writeCopy(toFile: link)
      }
    }
    try copy()
    try expectEqual(
      FileManager.default.destinationOfSymbolicLink(atPath: link.path), "new.sqlite")
    let new = folder.url.appendingPathComponent("new.sqlite")
    try expectEqual(Realm.inspection(at: new).objectCounts, ["Cat": 1])
    expectError(code: .fileExists) { try copy() }
    try expectEqual(Realm.inspection(at: new).objectCounts, ["Cat": 1])
  }

  @Test func `A link that leads to itself is an error`() throws {
    let link = folder.url.appendingPathComponent("loop")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: link)
    expectError(code: .fileAccess) { _ = try realm(link) }
  }

  @Test func `A folder that the library makes changes nothing`() throws {
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "not-there/yet")
    let file = link.appendingPathComponent("app.sqlite")
    expectError(code: .fileNotFound) { _ = try realm(file) }
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("not-there/yet"), withIntermediateDirectories: true)
    try expectOneFile(
      file, folder.url.appendingPathComponent("not-there/yet/app.sqlite"))
  }
}
