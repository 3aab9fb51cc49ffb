import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private class Weight: EmbeddedObject {
  @Persisted var grams = 5
}

private struct Mass: CustomPersistable {
  var grams: Int
  init(persistedValue: Weight) { grams = persistedValue.grams }
  var persistableValue: Weight { Weight(value: ["grams": grams]) }
}

private class Parcel: Object {
  @Persisted var height: Float = 0
  @Persisted var width = 0.0
  @Persisted var mass: Mass
  @Persisted var next: Parcel?
  @Persisted var count = 0
}

/// Values that are set, and objects that are created, by names.
@Suite struct SetByNameTests {
  private let types: [ObjectBase.Type] = [Parcel.self, Weight.self]

  @Test func `An integer that a Float can't hold is the nearest one`() throws {
    try TestFile().open(types) { realm in
      let parcel = Parcel()
      parcel["height"] = 16_777_217
      expectEqual(parcel.height, 16_777_216)
      try realm.write {
        realm.add(parcel)
        parcel["height"] = 33_554_435
        parcel["width"] = 9_007_199_254_740_993
      }
      expectTrue(parcel.height == 33_554_436 && parcel.width == 9_007_199_254_740_992)
    }
  }

  @Test func `Nil for a custom type that is kept as an embedded object is that of an empty one`()
    throws
  {
    let parcel = Parcel(value: ["mass": NSNull()])
    expectEqual(parcel.mass.grams, 5)
    try TestFile().open(types) { realm in
      try realm.write { realm.add(parcel) }
      expectEqual(parcel.mass.grams, 5)
      try realm.write { parcel["mass"] = Mass(persistedValue: Weight(value: ["grams": 7])) }
      expectEqual(parcel.mass.grams, 7)
      try realm.write { parcel["mass"] = nil }
      expectEqual(parcel.mass.grams, 5)
      try expectEqual(realm.create(inWrite: ["mass": NSNull()]).mass.grams, 5)
    }
  }

  @Test func `An embedded object can't be made alone by the name of its class`() throws {
    try TestFile().open(types) { realm in
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.dynamicCreate("Weight") }
      }
      expectEqual(
        error?.localizedDescription.contains("Embedded objects cannot be created directly"), true)
      expectTrue(realm.dynamicObjects("Weight").isEmpty)
    }
  }

  @Test func `Numbers are computed over what links lead to`() throws {
    try TestFile().open(types) { realm in
      try realm.write {
        for count in 1...3 {
          realm.add(
            Parcel(value: ["count": count, "next": ["count": count * 10]] as [String: Any]))
        }
      }
      let linked = realm.objects(Parcel.self).where { $0.next != nil }
      expectEqual(linked.sum(ofProperty: "count"), 6)
      expectEqual(linked.value(forKeyPath: "@sum.next.count") as? Int, 60)
      expectEqual(linked.value(forKeyPath: "@max.next.count") as? Int16, 30)
    }
  }
}

extension Realm {
  fileprivate func create(inWrite value: [String: Any]) throws -> Parcel {
    try write { create(Parcel.self, value: value) }
  }
}
