import Foundation
import GRDB
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// Values, names and rules that differ in PostgreSQL, tested with a real server.
@Suite(.enabled(if: PostgresDatabase.hasServer), .serialized)
struct PostgresValuesTests {
  typealias Everything = PostgresModels.Everything
  typealias Home = PostgresModels.Home

  private let folder: CommandFolder
  private let database: PostgresDatabase

  init() throws {
    folder = try CommandFolder()
    database = try PostgresDatabase()
  }

  private func realm(_ classes: [ObjectBase.Type]) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.url("a.sqlite"), objectTypes: classes))
  }

  /// Exports and loads the file; what the command said of it.
  private func load() throws -> String {
    let exported = try Tool.run(
      ["export", "a.sqlite", "--postgres", "-o", "out.sql"], in: folder)
    expectEqual(exported.status, 0, "\(exported.errors)")
    let loaded = try database.load(folder.url("out.sql"))
    expectEqual(loaded, Tool.Outcome(status: 0, output: "", errors: ""))
    return exported.errors
  }

  private func differences() throws -> [String] {
    try folder.sql("a.sqlite") { db in
      var comparison = PostgresComparison(db, database)
      try comparison.compare()
      return comparison.differences
    }
  }

  private func hostile(_ key: String?) throws -> Everything {
    let object = Everything()
    object.key = key
    object.int = .min
    object.bool = true
    object.float = .leastNonzeroMagnitude
    object.double = -.infinity
    object.string = "\\.\n\\N\t\r\u{1}\"'$$ é e\u{301} 日本 👩‍👧 \u{202E}"
    object.text = "The quick brown fox; naïve"
    object.data = Data([0, 9, 10, 13, 92, 255])
    object.date = .distantPast
    object.uuid = UUID()
    object.decimal = try Decimal128(string: "-9.999999999999999999999999999999999E+6144")
    object.any = .double(1e300)
    object.maybeInt = .max
    object.maybeDate = Date(timeIntervalSince1970: 253_402_300_799.5)
    object.maybeDecimal = try Decimal128(string: "1E-6176")
    object.home = Home(value: ["street": "7 Quay Street", "rooms": ["hall", "bath"]])
    object.homes.append(Home(value: ["street": "\\", "rooms": [] as [String]]))
    object.strings.append(objectsIn: ["b", "", "a", "b", "\\."])
    object.maybeStrings.append(objectsIn: [nil, "", nil])
    object.texts.insert(objectsIn: ["", "a", "A", "ä", "a\u{308}"])
    object.maybeInts.insert(objectsIn: [nil, 1, -1])
    object.blobs.insert(objectsIn: [Data(), Data([0]), Data([0, 0])])
    object.numbers["é"] = .greatestFiniteMagnitude
    object.numbers[""] = -0.5
    object.anyMap["none"] = AnyRealmValue.none
    object.anyMap["list"] = .fromArray([.int(1), .double(1), .double(1e20), .string("$x"), .none])
    object.anyMap["data"] = .data(Data([1, 2, 3]))
    return object
  }

  @Test func `Values of all types at their limits are the same`() throws {
    try {
      let realm = try realm([Everything.self, Home.self])
      try realm.write {
        let (first, second) = (try hostile("a"), try hostile(nil))
        second.double = .leastNonzeroMagnitude
        second.float = -.infinity
        second.decimal = try Decimal128(string: "Infinity")
        second.maybeDecimal = try Decimal128(string: "NaN")
        second.any = .fromDictionary([
          "$ref": .string("x"), "b": .decimal128("1.50"), "é": .bool(true),
        ])
        realm.add([first, second])
        // Each links to the other one, and to itself.
        first.friend = second
        second.friend = first
        first.friends.append(objectsIn: [second, first, second])
        first.friendsByRole["self"] = first
        first.friendsByRole["none"] = .some(nil)
        first.any = .object(second)
        first.anySet.insert(objectsIn: [
          .none, .int(1), .double(1), .float(1), .bool(true), .string("1"), .object(first),
        ])
        first.dates.insert(objectsIn: [.distantPast, Date(timeIntervalSince1970: -0.25)])
        first.decimals.insert(objectsIn: ["1.5", "-0.001", "1E+3"])
      }
    }()
    try expectEqual(load(), "")
    try expectEqual(differences(), [])
    try expectEqual(
      database.lines(
        "SELECT value FROM \"Everything_strings\" WHERE owner = 1 ORDER BY position"),
      ["b", "", "a", "b", #"\\."#])
    // An AnyRealmValue finds its object.
    try expectEqual(
      database.lines(
        """
        SELECT e._id FROM "Everything" AS o JOIN "Everything" AS e \
        ON o."any" ->> '$ref' = 'Everything' AND e._id = (o."any" ->> '$id')::bigint
        """), ["2"])
  }

  @Test func `What PostgreSQL can't hold is said, and loads`() throws {
    try {
      let realm = try realm([Everything.self, Home.self])
      try realm.write {
        let object = realm.create(Everything.self)
        object.string = "a\0b"
        object.any = .fromArray([.string("\0")])
        object.date = Date(timeIntervalSinceReferenceDate: 700_000_000.1)
        object.maybeDate = Date(timeIntervalSince1970: 1_735_689_599.9999998)
        // Two dates that are one in microseconds, and two texts that are one without a zero.
        object.dates.insert(objectsIn: [
          Date(timeIntervalSinceReferenceDate: 700_000_000.0000001),
          Date(timeIntervalSinceReferenceDate: 700_000_000.0000003),
        ])
        object.texts.insert(objectsIn: ["\0", "\u{FFFD}"])
        object.decimals.insert(objectsIn: ["1.5"])
      }
    }()
    try folder.execute(
      """
      INSERT INTO "Everything_decimals" VALUES (1, '1.50');
      UPDATE "Everything" SET uuid = 'none', "objectId" = 'x';
      """, in: "a.sqlite")
    try expectEqual(
      load(),
      """
      strata: Everything.string: 1 text with U+0000, which PostgreSQL refuses: U+FFFD stands in its place.
      strata: Everything.date: 1 date was rounded to microseconds.
      strata: Everything.uuid: 1 value can't be read: nil or zero, as Strata reads it.
      strata: Everything.objectId: 1 value can't be read: nil or zero, as Strata reads it.
      strata: Everything.any: 1 text with U+0000, which PostgreSQL refuses: U+FFFD stands in its place.
      strata: Everything.maybeDate: 1 date was rounded to microseconds.
      strata: Everything.dates: 2 dates were rounded to microseconds.
      strata: Everything.texts: 1 text with U+0000, which PostgreSQL refuses: U+FFFD stands in its place.

      """)
    try expectEqual(
      database.lines(
        """
        SELECT string, "any", date AT TIME ZONE 'UTC', "maybeDate" AT TIME ZONE 'UTC', uuid, \
        "objectId" FROM "Everything"
        """),
      [
        "a\u{FFFD}b\t[\"\u{FFFD}\"]\t2023-03-08 20:26:40.1\t2025-01-01 00:00:00\t"
          + "00000000-0000-0000-0000-000000000000\t000000000000000000000000"
      ])
    for (table, count) in [("dates", "1"), ("texts", "1"), ("decimals", "1")] {
      try expectEqual(database.lines("SELECT count(*) FROM \"Everything_\(table)\""), [count])
    }
  }

  @Test func `Keys, elements and texts of any length load, and stay unique`() throws {
    let long = String(
      decoding: (0..<400_000).map { _ in UInt8.random(in: 33...126) }, as: UTF8.self)
    try {
      let realm = try realm([Everything.self, Home.self])
      try realm.write {
        let object = Everything(value: ["key": long, "string": long])
        realm.add(object)
        object.text = (0..<100_000).map { "w\($0)" }.joined(separator: " ") + " last"
        object.texts.insert(objectsIn: [long, long + "a"])
        object.blobs.insert(objectsIn: [Data(long.utf8)])
        object.anySet.insert(.string(long))
        object.numbers[long] = 1
      }
    }()
    let findings = try load()
    expectTrue(
      findings.contains(
        "strata: Everything.key: Values are too long for an index of PostgreSQL. The index "
          + "contains their hashes instead.\n"))
    expectTrue(
      findings.contains(
        "strata: Everything.text: The words of the first 160,000 characters are indexed.\n"))
    try expectEqual(differences(), [])
    #expect(throws: PostgresDatabase.Failure.self) {
      try database.execute(
        "INSERT INTO \"Everything_texts\" SELECT * FROM \"Everything_texts\" LIMIT 1")
    }
    #expect(throws: PostgresDatabase.Failure.self) {
      try database.execute(
        "INSERT INTO \"Everything\" (\(Self.columns)) SELECT \(Self.columns) FROM \"Everything\"")
    }
  }

  private static let columns = """
    key, "int", bool, "float", double, string, text, data, date, uuid, "objectId", "decimal"
    """

  @Test func `Names that PostgreSQL has for itself, or can't hold, are others`() throws {
    try {
      let realm = try realm([
        PostgresModels.Hostile.self, PostgresModels.Long.self, PostgresModels.Catalog.self,
      ])
      try realm.write {
        let hostile = PostgresModels.Hostile(value: ["ctid": 5, "select": "s", "xmin": "x"])
        realm.add(hostile)
        hostile.next = hostile
        hostile.aPropertyWhoseNameIsLongerThanPostgreSQLEverAllowsForAnyNameOfAColumn2 = 2
        let long = PostgresModels.Long(value: ["id": 1])
        realm.add(long)
        long.aListWhoseNameMakesTheNameOfItsTableTooLong.append(objectsIn: [3, 1])
        long.aListWhoseNameMakesTheNameOfItsTableTooLong2.append(objectsIn: [2])
        realm.add(PostgresModels.Catalog(value: ["relname": "mine"]))
      }
    }()
    let findings = try load()
    expectTrue(findings.contains("strata: pg_class has the name '_pg_class' in PostgreSQL.\n"))
    expectTrue(findings.contains(".ctid has the name 'ctid_2' in PostgreSQL.\n"))
    expectEqual(findings.split(separator: "\n").count, 7)
    try expectEqual(database.lines("SELECT relname FROM _pg_class"), ["mine"])
    try expectEqual(
      database.lines(
        """
        SELECT ctid_2, "select", xmin_2, next FROM "a""b'; DROP TABLE x; --\\"
        """), ["5\ts\tx\t1"])
    let tables = try database.lines(
      """
      SELECT obj_description(oid), relname FROM pg_catalog.pg_class WHERE relkind = 'r' \
      AND relname LIKE 'AClass%' AND obj_description(oid) IS NOT NULL ORDER BY 1
      """)
    expectEqual(tables.count, 2)
    for (line, values) in zip(tables, [["3", "1"], ["2"]]) {
      let table = line.split(separator: "\t")[1]
      try expectEqual(
        database.lines("SELECT value FROM \"\(table)\" ORDER BY position"), values)
    }
  }

  @Test func `Rules of the file are rules of the database`() throws {
    try {
      let realm = try realm([Everything.self, Home.self])
      try realm.write {
        let (first, second, third) = (try hostile("a"), try hostile("b"), try hostile("c"))
        realm.add([first, second, third])
        realm.delete(third)
        second.friend = first
        second.friends.append(objectsIn: [first, second])
        second.friendsByRole["x"] = first
      }
    }()
    _ = try load()
    // The identity goes on behind one that was deleted.
    try database.execute("INSERT INTO \"Home\" (street) VALUES ('new')")
    try expectEqual(database.lines("SELECT max(_id) FROM \"Home\""), ["7"])
    // A child goes with its parent, and its own list with it; links become NULL, elements go.
    try database.execute("DELETE FROM \"Everything\" WHERE key = 'a'")
    try expectEqual(
      database.lines("SELECT street FROM \"Home\" ORDER BY _id"), ["7 Quay Street", #"\\"#, "new"])
    try expectEqual(database.lines("SELECT count(*) FROM \"Home_rooms\""), ["2"])
    try expectEqual(database.lines("SELECT friend FROM \"Everything\""), [#"\N"#])
    try expectEqual(
      database.lines("SELECT value, position FROM \"Everything_friends\""), ["2\t1"])
    try expectEqual(
      database.lines("SELECT key, value FROM \"Everything_friendsByRole\""), [#"x\#t\N"#])
    // And when another one takes its place, or its element goes.
    try database.execute(
      "UPDATE \"Everything\" SET home = (SELECT _id FROM \"Home\" WHERE street = 'new')")
    try database.execute("DELETE FROM \"Everything_homes\"")
    try expectEqual(database.lines("SELECT street FROM \"Home\""), ["new"])
    // Two rows may link to each other in one transaction, in any order.
    try database.execute(
      """
      BEGIN; INSERT INTO "Everything_friends" VALUES (2, 9, 99); \
      UPDATE "Everything_friends" SET value = 2 WHERE position = 9; COMMIT
      """)
    for statement in [
      "INSERT INTO \"Everything_friends\" VALUES (2, 10, 99)",
      "INSERT INTO \"Everything_friends\" VALUES (2, 9, 2)",
      "UPDATE \"Everything\" SET \"objectId\" = 'x'", "UPDATE \"Everything\" SET string = NULL",
    ] {
      #expect(throws: PostgresDatabase.Failure.self) { try database.execute(statement) }
    }
  }

  @Test func `Words are found by their index`() throws {
    try {
      let realm = try realm([Everything.self, Home.self])
      try realm.write { realm.add(try hostile("a")) }
    }()
    _ = try load()
    let words = "to_tsvector('simple', text) @@ to_tsquery('simple', 'QUICK & fox')"
    try expectEqual(database.lines("SELECT key FROM \"Everything\" WHERE \(words)"), ["a"])
    try database.execute(
      "SET enable_seqscan = off; EXPLAIN SELECT 1 FROM \"Everything\" WHERE \(words)")
    try expectEqual(
      database.lines(
        "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING gin%'"), ["1"])
  }

  @Test func `A database that has such a table stays as it is, and so does one that gets a half`()
    throws
  {
    try folder.copyFixture("PetOwners-v5", to: "a.sqlite")
    try database.execute("CREATE TABLE \"Pet\" (mine int); INSERT INTO \"Pet\" VALUES (1)")
    let exported = try Tool.run(
      ["export", "a.sqlite", "--postgres", "-o", "out.sql"], in: folder)
    expectEqual(exported.status, 0)
    let loaded = try database.load(folder.url("out.sql"))
    expectEqual(loaded.status, 3)
    expectTrue(loaded.errors.contains("relation \"Pet\" already exists"))
    try expectEqual(database.lines("SELECT mine FROM \"Pet\""), ["1"])
    try database.execute("DROP TABLE \"Pet\"")
    let text = try Data(contentsOf: folder.url("out.sql"))
    for length in stride(from: 100, to: text.count - 8, by: 397) {
      try text.prefix(length).write(to: folder.url("half.sql"))
      _ = try database.load(folder.url("half.sql"))
      try expectEqual(
        database.lines("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), [])
    }
    try expectEqual(database.load(folder.url("out.sql")).status, 0)
  }
}
