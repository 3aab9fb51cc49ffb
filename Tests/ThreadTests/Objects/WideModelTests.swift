import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

/// A class with more properties than the bit set of changed properties has bits.
@Suite("A class with seventy properties")
struct WideModelTests {
  final class Wide: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var p0 = 0
    @Persisted var p1 = 1
    @Persisted var p2 = 2
    @Persisted var p3 = 3
    @Persisted var p4 = 4
    @Persisted var p5 = 5
    @Persisted var p6 = 6
    @Persisted var p7 = 7
    @Persisted var p8 = 8
    @Persisted var p9 = 9
    @Persisted var p10 = 10
    @Persisted var p11 = 11
    @Persisted var p12 = 12
    @Persisted var p13 = 13
    @Persisted var p14 = 14
    @Persisted var p15 = 15
    @Persisted var p16 = 16
    @Persisted var p17 = 17
    @Persisted var p18 = 18
    @Persisted var p19 = 19
    @Persisted var p20 = 20
    @Persisted var p21 = 21
    @Persisted var p22 = 22
    @Persisted var p23 = 23
    @Persisted var p24 = 24
    @Persisted var p25 = 25
    @Persisted var p26 = 26
    @Persisted var p27 = 27
    @Persisted var p28 = 28
    @Persisted var p29 = 29
    @Persisted var p30 = 30
    @Persisted var p31 = 31
    @Persisted var p32 = 32
    @Persisted var p33 = 33
    @Persisted var p34 = 34
    @Persisted var p35 = 35
    @Persisted var p36 = 36
    @Persisted var p37 = 37
    @Persisted var p38 = 38
    @Persisted var p39 = 39
    @Persisted var p40 = 40
    @Persisted var p41 = 41
    @Persisted var p42 = 42
    @Persisted var p43 = 43
    @Persisted var p44 = 44
    @Persisted var p45 = 45
    @Persisted var p46 = 46
    @Persisted var p47 = 47
    @Persisted var p48 = 48
    @Persisted var p49 = 49
    @Persisted var p50 = 50
    @Persisted var p51 = 51
    @Persisted var p52 = 52
    @Persisted var p53 = 53
    @Persisted var p54 = 54
    @Persisted var p55 = 55
    @Persisted var p56 = 56
    @Persisted var p57 = 57
    @Persisted var p58 = 58
    @Persisted var p59 = 59
    @Persisted var p60 = 60
    @Persisted var p61 = 61
    @Persisted var p62 = 62
    @Persisted var p63 = 63
    @Persisted var p64 = 64
    @Persisted var p65 = 65
    @Persisted var p66 = 66
    @Persisted var p67 = 67
    @Persisted var p68 = 68
    @Persisted var p69 = 69
  }

  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Wide.self]))
    try realm.write { for id in 0..<40 { realm.create(Wide.self, value: ["id": id]) } }
  }

  /// The values in another realm of the file, in the order of declaration.
  func stored(_ id: Int) throws -> [Int] {
    let values = Mutex<[Int]>([])
    let configuration = folder.configuration([Wide.self])
    try inThread(configuration) { realm in
      let object = realm.object(ofType: Wide.self, forPrimaryKey: id)
      values.withLock { $0 = (0..<70).map { object?["p\($0)"] as? Int ?? -1 } }
    }
    return values.withLock { $0 }
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
      for id in 0..<40 { realm.create(Wide.self, value: ["id": id]) }
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
