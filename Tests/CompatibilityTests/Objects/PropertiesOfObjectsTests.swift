import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Defaults: Object {
    @Persisted var int: Int
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var id: ObjectId
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted var optional: Int?
    @Persisted var link: ByText?
    @Persisted var list: List<Int>
    @Persisted var set: MutableSet<Int>
    @Persisted var map: Map<String, Int>
  }

  class Observed: Object {
    var calls: [String] = []
    @Persisted var value = 0 {
      willSet { calls.append("will \(value)") }
      didSet { calls.append("did \(value)") }
    }
  }

  enum Level: Int, PersistableEnum { case low = 1, high = 7 }

  class ByEnum: Object { @Persisted(primaryKey: true) var id: Level }
  class ByText: Object { @Persisted(primaryKey: true) var id: String? }

  static let types: [ObjectBase.Type] = [
    Defaults.self, Observed.self, ByEnum.self, ByText.self,
  ]
}

/// Defaults, observers, collections and keys.
@Suite("Properties of objects") struct PropertiesOfObjectsTests {
  private func inFile(_ body: (Realm) throws -> Void) throws {
    try TestFile().open(V0.types) { realm in try body(realm) }
  }

  @Test func `A property without a default has its type's zero, a new id or the time`() throws {
    let object = V0.Defaults()
    expectTrue(object.int == 0 && !object.bool && object.float == 0 && object.double == 0)
    expectTrue(object.string == "" && object.data.isEmpty && object.decimal == 0)
    expectTrue(object.any == .none && object.optional == nil && object.link == nil)
    expectTrue(object.list.isEmpty && object.set.isEmpty && object.map.isEmpty)
    expectTrue(abs(object.date.timeIntervalSinceNow) < 60)
    let other = V0.Defaults()
    expectTrue(object.id != other.id && object.uuid != other.uuid && object.id == object.id)
    try inFile { realm in
      let (id, uuid) = (object.id, object.uuid)
      try realm.write { realm.add(object) }
      let read = try #require(realm.objects(V0.Defaults.self).first)
      expectTrue(read.id == id && read.uuid == uuid && read.date == object.date)
    }
  }

  @Test func `Collections are the same instances before and after an object is added`() throws {
    try inFile { realm in
      let object = V0.Defaults()
      let (list, set, map) = (object.list, object.set, object.map)
      list.append(1)
      expectTrue(list === object.list && list.realm == nil)
      try realm.write {
        realm.add(object)
        list.append(2)
        set.insert(3)
        map["a"] = 4
      }
      expectTrue(list === object.list && set === object.set && map === object.map)
      expectTrue(list.realm == realm && Array(object.list) == [1, 2] && object.map["a"] == 4)
    }
  }

  @Test func `A collection that is set is copied, and stays the program's own`() throws {
    let (list, set, map) = (List<Int>(), MutableSet<Int>(), Map<String, Int>())
    list.append(objectsIn: [1, 2])
    set.insert(3)
    map["a"] = 4
    let (first, second) = (V0.Defaults(), V0.Defaults())
    let own = (first.list, first.set, first.map)
    for object in [first, second] { (object.list, object.set, object.map) = (list, set, map) }
    expectTrue(own.0 === first.list && own.1 === first.set && own.2 === first.map)
    expectTrue(Array(own.0) == [1, 2] && Array(own.1) == [3] && own.2["a"] == 4)
    first.list.append(9)
    first.set.removeAll()
    first.map["b"] = 9
    list.removeAll()
    expectTrue(Array(second.list) == [1, 2] && Array(second.set) == [3] && second.map.count == 1)
    (first.list, first.set, first.map) = (first.list, first.set, first.map)
    expectTrue(Array(first.list) == [1, 2, 9] && first.set.isEmpty && first.map.count == 2)
    try inFile { realm in
      try realm.write { realm.add(second) }
      let draft = V0.Defaults()
      (draft.list, draft.set, draft.map) = (second.list, second.set, second.map)
      draft.list.append(5)
      draft.set.insert(6)
      draft.map["c"] = 7
      expectTrue(draft.list.realm == nil && Array(draft.list) == [1, 2, 5] && draft.map.count == 2)
      expectTrue(Array(second.list) == [1, 2] && second.set.count == 1 && second.map.count == 1)
    }
  }

  @Test func `Observers of a property run, in memory and in a realm`() throws {
    let object = V0.Observed()
    object.value = 1
    expectEqual(object.calls, ["will 0", "did 1"])
    try inFile { realm in
      try realm.write {
        realm.add(object)
        object.value = 2
      }
      expectTrue(object.calls == ["will 0", "did 1", "will 1", "did 2"] && object.value == 2)
    }
  }

  @Test func `Keys may be of each type that has them, optional ones nil`() throws {
    try inFile { realm in
      try realm.write {
        realm.create(V0.ByEnum.self, value: ["id": V0.Level.high])
        realm.create(V0.ByText.self, value: ["id": nil] as [String: Any?])
        realm.create(V0.ByText.self, value: ["id": "a"])
      }
      expectTrue(realm.object(ofType: V0.ByEnum.self, forPrimaryKey: V0.Level.high) != nil)
      expectEqual(realm.object(ofType: V0.ByEnum.self, forPrimaryKey: 7)?.id, .high)
      expectTrue(realm.object(ofType: V0.ByText.self, forPrimaryKey: "a") != nil)
      expectTrue(realm.object(ofType: V0.ByText.self, forPrimaryKey: nil as String?) != nil)
    }
  }
}
