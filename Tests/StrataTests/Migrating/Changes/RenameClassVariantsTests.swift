import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Renames of several classes and of embedded classes, also beside data of other programs in the
/// file.
@Suite("Renaming classes in other ways")
struct RenameClassVariantsTests {
  enum Old {
    class A: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var b: B?
      @Persisted var list: List<A>
      @Persisted var any: AnyRealmValue
    }
    class B: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var a: A?
      @Persisted var list: List<B>
      @Persisted var any: AnyRealmValue
    }
    static let types: [ObjectBase.Type] = [A.self, B.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(Old.types) { realm in
      let a = realm.create(Old.A.self, value: ["id": 1])
      let b = realm.create(Old.B.self, value: ["id": 2, "a": a])
      a.b = b
      a.list.append(a)
      b.list.append(b)
      a.any = .object(b)
      b.any = .object(a)
    }
  }

  @Test func `A class takes the name of another renamed one`() throws {
    enum New {
      class B: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var b: C?
        @Persisted var list: List<B>
        @Persisted var any: AnyRealmValue
      }
      class C: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var a: B?
        @Persisted var list: List<C>
        @Persisted var any: AnyRealmValue
      }
    }
    let types: [ObjectBase.Type] = [New.B.self, New.C.self]
    let error = try folder.expectUntouched(types, version: 1) { migration, _ in
      migration.renameClass(from: "A", to: "B")
      migration.renameClass(from: "B", to: "C")
    }
    expectEqual(
      error?.message,
      "Cannot rename class 'A' to 'B' because the file already has a class 'B'. Rename that one "
        + "first, or carry the objects over with 'enumerateObjects' and 'create'. Two classes that "
        + "exchange their names keep those of the file: override '_realmObjectName()' in both.")
    try folder.open(types, version: 1) { migration, _ in
      migration.renameClass(from: "B", to: "C")
      migration.renameClass(from: "A", to: "B")
      var shown: [String] = []
      for name in ["A", "B", "C"] {
        migration.enumerateObjects(ofType: name) { old, new in
          let any = old!["any"] as? MigrationObject
          let other = new!["any"] as? MigrationObject
          shown.append(
            "\(name): \(old!.objectSchema.className) \(old!["id"]!) with "
              + "\(any!.objectSchema.className) \(any!["id"]!) is "
              + "\(new!.objectSchema.className) \(new!["id"]!) with "
              + "\(other!.objectSchema.className) \(other!["id"]!)")
        }
      }
      expectEqual(
        shown,
        [
          "A: A 1 with B 2 is B 1 with C 2", "B: A 1 with B 2 is B 1 with C 2",
          "C: B 2 with A 1 is C 2 with B 1",
        ])
    } _: { realm in
      let b = try #require(realm.object(ofType: New.B.self, forPrimaryKey: 1))
      let c = try #require(realm.object(ofType: New.C.self, forPrimaryKey: 2))
      expectTrue(b.b == c && c.a == b && Array(b.list) == [b] && Array(c.list) == [c])
      expectTrue(b.any.object(New.C.self) == c && c.any.object(New.B.self) == b)
    }
    try expectEqual(folder.problems(), [])
    try expectEqual(
      Realm.migrationHistory(at: folder.file).last?.schema.objectSchema.map(\.className),
      [
        "B", "C",
      ])
  }

  @Test func `A rename may make a class embedded, and an embedded class a top-level one`() throws {
    enum New {
      class A: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var b: Part?
        @Persisted var list: List<A>
      }
      class Part: EmbeddedObject {
        @Persisted var id = 0
        @Persisted var a: A?
      }
    }
    enum Newest {
      class A: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var b: Whole?
      }
      class Whole: Object {
        @Persisted var id = 0
      }
    }
    enum Last {
      class A: Object {
        @Persisted(primaryKey: true) var id = 0
      }
      class Rest: EmbeddedObject {
        @Persisted var id = 0
      }
    }
    try folder.execute(
      "DELETE FROM B_list; INSERT INTO B (id) VALUES (9); UPDATE A SET any = NULL, any_type = NULL")
    let types: [ObjectBase.Type] = [New.A.self, New.Part.self]
    let error = try folder.expectUntouched(types, version: 1) { migration, _ in
      migration.renameClass(from: "B", to: "Part")
    }
    expectEqual(error?.message.contains("- 1 object of 'Part' has no parent (_id 2)\n"), true)
    try folder.open(types, version: 1) { migration, _ in
      migration.renameClass(from: "B", to: "Part")
      migration.embedObjects(ofType: "Part", orphans: .delete)
    } _: { realm in
      expectEqual(realm.objects(New.A.self).first?.b?.id, 2)
    }
    try expectEqual(folder.problems(), [])
    try folder.open([Newest.A.self, Newest.Whole.self], version: 2) { migration, _ in
      migration.renameClass(from: "Part", to: "Whole")
    } _: { realm in
      expectEqual(realm.objects(Newest.A.self).first?.b?.id, 2)
      expectEqual(realm.objects(Newest.Whole.self).count, 1)
    }
    try expectEqual(folder.problems(), [])
  }

  @Test
  func `A renamed embedded class keeps its parents, and its objects follow their property`() throws
  {
    enum V0 {
      class Home: Object {
        @Persisted var name = ""
        @Persisted var porch: Room?
        @Persisted var rooms: List<Room>
        @Persisted var hall: Room?
      }
      class Room: EmbeddedObject {
        @Persisted var size = 0
        @Persisted var lamp: Lamp?
      }
      class Lamp: EmbeddedObject {
        @Persisted var watts = 0
      }
    }
    enum V1 {
      class Home: Object {
        @Persisted var name = ""
        @Persisted var porch: Space?
        @Persisted var rooms: List<Space>
      }
      class Space: EmbeddedObject {
        @Persisted var size = 0
        @Persisted var lamp: Light?
      }
      class Light: EmbeddedObject {
        @Persisted var watts = 0
      }
    }
    let folder = try TestFolder()
    try folder.write([V0.Home.self, V0.Room.self, V0.Lamp.self]) { realm in
      realm.create(
        V0.Home.self,
        value: [
          "rooms": [["size": 1, "lamp": ["watts": 10]], ["size": 2, "lamp": ["watts": 20]]],
          "hall": ["size": 3, "lamp": ["watts": 30]],
        ])
    }
    try folder.open([V1.Home.self, V1.Space.self, V1.Light.self], version: 1) { migration, _ in
      migration.renameClass(from: "Room", to: "Space")
      migration.renameClass(from: "Lamp", to: "Light")
      migration.enumerateObjects(ofType: "Space") { old, new in
        expectEqual(
          (old!["lamp"] as? MigrationObject)?["watts"] as? Int, (old!["size"] as! Int) * 10)
        new!["size"] = (old!["size"] as! Int) + 100
      }
    } _: { realm in
      let rooms = try #require(realm.objects(V1.Home.self).first?.rooms)
      expectEqual(rooms.map(\.size), [101, 102])
      expectEqual(rooms.map { $0.lamp?.watts }, [10, 20])
    }
    try expectEqual(folder.count(of: "Space"), 2)
    try expectEqual(folder.count(of: "Light"), 2)
    try expectEqual(
      Realm.problems(for: Realm.Configuration(fileURL: folder.file)).map(\.description), [])
  }

  enum Renamed {
    class C: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var b: B?
      @Persisted var list: List<C>
      @Persisted var any: AnyRealmValue
    }
    class B: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var a: C?
      @Persisted var list: List<B>
      @Persisted var any: AnyRealmValue
    }
    static let types: [ObjectBase.Type] = [C.self, B.self]
  }

  static let rename: MigrationBlock = { migration, _ in migration.renameClass(from: "A", to: "C") }

  @Test func `Views, triggers, indexes and columns of other programs follow a rename`() throws {
    try folder.execute(
      """
      CREATE TABLE log (x);
      ALTER TABLE A ADD COLUMN extra TEXT;
      UPDATE A SET extra = 'kept';
      CREATE INDEX "A.mine" ON log (x);
      CREATE INDEX mine ON A (extra);
      CREATE VIEW v AS SELECT id, extra FROM A;
      CREATE TRIGGER t AFTER INSERT ON A BEGIN INSERT INTO log SELECT count(*) FROM A; END;
      """)
    try folder.write(Renamed.types, version: 1, Self.rename) { realm in
      realm.create(Renamed.C.self, value: ["id": 7])
    }
    let rows = try folder.sql { db in
      try Row.fetchAll(db, sql: "SELECT id, extra, (SELECT x FROM log) FROM v ORDER BY 1")
    }
    expectEqual(rows.map { $0[0] as Int }, [1, 7])
    expectTrue(rows[0][1] as String? == "kept" && rows[0][2] as Int == 2)
    try expectEqual(
      folder.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%mine' ORDER BY 1"),
      ["A.mine", "mine"])
    try expectEqual(folder.problems(), [])
  }

  @Test func `A table of another program with the new name is in the way`() throws {
    try folder.execute("CREATE VIEW C_list AS SELECT 1")
    let error = try folder.expectUntouched(Renamed.types, version: 1, Self.rename)
    expectEqual(
      error?.message,
      "Cannot rename class 'A' to 'C': the file already has a table or view 'C_list'. Rename or "
        + "drop that one first, or choose another name for the class.")
  }

  @Test func `A view that fits no table is in the way`() throws {
    try folder.execute("CREATE VIEW v AS SELECT * FROM nowhere")
    let error = try folder.expectUntouched(Renamed.types, version: 1, Self.rename)
    expectEqual(
      error?.message,
      "Cannot rename class 'A' to 'C': a view or a trigger of another program prevents it "
        + "(error in view v: no such table: main.nowhere). Drop it first and create it again after "
        + "the migration.")
  }

  @Test
  func `A reference to an earlier class of the new name points to no row afterwards`() throws {
    try folder.execute("UPDATE B SET any = 1, any_type = '<C>'")
    try folder.open(Renamed.types, version: 1, Self.rename) { realm in
      expectEqual(realm.objects(Renamed.B.self).map(\.any), [AnyRealmValue.none])
      expectEqual(realm.objects(Renamed.C.self).first?.any.object(Renamed.B.self)?.id, 2)
    }
    try expectEqual(folder.problems(), [])
  }

  @Test func `A rename works whatever the names are`() throws {
    try folder.open(Hostile.types, version: 1) { migration, _ in
      migration.renameClass(from: "A", to: Hostile.name)
      migration.enumerateObjects(ofType: Hostile.name) { old, new in new!["id"] = old!["id"]! }
    } _: { _ in
    }
    try expectEqual(folder.problems(), [])
    try folder.open(Renamed.types, version: 2) { migration, _ in
      migration.renameClass(from: Hostile.name, to: "C")
    } _: { realm in
      let c = try #require(realm.object(ofType: Renamed.C.self, forPrimaryKey: 1))
      expectTrue(Array(c.list) == [c] && c.b?.a == c)
      expectEqual(realm.objects(Renamed.B.self).first?.any.object(Renamed.C.self), c)
    }
    try expectEqual(folder.problems(), [])
    try expectEqual(
      Realm.migrationHistory(at: folder.file).last?.schema.objectSchema.map(\.className),
      [
        "B", "C",
      ])
  }

  enum Hostile {
    static let name = "a\"b'; DROP TABLE B; --<名> %"
    class Odd: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var b: B?
      @Persisted var list: List<Odd>
      @Persisted var any: AnyRealmValue
      override class func className() -> String { name }
    }
    class B: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var a: Odd?
      @Persisted var list: List<B>
      @Persisted var any: AnyRealmValue
    }
    static let types: [ObjectBase.Type] = [Odd.self, B.self]
  }
}
