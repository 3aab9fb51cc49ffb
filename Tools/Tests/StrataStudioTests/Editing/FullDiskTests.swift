#if os(Linux)
  import Foundation
  import GRDB
  import Strata
  import StrataTestKit
  import TestKit
  import Testing

  @testable import StrataStudio

  /// Changes without room on the disk: the answer is 507, and nothing is changed.
  @Suite(.enabled(if: SmallDisk.canBeMade)) struct FullDiskTests {
    private let disk: SmallDisk
    private let file: URL

    init() throws {
      disk = try SmallDisk(kilobytes: 1500)
      file = disk.url.appendingPathComponent("a.sqlite")
      let configuration = Realm.Configuration(fileURL: file, objectTypes: EditingFile.types)
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"])
      }
    }

    private func editor(makesBackup: Bool) -> FileEditor {
      var configuration = Realm.Configuration(fileURL: file)
      configuration.dynamicClasses = .all
      return FileEditor(configuration, makesBackup: makesBackup)
    }

    /// The failure that the page receives.
    private func failure(_ body: () async throws -> Void) async throws -> RequestFailure {
      do {
        try await body()
      } catch {
        return try #require(error as? RequestFailure ?? StudioFailure.explain(error))
      }
      throw CancellationError()
    }

    private func name(_ editor: FileEditor) async throws -> String? {
      var configuration = Realm.Configuration(fileURL: file)
      configuration.dynamicClasses = .all
      let reader = FileReader(configuration, name: "test")
      return try await reader.read(atMost: .seconds(60)) { db, _ in
        try String.fetchOne(db, sql: "SELECT name FROM Item")
      }
    }

    private func setName(_ name: String, _ editor: FileEditor) async throws {
      let change: JSONValue = [
        "class": "Item", "id": 1, "property": "name", "was": "Ada", "to": .text(name),
      ]
      _ = try await editor.change(["changes": [["set": change]]])
    }

    @Test func `Without room for the copy nothing is changed, and with room it is`() async throws {
      let editor = editor(makesBackup: true)
      // Opened before, as by a page that shows it.
      _ = try await failure { _ = try await editor.change([:]) }
      try disk.fill()
      let refused = try await failure { try await setName("Bob", editor) }
      expectEqual(refused.status, .insufficientStorage)
      expectEqual(refused.code, "room")
      expectTrue(refused.message.contains("Nothing was changed"))
      await expectEqual(editor.state, FileEditor.State())
      disk.empty()
      try await expectEqual(name(editor), "Ada")
      try await setName("Bob", editor)
      try await expectEqual(name(editor), "Bob")
      await expectTrue(editor.state.backup != nil)
      await editor.close()
    }

    @Test func `Without room for the change nothing is changed, and it can be tried again`()
      async throws
    {
      let editor = editor(makesBackup: false)
      try await setName("Ada", editor)
      let before = await editor.state
      try disk.fill()
      let long = String(repeating: "long ", count: 40_000)
      let refused = try await failure { try await setName(long, editor) }
      expectEqual(refused.status, .insufficientStorage)
      await expectEqual(editor.state, before)
      disk.empty()
      try await expectEqual(name(editor), "Ada")
      try await setName(long, editor)
      try await expectEqual(name(editor), long)
      await editor.close()
    }

    @Test func `A body that has no room isn't kept`() throws {
      let upload = try UploadFile(inFolder: disk.url.path)
      try upload.write(Array(repeating: 1, count: 1000)[...])
      try disk.fill()
      #expect {
        try upload.write(Array(repeating: 1, count: 100_000)[...])
      } throws: { error in
        let failure = error as? RequestFailure
        return failure?.status == .insufficientStorage && failure?.code == "noRoom"
      }
      try upload.close()
      UploadFile.remove(upload.path)
    }
  }
#endif
