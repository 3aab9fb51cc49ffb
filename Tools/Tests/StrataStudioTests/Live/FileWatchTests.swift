import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// The events of the file that the page receives.
@Suite struct FileWatchTests {
  private let folder: TestFolder

  init() throws { folder = try Zoo.folder() }

  private func watch() -> FileWatch {
    FileWatch(folder.file, key: nil, schemaVersion: 0, interval: .milliseconds(20))
  }

  /// The events of some time.
  private func events(
    of watch: FileWatch, until isEnd: @escaping @Sendable (FileEvent) -> Bool
  ) async -> Task<[FileEvent], Never> {
    let stream = await watch.events()
    return Task {
      var events: [FileEvent] = []
      for await event in stream {
        events.append(event)
        if isEnd(event) { break }
      }
      return events
    }
  }

  @Test func `A commit of another connection is heard`() async throws {
    let watch = watch()
    let heard = await events(of: watch) { _ in true }
    await watch.poll()
    try folder.execute("UPDATE Keeper SET age = 1")
    await expectEqual(heard.value, [.commit(version: 2)])
    await expectEqual(watch.version, 2)
  }

  @Test func `Many commits are few events, and the last one is heard`() async throws {
    let watch = FileWatch(folder.file, key: nil, schemaVersion: 0, interval: .milliseconds(200))
    let stream = await watch.events()
    let heard = Task {
      var count = 0
      for await event in stream {
        if case .commit = event { count += 1 }
      }
      return count
    }
    await watch.poll()
    for age in 0..<200 { try folder.execute("UPDATE Keeper SET age = \(age)") }
    await watch.poll()
    let heardOf = await watch.version
    await watch.poll()
    await expectEqual(watch.version, heardOf)
    await watch.finish("The studio has ended.")
    let count = await heard.value
    expectTrue(count >= 1)
    expectTrue(count < 60)
  }

  @Test func `A file that goes away ends it`() async throws {
    let watch = watch()
    let heard = await events(of: watch) { _ in false }
    await watch.poll()
    try FileManager.default.moveItem(
      at: folder.file, to: folder.url.appendingPathComponent("other.sqlite"))
    await expectEqual(heard.value, [.ended(reason: "The file was moved or deleted.")])
    // A later listener receives the event as well.
    let later = await events(of: watch) { _ in false }
    await expectEqual(later.value, [.ended(reason: "The file was moved or deleted.")])
  }

  @Test func `Another version of the schema is told once`() async throws {
    let watch = watch()
    let heard = await events(of: watch) { _ in true }
    await watch.poll()
    try folder.open(Zoo.types, version: 5) { _ in }
    let told = await heard.value
    guard case .schema(5, _, false)? = told.first else {
      Issue.record("\(told)")
      return
    }
    let later = await events(of: watch) { _ in true }
    await expectEqual(later.value, told)
    await watch.finish("")
  }

  /// Another file with the same classes, made at another time.
  private func other(_ version: UInt64 = 0) throws -> TestFolder {
    let other = try TestFolder()
    try other.open(Zoo.types, version: version) { _ in }
    return other
  }

  /// Replaces the contents of the shown file through SQLite, as another process restores a backup.
  private func restore(_ file: URL) throws {
    let source = try DatabaseQueue.otherProgram(at: file)
    let target = try DatabaseQueue.otherProgram(at: folder.file)
    try source.backup(to: target)
    try source.close()
    try target.close()
  }

  @Test(arguments: [0, 3])
  func `Another file that is restored in its place is told as that`(version: UInt64) async throws {
    let other = try other(version)
    let watch = watch()
    await watch.poll()
    try restore(other.file)
    await watch.poll()
    guard case .schema(version, _, true)? = await watch.missedEvents.first else {
      Issue.record("\(await watch.missedEvents)")
      return
    }
    await expectEqual(watch.version, 1)
    await watch.finish("")
  }

  /// Writes bytes into the file that is shown, as `cp` does.
  private func overwrite(with bytes: Data) throws { try bytes.write(to: folder.file) }

  @Test func `Another file that is copied over it is told as that`() async throws {
    let other = try other()
    let watch = watch()
    await watch.poll()
    try overwrite(with: Data(contentsOf: other.file))
    await watch.poll()
    guard case .schema(0, _, true)? = await watch.missedEvents.first else {
      Issue.record("\(await watch.missedEvents)")
      return
    }
    await watch.finish("")
  }

  @Test func `An earlier state of it that is copied over it is read by all`() async throws {
    let copy = folder.url.appendingPathComponent("copy.sqlite")
    try Realm.makeBackup(at: copy, for: Realm.Configuration(fileURL: folder.file))
    try folder.execute("UPDATE Keeper SET age = 99")
    let file = try await StudioFile(folder.file.path, key: nil, isWritable: false)
    await file.watch.poll()
    func ages() async throws -> [Int?] {
      try await file.reader.read { db, _ in
        try Int?.fetchAll(db, sql: "SELECT age FROM Keeper ORDER BY _id")
      }
    }
    try await expectEqual(ages(), [99, 99])
    let version = await file.watch.version
    try overwrite(with: Data(contentsOf: copy))
    await file.watch.poll()
    await expectTrue(file.watch.version > version)
    try await expectEqual(ages(), [36, nil])
    try await file.close("The test has ended.")
  }

  @Test func `A look into a file that is half copied leaves the change to the next one`()
    async throws
  {
    let bytes = try Data(contentsOf: folder.file)
    let watch = watch()
    await watch.poll()
    try overwrite(with: Data(repeating: 0x78, count: 4_096))
    await expectTrue(watch.poll())
    await expectEqual(watch.version, 1)
    try overwrite(with: bytes)
    await watch.poll()
    await expectEqual(watch.version, 2)
    await watch.finish("")
  }

  @Test func `A look beside one that closes the readers waits for it`() async throws {
    let bytes = try Data(contentsOf: folder.file)
    let watch = FileWatch(folder.file, key: nil, schemaVersion: 0, interval: .seconds(3_600))
    let (calls, called) = AsyncStream.makeStream(of: Void.self)
    let (opening, gate) = AsyncStream.makeStream(of: Void.self)
    await watch.begin {
      called.yield()
      for await _ in opening { break }
    }
    await watch.poll()
    try overwrite(with: bytes + Data(count: 4_096))
    let first = Task { await watch.poll() }
    for await _ in calls { break }
    let second = Task {
      await watch.poll()
      return await watch.version
    }
    for _ in 0..<100 { await Task.yield() }
    await expectEqual(watch.version, 1)
    gate.yield()
    await expectEqual(second.value, 2)
    await expectTrue(first.value)
    await watch.finish("")
  }

  // MARK: A file of Realm

  private func watch(copyOf file: URL) -> FileWatch {
    FileWatch(
      folder.file, key: nil, schemaVersion: 0, interval: .milliseconds(20),
      origin: RealmOrigin(file))
  }

  @Test func `A file of Realm that changes under its copy is told once, and to who comes later`()
    async throws
  {
    let file = folder.url.appendingPathComponent("default.realm")
    try Data("one".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file.path)
    let watch = watch(copyOf: file)
    let heard = await events(of: watch) { _ in false }
    await watch.poll()
    // As Realm does: into the same file, which may stay as long as it was.
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("two".utf8))
    try handle.close()
    for _ in 0..<3 { await watch.poll() }
    let event = FileEvent.outdated(
      message: "The file of Realm has changed since it was read: the page shows it as it was.",
      canLoadAgain: true)
    let later = await events(of: watch) { _ in true }
    await expectEqual(later.value, [event])
    await watch.finish("The studio has ended.")
    await expectEqual(heard.value, [event, .ended(reason: "The studio has ended.")])
    expectEqual(event.wire.name, "outdated")
  }

  @Test func `A file of Realm that goes away leaves its copy`() async throws {
    let file = folder.url.appendingPathComponent("default.realm")
    try Data("one".utf8).write(to: file)
    let watch = watch(copyOf: file)
    let heard = await events(of: watch) { _ in true }
    try FileManager.default.removeItem(at: file)
    await expectEqual(
      heard.value,
      [
        .outdated(
          message:
            "The file of Realm was moved or deleted. The page shows its copy, which is deleted "
            + "when the studio ends. Export the data that you need.", canLoadAgain: false)
      ])
    await expectNil(watch.endReason)
    await watch.finish("The studio has ended.")
  }
}
