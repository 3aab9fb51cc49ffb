import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Resolving duplicates at the edges")
struct ResolveManyDuplicatesTests {
  @Test func `A result lists a hundred groups, and a hundred objects of each`() throws {
    let folder = try TestFolder()
    try folder.open(ResolveDuplicatesTests.Old.types) { _ in }
    try folder.execute(
      """
      INSERT INTO Person (id, name, seen, score) WITH RECURSIVE n(i) AS
      (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1299)
      SELECT i % 150 + (i >= 900) * 1000 * (i % 150 <> 0), 'n', '2001-01-01 00:00:00.000000000', '0' FROM n;
      UPDATE Person SET id = 5 WHERE id > 999;
      """)
    try folder.open(ResolveDuplicatesTests.New.types, version: 1) { migration, _ in
      let done = migration.resolveDuplicates(ofType: "Person", keeping: .first)
      expectTrue(done.groupCount == 150 && done.removedCount == 1_150)
      expectEqual(done.groups.count, DuplicateResolution.limit)
      expectEqual(done.groups.map(\.removed.count).max(), DuplicateResolution.limit)
      expectEqual(done.groups.prefix(3).map(\.value), [.integer(0), .integer(1), .integer(2)])
    } _: { realm in
      expectEqual(realm.objects(ResolveDuplicatesTests.New.Person.self).count, 150)
    }
  }

  @Test func `Duplicates of classes and properties of any name are resolved`() throws {
    enum V0 {
      class Odd: Object {
        @Persisted var key = ""
        @Persisted var other: Odd?
        override class func className() -> String { "t\"; k's" }
        override class func propertiesMapping() -> [String: String] {
          ["key": "gone", "other": "survivor\"'"]
        }
      }
    }
    enum V1 {
      class Odd: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var other: Odd?
        override class func className() -> String { "t\"; k's" }
        override class func propertiesMapping() -> [String: String] {
          ["key": "gone", "other": "survivor\"'"]
        }
      }
    }
    let folder = try TestFolder()
    try folder.write([V0.Odd.self]) { realm in
      let first = realm.create(V0.Odd.self, value: ["key": "x"])
      let second = realm.create(V0.Odd.self, value: ["key": "x", "other": first])
      realm.create(V0.Odd.self, value: ["key": "y", "other": second])
    }
    try folder.open([V1.Odd.self], version: 1) { migration, _ in
      migration.resolveDuplicates(ofType: "t\"; k's", keeping: .least("key"))
    } _: { realm in
      let odd = Array(realm.objects(V1.Odd.self))
      expectTrue(odd.map(\.key) == ["x", "y"] && odd[1].other == odd[0])
    }
  }
}
