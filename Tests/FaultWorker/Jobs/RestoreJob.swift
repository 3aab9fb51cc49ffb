import Foundation
import GRDB
import Strata

extension Job {
  /// A copy takes the place of a file whose pages have another size: it is copied once more beside
  /// the file, with pages of that size.
  static let restore = Job(
    prepare: { file in
      try migrate.prepare(copy(of: file))
      let queue = try DatabaseQueue(path: copy(of: file).path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;
            PRAGMA journal_mode = WAL
            """)
      }
      try queue.close()
      try compact.prepare(file)
    },
    run: { file in
      try Realm.restoreBackup(at: copy(of: file), for: Before.configuration(file))
    })

  private static func copy(of file: URL) -> URL {
    file.deletingLastPathComponent().appendingPathComponent("seed")
  }
}
