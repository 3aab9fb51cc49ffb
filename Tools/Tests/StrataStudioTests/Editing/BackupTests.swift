import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// The copy before the first change.
@Suite struct BackupTests {
  private func copies(_ file: EditingFile) throws -> [RealmBackup] {
    try Realm.backups(for: Realm.Configuration(fileURL: file.folder.file))
  }

  @Test func `The file is copied once, before its first change`() async throws {
    let file = try EditingFile(makesBackup: true) {
      $0.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"])
    }
    try expectTrue(copies(file).isEmpty)
    try await file.set("name", "Bob")
    try await file.set("name", "Cleo")
    let copies = try copies(file)
    let copy = try #require(copies.first)
    expectEqual(copies.count, 1)
    let folder = copy.url.deletingLastPathComponent().lastPathComponent
    await expectEqual(file.editor.state.backup, "\(folder)/\(copy.url.lastPathComponent)")
    var configuration = file.folder.configuration(EditingFile.types)
    configuration.fileURL = copy.url
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(EditingFile.Item.self).map(\.name), ["Ada"])
  }

  @Test func `A request that can't be read needs no copy`() async throws {
    let file = try EditingFile(makesBackup: true) { _ in }
    _ = try await file.failure { _ = try await file.editor.change([:]) }
    try expectTrue(copies(file).isEmpty)
  }

  @Test func `Without a copy nothing is changed`() async throws {
    let file = try EditingFile(makesBackup: true) {
      $0.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"])
    }
    // A file where the folder of the copies would be.
    let folder = try #require(
      try Realm.newBackupPath(
        for: Realm.Configuration(fileURL: file.folder.file), 0, in: nil
      )
      .split(separator: "/").dropLast().last)
    let place = file.folder.url.appendingPathComponent(String(folder))
    try #require(place.lastPathComponent == "test-backups")
    try FileManager.default.removeItem(at: place)
    try Data().write(to: place)
    let failure = try await file.failure { try await file.set("name", "Bob") }
    expectEqual(failure.code, "backup")
    expectTrue(failure.message.contains("Nothing was changed"))
    try await expectEqual(file.value("name"), "Ada")
    await expectEqual(file.editor.state, FileEditor.State())
  }

  @Test func `The page hears of it`() async throws {
    let file = try EditingFile { _ in }
    var configuration = Realm.Configuration(fileURL: file.folder.file)
    configuration.dynamicClasses = .all
    let heard = Mutex<[FileEvent]>([])
    let event = TestEvent()
    let editor = FileEditor(configuration, makesBackup: true) { told in
      heard.withLock { $0.append(told) }
      if case .progress(_, 1) = told { await event.happen() }
    }
    _ = try await editor.change(["changes": [["create": ["class": "Item"]]]])
    try await event.wait()
    expectEqual(
      heard.withLock { $0.last }, .progress(what: "Copying test.sqlite", fraction: 1))
  }
}
