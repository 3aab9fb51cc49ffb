import Foundation
import StrataStorage
import StrataTestKit
import TestKit
import Testing

/// The folder of copies, which several files may share.
@Suite struct BackupFolderTests {
  @Test func `Copies of one millisecond have names of their own`() throws {
    let folder = try TestFolder()
    let copies = folder.url.appendingPathComponent("copies")
    let backups = BackupFolder(
      of: folder.url.appendingPathComponent("people.sqlite"), MigrationBackup(directory: copies))
    try backups.make()
    let now = Date(timeIntervalSince1970: 1_764_000_000)
    for _ in 0..<3 {
      try Data().write(to: backups.newCopy(version: 2, at: now), options: .withoutOverwriting)
    }
    let made = try backups.backups()
    expectEqual(made.map(\.schemaVersion), [2, 2, 2])
    expectTrue(made.allSatisfy { abs($0.createdAt.timeIntervalSince(now)) < 0.01 })
  }
}
