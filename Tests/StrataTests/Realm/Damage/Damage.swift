import Foundation
import Strata
import StrataTestKit
import TestKit

/// A damage of a file, by seed.
struct Damage {
  /// The damage in a few words.
  let text: String
  /// Whether a full check must find it.
  let isFindable: Bool
  let apply: (TestFolder) throws -> Void

  private init(
    _ text: String, isFindable: Bool = false, _ apply: @escaping (TestFolder) throws -> Void
  ) {
    self.text = text
    self.isFindable = isFindable
    self.apply = apply
  }

  static func make(_ random: inout SplitMix64, hasLog: Bool) -> Damage {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: bytes(&random, of: hasLog && Bool.random(using: &random) ? "-wal" : "")
    case 4: other(&random)
    default: statements(&random)
    }
  }

  // MARK: Bytes

  private static func bytes(_ random: inout SplitMix64, of suffix: String) -> Damage {
    let kind = Int.random(in: 0..<8, using: &random)
    var random = random
    let name = suffix.isEmpty ? "file" : "log"
    let kinds = [
      "flipped bit", "flipped bits", "cut off", "cut off in a page", "zeroed page", "swapped pages",
      "garbage", "changed header",
    ]
    return Damage("\(kinds[kind]) of the \(name)") { folder in
      let url = URL(fileURLWithPath: folder.file.path + suffix)
      var data = [UInt8](try Data(contentsOf: url))
      let pages = max(1, data.count / 4096)
      func any(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
      switch kind {
      case 0: data[any(data.count)] ^= 1 << UInt8(any(8))
      case 1: for _ in 0..<50 { data[any(data.count)] ^= 1 << UInt8(any(8)) }
      case 2: data.removeLast(any(pages) * 4096)
      case 3: data.removeLast(any(data.count))
      case 4:
        let start = any(pages) * 4096
        for index in start..<min(start + 4096, data.count) { data[index] = 0 }
      case 5:
        let first = any(pages) * 4096
        let second = any(pages) * 4096
        for index in 0..<4096 where max(first, second) + index < data.count {
          data.swapAt(first + index, second + index)
        }
      case 6:
        let start = any(data.count)
        for index in start..<min(start + 1 + any(600), data.count) { data[index] = UInt8(any(256)) }
      default: data[any(min(100, data.count))] = UInt8(any(256))
      }
      try Data(data).write(to: url)
    }
  }

  // MARK: Something else in its place

  private static func other(_ random: inout SplitMix64) -> Damage {
    let damages = [
      Damage("an empty file") { try Data().write(to: $0.file) },
      Damage("a text") { try Data("no database".utf8).write(to: $0.file) },
      Damage("a long text") { try Data(repeating: 65, count: 9_000).write(to: $0.file) },
      Damage("only the header") {
        try Data(contentsOf: $0.file).prefix(100).write(to: $0.file)
      },
      Damage("a folder") { folder in
        try FileManager.default.removeItem(at: folder.file)
        try FileManager.default.createDirectory(
          at: folder.file, withIntermediateDirectories: false)
      },
      Damage("the WAL of another file") { folder in
        let other = try TestFolder()
        let log = try other.open([V0.Person.self]) { realm in
          try realm.write { realm.create(V0.Person.self, value: ["name": "other"]) }
          return try Data(contentsOf: URL(fileURLWithPath: other.file.path + "-wal"))
        }
        try log.write(to: URL(fileURLWithPath: folder.file.path + "-wal"))
      },
      Damage("a WAL of garbage") {
        try Data(repeating: 200, count: 10_000).write(
          to: URL(fileURLWithPath: $0.file.path + "-wal"))
      },
      Damage("a journal of garbage") {
        try Data(repeating: 200, count: 10_000).write(
          to: URL(fileURLWithPath: $0.file.path + "-journal"))
      },
      Damage("another database", isFindable: true) { folder in
        for suffix in ["", "-wal", "-shm"] {
          let path = folder.file.path + suffix
          if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
          }
        }
        try folder.execute("CREATE TABLE Thing (x); INSERT INTO Thing VALUES (1)")
      },
    ]
    return damages[Int.random(in: 0..<damages.count, using: &random)]
  }

  // MARK: Statements of another program

  private static func statements(_ random: inout SplitMix64) -> Damage {
    let sql = DamagingSQL.all[Int.random(in: 0..<DamagingSQL.all.count, using: &random)]
    let row = Int.random(in: 1...12, using: &random)
    return Damage(sql.text, isFindable: sql.isFindable) { folder in
      try folder.execute(
        sql.text.replacingOccurrences(of: "#", with: "\(row)"), foreignKeys: false)
    }
  }
}

/// Statements that make a file another one than the library left, with `#` for a row.
enum DamagingSQL {
  static let all: [(text: String, isFindable: Bool)] =
    found.map { ($0, true) } + harmless.map { ($0, false) }

  private static let found = [
    "UPDATE strata_schema_version SET schema = 'no JSON'",
    "UPDATE strata_schema_version SET schema = '{}'",
    "UPDATE strata_schema_version SET schema = ''",
    "UPDATE strata_schema_version SET schema = '{\"classes\":[],\"format\":2}'",
    "UPDATE strata_schema_version SET schema = replace(schema, '\"format\":1', '\"format\":-1')",
    "UPDATE strata_schema_version SET schema = replace(schema, '\"type\":\"int\"', '\"type\":\"x\"')",
    "UPDATE strata_schema_version SET schema = replace(schema, '\"name\":\"city\"', '\"name\":\"x\"')",
    "UPDATE strata_schema_version SET schema = replace(schema, '\"name\":\"Place\"', '\"name\":\"x\"')",
    "UPDATE strata_schema_version SET schema = replace(schema, 'list', 'map')",
    "UPDATE strata_schema_version SET version = -5",
    "UPDATE strata_schema_version SET migrated_at = 'never'",
    "DELETE FROM strata_schema_version",
    "DROP TABLE strata_schema_version",
    "DROP TABLE strata_schema_version; CREATE TABLE strata_schema_version (version TEXT, schema, "
      + "migrated_at); INSERT INTO strata_schema_version VALUES ('one', 2, x'00')",
    "DROP TABLE strata_schema_version; CREATE VIEW strata_schema_version AS SELECT 1 AS version",
    "DROP TABLE Place", "DROP TABLE Thing_friends", "DROP TABLE Thing_numbers",
    "ALTER TABLE Thing RENAME TO Thong", "ALTER TABLE Thing RENAME COLUMN ratio TO rate",
    "ALTER TABLE Thing_words RENAME COLUMN position TO place",
    "DROP TABLE Thing_words; CREATE TABLE Thing_words (owner, position, value)",
    "DROP TABLE Thing_words; CREATE VIEW Thing_words AS SELECT 1 AS owner, 1 AS position, 'x' AS value",
    "DROP INDEX \"Thing.id\"", "DROP INDEX \"Thing.name\"", "DROP INDEX \"Thing.friend\"",
    "DROP INDEX \"Thing_numbers.value\"", "DROP TRIGGER strata_delete_Thing",
    "DROP TRIGGER \"strata_replace_Thing.home\"",
    "CREATE TRIGGER strata_delete_x AFTER DELETE ON Thing BEGIN DELETE FROM Place; END",
    "UPDATE Thing SET date = 'yesterday' WHERE _id = #",
    "UPDATE Thing SET date = '' WHERE _id = #",
    "UPDATE Thing SET dateOptional = '9999-99-99 99:99:99' WHERE _id = #",
    "UPDATE Thing SET uuid = 'x', objectId = 'y', price = 'z' WHERE _id = #",
    "UPDATE Thing SET flag = 12345678901 WHERE _id = #",
    "UPDATE Thing SET name = CAST(x'ff00fe' AS TEXT) WHERE _id = #",
    "UPDATE Thing SET note_type = 'int', note = 'text' WHERE _id = #",
    "UPDATE Thing SET note_type = NULL, note = 5 WHERE _id = #",
    "UPDATE Thing SET note_type = '<>', note = 5 WHERE _id = #",
    "UPDATE Thing SET note_type = '<Nobody>', note = 5 WHERE _id = #",
    "UPDATE Thing SET note_type = '<Thing>', note = 'five' WHERE _id = #",
    "UPDATE Thing SET note_type = '<Place>', note = 1 WHERE _id = #",
    "UPDATE Thing SET note_type = 'date', note = x'00' WHERE _id = #",
    "UPDATE Thing SET friend = 9223372036854775807 WHERE _id = #",
    "UPDATE Thing SET friend = -1 WHERE _id = #",
    "DROP TRIGGER \"strata_replace_Thing.home\"; UPDATE Thing SET home = 1 + # % 2",
    "DROP TRIGGER \"strata_replace_Thing.home\"; UPDATE Thing SET home = NULL",
    "UPDATE Thing_friends SET value = 777 WHERE owner = #",
    "UPDATE Thing_byRole SET value = 777 WHERE owner = # AND key = 'next'",
    "DROP TRIGGER strata_delete_Thing; DELETE FROM Thing WHERE _id = #",
    "DROP TRIGGER strata_delete_Place; DROP TRIGGER strata_delete_Thing_places; DELETE FROM Place",
    "INSERT INTO Thing_words VALUES (500 + #, 1, 'nobody''s')",
    "INSERT INTO Place (city) VALUES ('nowhere')",
    "DROP INDEX \"Thing.id\"; UPDATE Thing SET id = 1",
    "DROP INDEX \"Thing_numbers.value\"; DROP INDEX \"Thing_numbers.value nil\"; INSERT INTO "
      + "Thing_numbers SELECT * FROM Thing_numbers",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') "
      + "WHERE name = 'Place'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'Place'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 999 WHERE name = 'Place'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'Thing'",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'Thing.id'",
  ]

  /// Changes that other programs may make, or that may be intended.
  private static let harmless = [
    "INSERT INTO strata_schema_version (version, schema, migrated_at) "
      + "SELECT 9, schema, migrated_at FROM strata_schema_version",
    "INSERT INTO strata_schema_version (version, schema, migrated_at) "
      + "SELECT 9223372036854775807, schema, migrated_at FROM "
      + "strata_schema_version",
    "UPDATE strata_schema_version SET version = 4",
    "UPDATE strata_schema_version SET schema = '{\"classes\":[],\"format\":1}'",
    "UPDATE strata_schema_version SET schema = replace(schema, '\"type\":\"string\"', "
      + "'\"type\":\"string\",\"later\":1')",
    "UPDATE Thing_friends SET position = -position * 1000",
    "UPDATE Thing_friends SET position = 9223372036854775807 - position",
    "UPDATE Thing_words SET position = -9223372036854775807 + position",
    "ALTER TABLE Thing ADD COLUMN extra TEXT DEFAULT 'x'", "CREATE TABLE other (x)",
    "CREATE INDEX mine ON Thing(number)", "CREATE VIEW v AS SELECT * FROM Thing",
    "CREATE TRIGGER mine AFTER UPDATE ON Thing BEGIN SELECT 1; END",
    "UPDATE sqlite_sequence SET seq = 0", "DELETE FROM sqlite_sequence",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "DELETE FROM Thing WHERE _id = #", "DELETE FROM Thing", "DROP TABLE grdb_migrations",
    "DELETE FROM grdb_migrations", "INSERT INTO grdb_migrations VALUES ('strata schema version 1')",
    "PRAGMA user_version = 77", "PRAGMA journal_mode = DELETE", "PRAGMA application_id = 1",
    "UPDATE Thing SET number = -9223372036854775807 WHERE _id = #",
    "UPDATE Thing SET ratio = 9e999 WHERE _id = #", "VACUUM",
  ]
}
