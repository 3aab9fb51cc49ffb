import Foundation
import GRDB
import Strata
import StrataSchema
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process, with twins of files.
@Suite struct TwinningTests {
  typealias Everything = PostgresModels.Everything
  typealias Home = PostgresModels.Home

  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  private func configuration(_ name: String) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.url(name), objectTypes: TwinModels.classes)
    configuration.history = .init(author: "the author")
    return configuration
  }

  /// Words that are in the file, in places where no column is equal to them.
  private static let words = [
    "secret of the list", "secret of the dictionary", "secret key", "auditor one", "jumping foxes",
    "the author", "outbox consumer", "strata-command", "a migration of",
  ]

  private func fill(_ realm: Realm) throws {
    var random = SplitMix64(seed: 4)
    let names = ["Ines Duarte", "Tomas Lind", "Noor Haddad", "Žofie Nováková", "山田 太郎さん"]
    try realm.write {
      var all: [Everything] = []
      for index in 0..<40 {
        let object = Everything()
        object.key = index == 0 ? nil : "key of object \(index)"
        object.int = Int.random(in: -5000..<5_000_000, using: &random)
        object.bool = index % 2 == 0
        object.float = Float(Int.random(in: 0..<100_000, using: &random)) / 1000
        object.double = Double.random(in: -1000..<1000, using: &random)
        object.string = names.randomElement(using: &random) ?? ""
        object.text = "The \(index) jumping foxes of \(object.string)"
        object.data = Data((0..<index).map { _ in random.next() })
        object.date = Date(timeIntervalSince1970: 1.7e9 + Double(index) * 1234.567)
        object.objectId = .generate()
        object.decimal = Decimal128(value: Double(index) * 17.25)
        object.maybeInt = index % 3 == 0 ? nil : index * 1000
        object.maybeDate = index % 3 == 1 ? nil : Date(timeIntervalSince1970: Double(index) * 1e7)
        object.home = index % 2 == 0 ? nil : Home(value: ["street": "\(index) Quay Street"])
        object.home?.rooms.append(objectsIn: ["kitchen", "hall", "kitchen"])
        object.strings.append(objectsIn: ["tag \(index % 7)", "tag", "", "tag"])
        object.maybeStrings.append(objectsIn: [nil, "one of them", nil])
        object.texts.insert(objectsIn: ["alpha \(index)", "beta", "gamma"])
        object.dates.insert(objectsIn: [object.date, Date(timeIntervalSince1970: 1e9)])
        object.maybeInts.insert(objectsIn: [nil, 12345, index * 777])
        object.decimals.insert(objectsIn: ["1234.5", "99.95"])
        object.blobs.insert(objectsIn: [Data("bytes \(index)".utf8), Data()])
        object.numbers["secret key \(index)"] = Double(index) * 1.37
        object.anyMap["secret key"] = .string("Ines Duarte")
        all.append(object)
      }
      realm.add(all)
      for (index, object) in all.enumerated() {
        object.friend = index % 4 == 0 ? nil : all.randomElement(using: &random)
        object.friends.append(objectsIn: [all[index / 2], all[0]])
        object.friendsByRole["role \(index % 3)"] = all[(index + 1) % 40]
        object.any =
          switch index % 10 {
          case 0: .none
          case 1: .int(123_456)
          case 2: .string("Tomas Lind")
          case 3: .object(all[1])
          case 4: .date(object.date)
          case 5: .uuid(object.uuid)
          case 6: .fromArray([.string("secret of the list"), .object(all[2]), .double(1234.5)])
          case 7: .fromDictionary(["secret key": .string("secret of the dictionary"), "b": .none])
          case 8: .data(Data("any bytes".utf8))
          default: .float(12.345)
          }
        object.anySet.insert(objectsIn: [
          .int(4711), .string("a text"), .none, .object(all[3]), .double(1234.5),
        ])
      }
    }
    try fillKeys(realm)
  }

  private func fillKeys(_ realm: Realm) throws {
    try realm.write(author: "the author") {
      for number in 95..<125 {
        let numbered = TwinModels.Numbered(
          value: ["number": number, "name": "Number \(number % 9)"])
        numbered.next = realm.object(
          ofType: TwinModels.Numbered.self, forPrimaryKey: number - 1)
        realm.add(numbered)
        let unique = TwinModels.Unique()
        unique.numbered = numbered
        realm.add(unique)
        let timed = TwinModels.Timed()
        timed.number = number
        timed.single = Float(number) / 7
        timed.position = TwinModels.Position()
        timed.position?.coordinates.append(objectsIn: [-9.1393, 38.7223])
        timed.path.append(TwinModels.Position())
        timed.numbers.insert(objectsIn: [number, number + 1, 100_000 + number])
        timed.floats.insert(objectsIn: (1...5).map { Float(number) / Float($0 * 3) })
        timed.doubles.append(objectsIn: [Double(number) * 1.05, 0, .infinity])
        realm.add(timed)
      }
    }
  }

  /// Writes a file with everything, and tables of another program.
  private func makeOriginal(_ name: String = "original.sqlite") throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(name))
      try fill(realm)
    }
    try folder.execute(
      """
      CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, who TEXT, CHECK (who <> 'x'));
      INSERT INTO audit (who) VALUES ('auditor one'), ('auditor two');
      CREATE INDEX audit_who ON audit (who);
      CREATE VIEW auditors AS SELECT who FROM audit;
      CREATE TRIGGER audit_numbers AFTER UPDATE ON Numbered BEGIN
        INSERT INTO audit (who) VALUES (NEW.name); END;
      ALTER TABLE Numbered ADD COLUMN remark TEXT DEFAULT 'remark by default';
      ALTER TABLE Numbered ADD COLUMN loud TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL;
      UPDATE Numbered SET remark = 'remark about ' || name WHERE number > 100;
      CREATE INDEX loud ON Numbered (loud);
      INSERT INTO strata_history_consumer VALUES ('outbox consumer', 1, 2, '2026-01-01 00:00:00');
      INSERT INTO grdb_migrations VALUES ('a migration of the program');
      ANALYZE
      """, in: name)
  }

  /// Calls a closure with a comparison of the original and a twin.
  private func compare(
    _ original: String, _ twin: String, _ body: (TwinComparison, Database) throws -> Void
  ) throws {
    let bytes = try Data(contentsOf: folder.url(twin))
    try folder.sql(original) { db in
      try db.execute(sql: "ATTACH ? AS twin", arguments: [folder.url(twin).path])
      let state = try FileState.read(db, at: folder.url(original))
      let tables = state.schema.objectSchema.flatMap {
        [$0.className] + $0.collectionTables.map(\.name)
      }
      try body(TwinComparison(db, twin: bytes, tables: tables), db)
    }
  }

  @Test func `A twin has the shape of its original, and none of its values`() throws {
    try makeOriginal()
    let before = try folder.contents()
    let outcome = try run("twin", "original.sqlite", "twin.sqlite", "--seed", "7")
    expectEqual(outcome.status, 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    expectTrue(
      lines.first?.wholeMatch(
        of:
          /Wrote a twin of original.sqlite to twin.sqlite: version 0, \d+ objects of 6 classes, [\d,]+ values replaced, .* kB/
      ) != nil, "\(outcome.output)")
    expectEqual(
      lines.dropFirst(),
      [
        "seed 7: whoever knows it can compute values of the original",
        "tables of other programs, now empty: audit",
      ])
    var after = try folder.contents()
    expectTrue(after.removeValue(forKey: "twin.sqlite") != nil)
    expectEqual(after, before)
    try compare("original.sqlite", "twin.sqlite") { comparison, db in
      try expectEqual(comparison.differences(), [])
      try expectEqual(comparison.sharedValues(), [])
      try expectTrue(comparison.longCount() > 500)
      try expectEqual(comparison.textsInBytes(Self.words), [])
      for sql in [
        "PRAGMA twin.foreign_key_check", "SELECT * FROM twin.audit",
        "SELECT * FROM twin.strata_history_consumer",
        "SELECT * FROM twin.strata_history WHERE author IS NOT NULL OR process IS NOT NULL",
      ] { try expectEqual(Row.fetchAll(db, sql: sql), [], Comment(rawValue: sql)) }
      // The key of an object without a link to it is still the other object's key.
      for schema in ["main", "twin"] {
        try expectEqual(
          Int.fetchOne(
            db,
            sql: """
              SELECT count(*) FROM \(schema).Timed AS t JOIN \(schema).Numbered AS n
              ON n.number = t.number WHERE n._id = t._row_id
              """), 30)
      }
      try expectEqual(
        Int.fetchOne(db, sql: "SELECT count(*) FROM twin.Numbered WHERE loud = upper(name)"), 30)
      try expectEqual(String.fetchAll(db, sql: "SELECT kind FROM twin.strata_history"), ["began"])
      try expectEqual(
        Row.fetchAll(db, sql: "SELECT settings FROM twin.strata_history_settings"),
        Row.fetchAll(db, sql: "SELECT settings FROM main.strata_history_settings"))
      try expectTrue(
        Int.fetchOne(db, sql: "SELECT count(*) FROM twin.sqlite_stat1 WHERE tbl = 'Numbered'") ?? 0
          > 0)
    }
  }

  @Test func `A twin opens with the classes of its original`() throws {
    try makeOriginal()
    try expectEqual(run("twin", "original.sqlite", "twin.sqlite").status, 0)
    let check = try run("check", "twin.sqlite")
    expectEqual(check.status, 0, "\(check.output)")
    let diff = try run("diff", "original.sqlite", "twin.sqlite")
    expectEqual(diff.status, 0, "\(diff.output)")
    try autoreleasepool {
      let realm = try Realm(configuration: configuration("twin.sqlite"))
      expectEqual(realm.objects(Everything.self).count, 40)
      let object = try #require(realm.objects(Everything.self).first { $0.home != nil })
      expectEqual(object.home?.rooms.count, 3)
      expectEqual(object.home?.rooms[0], object.home?.rooms[2])
      // Each value is found by itself: it has the form in which the library writes it.
      for object in realm.objects(Everything.self) {
        let (date, decimal) = (object.date, object.decimal)
        expectTrue(realm.objects(Everything.self).where { $0.date == date }.contains(object))
        expectTrue(realm.objects(Everything.self).where { $0.decimal == decimal }.contains(object))
        expectTrue(object.dates.contains(date))
        let word = object.text.split(separator: " ").max { $0.count < $1.count } ?? ""
        expectTrue(
          realm.objects(Everything.self).filter("text TEXT %@", String(word)).contains(object))
      }
      expectTrue(realm.objects(TwinModels.Timed.self).allSatisfy { $0.position?.type == "Point" })
    }
  }

  @Test func `The forecast for a twin is the one for its original`() throws {
    try folder.copyFixture("PetOwners-v2", to: "old.sqlite")
    try expectEqual(run("compact", "old.sqlite").status, 0)
    try expectEqual(run("twin", "old.sqlite", "twin.sqlite").status, 0)
    let forecasts = try ["old.sqlite", "twin.sqlite"].map { name in
      try Realm.migrationForecast(
        for: Realm.Configuration(
          fileURL: folder.url(name), schemaVersion: 9, objectTypes: [TwinModels.Person.self]))
    }
    expectEqual(forecasts[0].stages, forecasts[1].stages)
    expectTrue(forecasts[0].stages.contains { $0.operations.contains(where: \.isRebuild) })
  }

  @Test func `A seed gives the same bytes again, and none gives others`() throws {
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    for name in ["a", "b"] {
      try expectEqual(run("twin", "people.sqlite", name, "--seed", "12").status, 0)
    }
    for name in ["c", "d"] { try expectEqual(run("twin", "people.sqlite", name).status, 0) }
    let files = try ["a", "b", "c", "d"].map { try Data(contentsOf: folder.url($0)) }
    expectEqual(files[0], files[1])
    expectTrue(files[1] != files[2])
    expectTrue(files[2] != files[3])
  }

  @Test func `JSON says what was written, and a property may keep its values`() throws {
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    let outcome = try run(
      "twin", "people.sqlite", "twin.sqlite", "--keep", "Pet.kind", "--json", "--seed", "3")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    expectEqual(value?["twin"] as? String, "twin.sqlite")
    expectEqual(value?["objects"] as? Int, 8)
    expectEqual(value?["seed"] as? Int, 3)
    expectEqual(value?["encrypted"] as? Bool, false)
    expectEqual(value?["leftOut"] as? [String], [])
    let kinds = try ["people.sqlite", "twin.sqlite"].map {
      try run("query", $0, "Pet show kind", "--csv").output
    }
    expectEqual(kinds[0], kinds[1])
    let other = try run("twin", "people.sqlite", "other.sqlite", "--keep", "Pet.age")
    expectEqual(other.status, CommandStatus.usage.rawValue)
    expectTrue(other.errors.contains("The file has no property 'Pet.age'."))
    try expectEqual(folder.names, ["people.sqlite", "twin.sqlite"])
  }
}
