import Strata
import StrataTestKit
import TestKit
import Testing

private enum Desk {
  class Drawer: Object {
    @Persisted var thing: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }

  class Pen: Object {
    @Persisted var color = ""
  }
}

/// A class that a program no longer has: its objects stay in the file, and so do the values that
/// link to them.
@Suite struct MissingClassTests {
  @Test func `An AnyRealmValue with an object of a missing class is nil`() throws {
    let folder = try TestFolder()
    try folder.write([Desk.Drawer.self, Desk.Pen.self]) { realm in
      let pen = realm.create(Desk.Pen.self, value: ["color": "blue"])
      realm.create(
        Desk.Drawer.self,
        value: ["thing": pen, "list": [pen, 1], "set": [pen], "map": ["k": pen, "n": 2]])
    }
    // Nothing is wrong with the file, so nothing is reported: an issue would fail this test.
    try folder.open([Desk.Drawer.self], version: 1) { realm in
      let drawer = try #require(realm.objects(Desk.Drawer.self).first)
      expectEqual(drawer.thing, .none)
      expectEqual(drawer.list[0], .none)
      expectEqual(Array(drawer.list), [.none, .int(1)])
      expectEqual(Array(drawer.set), [.none])
      expectEqual(drawer.map["k"], AnyRealmValue.none)
      expectEqual(drawer.map.values, [.none, .int(2)])
      // Changing one element leaves the others as they are.
      try realm.write {
        drawer.list.append(.int(3))
        drawer.map["n"] = .int(4)
      }
    }
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
    try folder.open([Desk.Drawer.self, Desk.Pen.self], version: 2) { realm in
      let drawer = try #require(realm.objects(Desk.Drawer.self).first)
      let pen = AnyRealmValue.object(try #require(realm.objects(Desk.Pen.self).first))
      expectEqual(drawer.thing, pen)
      expectEqual(Array(drawer.list), [pen, .int(1), .int(3)])
      expectEqual(Array(drawer.set), [pen])
      expectEqual(drawer.map.values, [pen, .int(4)])
    }
  }
}
