import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Files that another program migrates while the studio shows them.
@Suite struct MigratedFileTests {
  private let folder: TestFolder

  init() throws { folder = try Zoo.folder() }

  /// Writes a newer version of the file into it, as the commit of another program.
  private func migrate() throws {
    let newer = try TestFolder()
    try copy(folder, to: newer)
    try newer.open([Newer.Keeper.self], version: 5) { _ in }
    try copy(newer, to: folder)
  }

  private func copy(_ source: TestFolder, to target: TestFolder) throws {
    let source = try DatabaseQueue.otherProgram(at: source.file)
    let target = try DatabaseQueue.otherProgram(at: target.file)
    try source.backup(to: target)
    try source.close()
    try target.close()
  }

  private func columns(_ file: StudioFile) async throws -> [String]? {
    try await file.reader.read { db, schema in
      let count = try Question("Keeper").compiled(schema).count(db)
      expectEqual(count, 2)
      return schema.schema["Keeper"]?.properties.map(\.name)
    }
  }

  private func change(_ property: String, _ was: JSONValue, _ to: JSONValue) -> JSONValue {
    let body: JSONValue = [
      "class": "Keeper", "id": 1, "property": .text(property), "was": was, "to": to,
    ]
    return ["changes": [["set": body]]]
  }

  @Test func `They are read and changed with their new classes`() async throws {
    let file = try await StudioFile(
      folder.file.path, key: nil, isWritable: true, makesBackup: false)
    let editor = try #require(file.editor)
    _ = try await editor.change(change("age", 36, 37))
    let before = try await columns(file)
    expectEqual(before?.contains("age"), true)
    _ = try await file.slowReader.open()
    await file.watch.poll()

    try migrate()
    await file.watch.poll()
    // Another tab goes on to ask.
    let other = Task {
      while !Task.isCancelled { _ = try await file.slowReader.open() }
    }
    try await file.reload()
    other.cancel()
    _ = await other.result
    let after = try await columns(file)
    expectEqual(after, ["id", "nickname"])
    // The property of the last step isn't there any more.
    await expectEqual(editor.state.undo, 0)
    _ = try await editor.change(change("nickname", "", "Bo"))
    let nickname = try await file.reader.read { db, _ in
      try String.fetchOne(db, sql: "SELECT nickname FROM Keeper WHERE _id = 1")
    }
    expectEqual(nickname, "Bo")
    // Commits of others are noticed as before.
    await file.watch.poll()
    let version = await file.watch.version
    try folder.execute("UPDATE Keeper SET nickname = 'Cy' WHERE _id = 1")
    await file.watch.poll()
    let now = await file.watch.version
    expectEqual(now, version + 1)
    try await file.close("The test has ended.")
  }

  @Test func `Without a migration nothing is opened again`() async throws {
    let file = try await StudioFile(
      folder.file.path, key: nil, isWritable: true, makesBackup: false)
    let editor = try #require(file.editor)
    _ = try await editor.change(change("age", 36, 37))
    try await file.reload()
    await expectEqual(editor.state.undo, 1)
    try await file.close("The test has ended.")
  }
}

private enum Newer {
  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var nickname = ""
  }
}
