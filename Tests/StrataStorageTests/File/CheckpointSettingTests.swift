import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

/// The checkpoint setting: no connection of the library checkpoints at a commit, see
/// ``Checkpointer``.
@Suite struct CheckpointSettingTests {
  private static let kinds: [(name: String, open: @Sendable (TestFolder) throws -> DatabaseQueue)] =
    [
      ("reader", { try Connections.openReader($0.file, nil, for: .store).0 }),
      ("look", { try Connections.openReader($0.file, nil, for: .inspection).0 }),
      ("read-only", { try Connections.openReadOnly($0.file, nil).0 }),
      ("checker", { try Connections.openChecker($0.file, nil) }),
      ("copy", { try Connections.openCopy($0.file, nil) }),
      ("writer", { try Connections.openWriter($0.file, nil, busyTimeout: BusyTimeout()) }),
      (
        "looking, then writing",
        {
          let looking = try Connections.openChangeable($0.file, nil, busyTimeout: BusyTimeout())
          return try Connections.makeWriter(of: #require(looking), busyTimeout: BusyTimeout())
        }
      ),
    ]

  @Test(arguments: kinds.indices)
  func `A connection makes no checkpoint at a commit`(kind: Int) throws {
    let folder = try TestFolder()
    try folder.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let queue = try Self.kinds[kind].open(folder)
    let frames = try queue.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") }
    expectEqual(frames, 0, "\(Self.kinds[kind].name)")
    try queue.close()
  }

  @Test func `A WAL is read while a reader needs it, and no longer`() throws {
    let folder = try TestFolder()
    let writer = try Connections.openWriter(folder.file, nil, busyTimeout: BusyTimeout())
    let reader = try Connections.openReader(folder.file, nil, for: .store).0
    try writer.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE t (a)") }
    func isRead() -> Bool { writer.unsafeRead { Checkpointer.isRead($0) } }
    expectFalse(isRead())
    try reader.unsafeRead { try $0.execute(sql: "BEGIN; SELECT * FROM t") }
    expectTrue(isRead())
    try reader.unsafeRead { try $0.execute(sql: "COMMIT") }
    expectFalse(isRead())
    try reader.close()
    try writer.close()
  }
}
