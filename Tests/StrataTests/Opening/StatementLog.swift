import Foundation
import GRDBSQLite
import Synchronization

/// The statements that connections of this process run on some files, noted by SQLite itself.
enum StatementLog {
  struct Line: Sendable {
    /// Tells one connection from the others that are open at the same time.
    var connection: Int
    var sql: String
  }

  private static let lines = Mutex<[String: [Line]]>([:])
  private static let registered: Void = register()

  /// The statements on a file while a closure runs, of connections that are opened in it.
  static func lines(on file: URL, _ body: () throws -> Void) rethrows -> [Line] {
    _ = registered
    let path = file.resolvingSymlinksInPath().path
    lines.withLock { $0[path] = [] }
    try body()
    return lines.withLock { $0.removeValue(forKey: path) } ?? []
  }

  private typealias Opened =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, OpaquePointer?
    ) -> Int32

  private static func register() {
    let opened: Opened = { connection, _, _ in
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, _, statement, text in
          StatementLog.record(
            OpaquePointer(statement), text?.assumingMemoryBound(to: CChar.self))
          return 0
        }, nil)
    }
    sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
  }

  private static func record(_ statement: OpaquePointer?, _ text: UnsafePointer<CChar>?) {
    guard let text, let connection = sqlite3_db_handle(statement),
      let name = sqlite3_db_filename(connection, "main")
    else { return }
    let path = String(cString: name)
    lines.withLock { lines in
      guard lines[path] != nil else { return }
      lines[path]?.append(Line(connection: Int(bitPattern: connection), sql: String(cString: text)))
    }
  }
}

extension [StatementLog.Line] {
  /// The lines that begin with a text.
  func beginning(_ start: String) -> [StatementLog.Line] { filter { $0.sql.hasPrefix(start) } }
}
