import Foundation
import GRDB
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// Files of Realm that change while the studio shows a copy of them.
@Suite struct ChangedRealmFileTests {
  private let folder: TestFolder
  private let original: URL
  private let made = Made()

  /// The counts of copies that were made, and of copies that still exist.
  private final class Made: Sendable {
    let count = Mutex(0)
    let present = Mutex(0)
    let fails = Mutex(false)
  }

  /// The owner of a copy, which deletes the copy when released.
  private final class Owner: Sendable {
    private let url: URL
    private let made: Made

    init(_ url: URL, _ made: Made) {
      self.url = url
      self.made = made
      made.present.withLock { $0 += 1 }
    }

    deinit {
      do {
        try FileManager.default.removeItem(at: url)
      } catch {
        Issue.record("The copy can't be removed: \(error)")
      }
      made.present.withLock { $0 -= 1 }
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    let description = "'default.realm': It is damaged."
  }

  init() throws {
    folder = try TestFolder()
    original = folder.url.appendingPathComponent("default.realm")
    try Data("0".utf8).write(to: original)
  }

  /// A copy in which the keeper is as old as there were copies.
  private func copy() throws -> RealmCopy { try Self.copy(original, made) }

  private static func copy(_ original: URL, _ made: Made) throws -> RealmCopy {
    let origin = RealmOrigin(original)
    let age = made.count.withLock { count in
      count += 1
      return count
    }
    let zoo = try Zoo.folder()
    try zoo.execute("UPDATE Keeper SET age = \(age)")
    let url = original.deletingLastPathComponent().appendingPathComponent("\(age).sqlite")
    try FileManager.default.copyItem(at: zoo.file, to: url)
    return RealmCopy(url, of: origin, owner: Owner(url, made)) { told in
      told(0.5)
      if made.fails.withLock({ $0 }) { throw Unreadable() }
      return try copy(original, made)
    }
  }

  private func change() throws {
    let handle = try FileHandle(forWritingTo: original)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("1".utf8))
    try handle.close()
  }

  private func age(_ reader: FileReader) async throws -> Int? {
    try await reader.read { db, _ in
      try Int.fetchOne(db, sql: "SELECT age FROM Keeper WHERE _id = 1")
    }
  }

  @Test func `They are read again, and the copy before goes`() async throws {
    let file = try await StudioFile(
      original.path, key: nil, isWritable: false, copy: try copy())
    for age in 2...4 {
      try change()
      await file.watch.poll()
      let version = await file.watch.version
      try await file.copyAgain()
      try await expectEqual(self.age(file.reader), age)
      try await expectEqual(self.age(file.slowReader), age)
      await expectEqual(file.watch.version, version + 1)
      expectEqual(made.present.withLock { $0 }, 1)
    }
    try await file.close("The test has ended.")
    expectEqual(made.present.withLock { $0 }, 0)
  }

  @Test func `A file that is as it was isn't copied again`() async throws {
    let file = try await StudioFile(
      original.path, key: nil, isWritable: false, copy: try copy())
    try await file.copyAgain()
    expectEqual(made.count.withLock { $0 }, 1)
    try FileManager.default.removeItem(at: original)
    try await file.copyAgain()
    expectEqual(made.count.withLock { $0 }, 1)
    try await expectEqual(age(file.reader), 1)
    try await file.close("The test has ended.")
  }

  @Test func `Several pages that want it get one copy`() async throws {
    let file = try await StudioFile(
      original.path, key: nil, isWritable: false, copy: try copy())
    try change()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await file.copyAgain() } }
      for _ in 0..<8 { group.addTask { _ = try await file.reader.open() } }
      try await group.waitForAll()
    }
    expectEqual(made.count.withLock { $0 }, 2)
    try await expectEqual(age(file.reader), 2)
    try await file.close("The test has ended.")
  }

  @Test func `A copy is there as long as a long answer reads it`() async throws {
    let file = try await StudioFile(
      original.path, key: nil, isWritable: false, copy: try copy())
    try change()
    try await file.withShown { shown in
      try await file.copyAgain()
      expectEqual(made.present.withLock { $0 }, 2)
      let reader = FileReader(shown.configuration, name: "export")
      try await expectEqual(age(reader), 1)
      await reader.close()
    }
    expectEqual(made.present.withLock { $0 }, 1)
    try await file.close("The test has ended.")
  }

  @Test func `Without a readable file the copy stays, and the pages hear of the next change`()
    async throws
  {
    let file = try await StudioFile(
      original.path, key: nil, isWritable: false, copy: try copy())
    try change()
    made.fails.withLock { $0 = true }
    await #expect(
      throws: RequestFailure(
        .unavailable, "file",
        "The file can't be read again, so the page shows it as it was. 'default.realm': It is "
          + "damaged.")
    ) { try await file.copyAgain() }
    try await expectEqual(age(file.reader), 1)
    made.fails.withLock { $0 = false }
    try await file.copyAgain()
    try await expectEqual(age(file.reader), 2)
    var events = await file.watch.events().makeAsyncIterator()
    try change()
    await file.watch.poll()
    await expectEqual(
      events.next(),
      .outdated(
        message: "The file of Realm has changed since it was read: the page shows it as it was.",
        canLoadAgain: true))
    try await file.close("The test has ended.")
  }
}
