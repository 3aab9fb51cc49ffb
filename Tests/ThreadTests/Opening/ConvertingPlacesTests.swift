import Foundation
import GRDB
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport
@testable import StrataStorage

private class Lone: Object {
  @Persisted var v = 0
}

@Suite("Places of conversions")
struct ConvertingPlacesTests {
  private let folder: TestFolder
  private var old: URL { folder.url.appendingPathComponent("old.realm") }

  init() throws {
    folder = try TestFolder()
    try FileManager.default.copyItem(at: RealFile.url("links"), to: old)
  }

  private func error(to file: URL? = nil) -> Realm.Error? {
    thrownError { try Realm.convert(realmFile: old, toFile: file ?? folder.file) }
  }

  @Test func `A conversion replaces no file`() throws {
    try Data("mine".utf8).write(to: folder.file)
    let error = error()
    expectEqual(error?.code, .fileExists)
    expectEqual(
      error?.message,
      "There is a file at '\(folder.file.path)' already, and a conversion never replaces a "
        + "file. Choose another path, or remove that file.")
    try expectEqual(Data(contentsOf: folder.file), Data("mine".utf8))
    try expectEqual(folder.names(), ["old.realm", "test.sqlite"])
  }

  @Test func `Without classes in the configuration, those of the old file are taken`() throws {
    // Many classes of this process have the same names, so that all of them together are refused.
    expectTrue(thrownError { _ = try Realm(configuration: .init(fileURL: folder.file)) } != nil)
    let report = try Realm.convert(
      realmFile: RealFile.url("unversioned"),
      to: Realm.Configuration(fileURL: folder.file))
    expectEqual(report.written.objects, 1)
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: folder.file, objectTypes: [Lone.self]))
    expectEqual(realm.objects(Lone.self).map(\.v), [3])
  }

  @Test func `A migration block may use any class of the program, so that all are taken`() throws {
    let configuration = Realm.Configuration(
      fileURL: folder.file, schemaVersion: 1, migrationBlock: { _, _ in })
    let error = thrownError {
      _ = try Realm.convert(realmFile: RealFile.url("unversioned"), to: configuration)
    }
    expectEqual(error?.message.contains("appears more than once in the schema"), true)
  }

  @Test func `The WAL of a file that is gone is in the way`() throws {
    try Data("log".utf8).write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
    let error = error()
    expectEqual(error?.code, .fileExists)
    expectEqual(
      error?.message,
      "'\(folder.file.path)-wal' belongs to a file that no longer exists, and SQLite would "
        + "treat it as a part of the new file. Delete it, or restore the old file.")
    try expectEqual(folder.names(), ["old.realm", "test.sqlite-wal"])
  }

  @Test func `The folder of the new file must be there`() throws {
    let file = folder.url.appendingPathComponent("none/test.sqlite")
    let error = error(to: file)
    expectEqual(error?.code, .fileNotFound)
    expectEqual(
      error?.message,
      "Failed to open Realm file at path '\(file.path)': parent directory does not exist")
  }

  @Test func `What a killed process has left is removed`() throws {
    for name in ["converting", "converting-lock", "converting-journal"] {
      try Data("left".utf8).write(to: folder.file.appendingPathExtension(name))
    }
    try Realm.convert(realmFile: old, toFile: folder.file)
    try expectEqual(folder.names(), ["old.realm", "test.sqlite"])
    try expectTrue(Realm.problems(for: .init(fileURL: folder.file)).isEmpty)
  }

  @Test func `What is left of a process that was killed at the end is removed by the next opening`()
    throws
  {
    try Realm.convert(realmFile: old, toFile: folder.file)
    let left = folder.file.appendingPathExtension("converting")
    expectEqual(link(folder.file.path, left.path), 0)
    try Data().write(to: URL(fileURLWithPath: left.path + "-lock"))
    var configuration = folder.configuration([], version: 3)
    configuration.convertsRealmFile = .automatically(from: old)
    _ = try Realm(configuration: configuration)
    expectFalse(FileManager.default.fileExists(atPath: left.path))
    expectFalse(FileManager.default.fileExists(atPath: left.path + "-lock"))
  }

  @Test func `The new file has the permissions of the old one`() throws {
    expectEqual(chmod(old.path, 0o440), 0)
    try Realm.convert(realmFile: old, toFile: folder.file)
    expectEqual(FilePermissions(of: folder.file)?.mode, 0o640)
  }

  @Test func `Several threads convert once`() async throws {
    let reports = Heard<Void>()
    var configuration = folder.configuration([], version: 3)
    configuration.convertsRealmFile = .automatically(
      from: old, didConvert: { _ in reports.add(()) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { [configuration] in
          #expect(throws: Never.self) { _ = try Realm(configuration: configuration) }
        }
      }
    }
    expectEqual(reports.all.count, 1)
    try expectTrue(folder.names().filter { $0.contains("converting") }.isEmpty)
  }

  @Test func `A cancelled conversion leaves nothing`() async throws {
    let configuration = folder.configuration([], version: 3)
    let task = Task { [old] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await Realm.convert(realmFile: old, to: configuration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try expectEqual(folder.names(), ["old.realm"])
  }

  @Test func `A conversion that is cancelled on its way leaves nothing`() async throws {
    let configuration = folder.configuration([], version: 3)
    let (news, told) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Flag()
    let task = Task { [old] in
      try await Realm.convert(realmFile: old, to: configuration) { progress in
        guard progress.completedObjects > 0 else { return }
        told.yield()
        isCancelled.wait()
      }
    }
    for await _ in news {
      task.cancel()
      isCancelled.set()
      break
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try expectEqual(folder.names(), ["old.realm"])
  }

  @Test func `Progress counts the objects of all classes`() throws {
    let told = Heard<ConversionProgress>()
    let report = try Realm.convert(realmFile: old, toFile: folder.file) { told.add($0) }
    let all = told.all
    expectEqual(all.first?.completedObjects, 0)
    expectEqual(all.compactMap(\.className), report.classes.map(\.name))
    expectNil(all.last?.className)
    expectEqual(all.last?.completedObjects, report.read.objects)
    expectEqual(all.last?.fractionCompleted, 1)
    expectEqual(all.last?.description, "24 of 24 objects, making indexes")
    expectEqual(all.first?.description, "\(report.classes[0].name): 0 of 24 objects")
  }

  @Test func `A realm in memory can begin with a file of Realm`() throws {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, schemaVersion: 3, objectTypes: [])
    let error = thrownError { try Realm.convert(realmFile: old, to: configuration) }
    expectEqual(error?.code, .fail)
    configuration.convertsRealmFile = .automatically(from: old)
    _ = try Realm(configuration: configuration)
  }
}
