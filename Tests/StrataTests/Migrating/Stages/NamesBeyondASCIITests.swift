import Strata
import StrataTestKit
import TestKit
import Testing

/// Names that differ only in ASCII case, which are equal in SQLite, and other similar names, which
/// aren't.
@Suite struct NamesBeyondASCIITests {
  enum Umlauts {
    final class Ärger: Object {
      @Persisted(indexed: true) var größe = 0
      @Persisted var übel: List<String>
    }
    // swift-format-ignore: TypeNamesShouldBeCapitalized
    final class ärger: Object { @Persisted var x = 0 }
  }

  @Test func `Names that differ in letters beyond ASCII are those of different tables`() throws {
    let other = try TestFolder()
    try other.execute(
      """
      CREATE TABLE "ärger" (text TEXT);
      INSERT INTO "ärger" VALUES ('kept');
      CREATE VIEW "ÄRger" AS SELECT 1;
      """)
    expectError(containing: "Class 'ärger' can't get a table") {
      try other.open([Umlauts.ärger.self]) { _ in }
    }
    expectError(containing: "Class 'Ärger' can't get a table") {
      try other.open([Umlauts.Ärger.self]) { _ in }
    }
    try other.execute("DROP VIEW \"ÄRger\"")
    for version in 0...1 {
      try other.open([Umlauts.Ärger.self], version: UInt64(version)) { realm in
        try realm.write {
          realm.create(Umlauts.Ärger.self, value: ["größe": 1, "übel": ["a"]] as [String: Any])
        }
        expectEqual(realm.objects(Umlauts.Ärger.self).count, version + 1)
      }
    }
    try expectEqual(
      other.texts("SELECT text FROM \"ärger\""), ["kept"])
    let both = try TestFolder()
    try both.open([Umlauts.Ärger.self, Umlauts.ärger.self]) { realm in
      try realm.write { realm.create(Umlauts.ärger.self, value: [5]) }
      expectTrue(realm.objects(Umlauts.Ärger.self).isEmpty)
      expectEqual(realm.objects(Umlauts.ärger.self).first?.x, 5)
    }
  }
}
