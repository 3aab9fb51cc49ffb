import Strata
import StrataTestKit
import TestKit
import Testing

/// A class with more properties than the bit set of changed properties has bits.
@Suite("A class with seventy properties")
struct WideModelTests {
  final class Wide: BroadBase {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var p65 = 0
    @Persisted var p66 = 0
    @Persisted var p67 = 0
    @Persisted var p68 = 0
    @Persisted var p69 = 0

    /// Values of all properties, each its number.
    static func value(_ id: Int) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: (0..<70).map { ("p\($0)", $0) } + [("id", id)])
    }
  }

  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Wide.self]))
    try realm.write { for id in 0..<40 { realm.create(Wide.self, value: Wide.value(id)) } }
  }

  /// The values in the file, in the order of declaration.
  func stored(_ id: Int) throws -> [Int] {
    let columns = (0..<70).map { "p\($0)" }.joined(separator: " || ' ' || ")
    let text = try folder.text("SELECT \(columns) FROM Wide WHERE id = \(id)")
    return text?.split(separator: " ").compactMap { Int($0) } ?? []
  }

  @Test func `A class with seventy properties keeps changes of each of them`() throws {
    var expected = Array(0..<70)
    let wide = try #require(realm.object(ofType: Wide.self, forPrimaryKey: 3))
    try expectEqual(stored(3), expected)
    try realm.write {
      wide.p0 = 100
      wide.p62 = 162
      wide.p63 = 163
      wide.p69 = 169
    }
    for (index, value) in [(0, 100), (62, 162), (63, 163), (69, 169)] { expected[index] = value }
    try expectEqual(stored(3), expected)
    try realm.write {
      realm.create(Wide.self, value: ["id": 3, "p65": 5, "p1": 6], update: .modified)
    }
    expected[65] = 5
    expected[1] = 6
    try expectTrue(stored(3) == expected && wide.p65 == 5 && wide.p1 == 6)
    try expectEqual(stored(4), Array(0..<70))
  }

  @Test func `A class with seventy properties migrates`() throws {
    let folder = try TestFolder()
    try folder.write([Wide.self]) { realm in
      for id in 0..<40 { realm.create(Wide.self, value: Wide.value(id)) }
    }
    try folder.open(
      [Wide.self], version: 1,
      { migration, _ in
        migration.enumerateObjects(ofType: "Wide") { old, new in
          for index in [0, 63, 64, 69] { new!["p\(index)"] = -(old!["p\(index)"] as! Int) }
        }
      }
    ) { realm in
      let wide = try #require(realm.objects(Wide.self).last)
      expectTrue(wide.p63 == -63 && wide.p64 == -64 && wide.p69 == -69 && wide.p68 == 68)
      expectEqual(wide.id, 39)
    }
  }
}
