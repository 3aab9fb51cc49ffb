#if os(Linux)
  import Foundation
  import GRDB
  import Strata
  import TestKit
  import Testing

  @testable import StrataCommand

  /// A million objects in a real PostgreSQL.
  @Suite(.enabled(if: PostgresDatabase.hasServer), .serialized)
  struct PostgresMillionTests {
    private class Visit: Object {
      @Persisted(indexed: true) var name = ""
      @Persisted var count = 0
      @Persisted var price = 0.0
      @Persisted var isPaid = false
      @Persisted var date = Date(timeIntervalSince1970: 0)
      @Persisted var previous: Visit?
      @Persisted var tags: List<String>
      override class func _realmObjectName() -> String? { "Visit" }
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let objects = 1_000_000

    private let folder: CommandFolder
    private let database: PostgresDatabase

    init() throws {
      folder = try CommandFolder()
      database = try PostgresDatabase()
    }

    private func makeFile() throws {
      let configuration = Realm.Configuration(
        fileURL: folder.url("a.sqlite"), objectTypes: [Visit.self])
      try { try Realm(configuration: configuration).write {} }()
      try folder.execute(
        """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(Self.objects))
          INSERT INTO Visit (_id, name, count, price, isPaid, date, previous)
          SELECT x, 'visit' || char(9) || x, x * 7919 % 1000003, x % 1000 * 0.25, x % 2,
            strftime('%Y-%m-%d %H:%M:%S', 1700000000 + x * 61, 'unixepoch')
              || printf('.%06d000', x % 1000000),
            nullif(x / 2, 0) FROM n;
        INSERT INTO Visit_tags SELECT _id, 0, 'tag\\' || _id % 17 FROM Visit WHERE _id % 4 = 0;
        """, in: "a.sqlite")
    }

    @Test func `A million objects are the same, and take little memory`() throws {
      try makeFile()
      let process = Tool.process(
        ["export", "a.sqlite", "--postgres", "-o", "out.sql", "--quiet"], in: folder)
      try process.run()
      var peak = 0
      while process.isRunning {
        peak = max(peak, Tool.peakMemory(of: process))
        usleep(10_000)
      }
      expectEqual(process.terminationStatus, 0)
      // All of it has more than 80 megabytes.
      expectTrue(peak > 1000)
      expectTrue(peak < 60_000)
      try expectEqual(
        database.load(folder.url("out.sql")), Tool.Outcome(status: 0, output: "", errors: ""))

      try database.write(
        """
        SELECT _id, name, count, (price * 4)::bigint, "isPaid"::int, \
        to_char(date AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), previous \
        FROM "Visit" ORDER BY _id
        """, to: folder.url("objects.txt"))
      try database.write(
        "SELECT owner, position, value FROM \"Visit_tags\" ORDER BY owner, position",
        to: folder.url("tags.txt"))
      try folder.sql("a.sqlite") { db in
        try write(
          db,
          """
          SELECT _id || char(9) || replace(name, char(9), '\\t') || char(9) || count || char(9)
            || CAST(price * 4 AS INTEGER) || char(9) || isPaid || char(9) || substr(date, 1, 26)
            || char(9) || ifnull(previous, '\\N') FROM Visit ORDER BY _id
          """, to: "objects-file.txt")
        try write(
          db,
          """
          SELECT owner || char(9) || position || char(9) || replace(value, '\\', '\\\\')
            FROM Visit_tags ORDER BY owner, position
          """, to: "tags-file.txt")
      }
      for name in ["objects", "tags"] {
        expectTrue(
          FileManager.default.contentsEqual(
            atPath: folder.url("\(name).txt").path,
            andPath: folder.url("\(name)-file.txt").path))
      }
      try expectEqual(
        database.lines("SELECT count(*), sum(previous) FROM \"Visit\""),
        ["1000000\t\((1...Self.objects).reduce(0) { $0 + $1 / 2 })"])
    }

    /// Writes the texts of a query as lines.
    private func write(_ db: Database, _ sql: String, to name: String) throws {
      var lines = Data()
      let texts = try String.fetchCursor(db, sql: sql)
      while let text = try texts.next() {
        lines.append(contentsOf: text.utf8)
        lines.append(0x0A)
      }
      try lines.write(to: folder.url(name))
    }
  }
#endif
