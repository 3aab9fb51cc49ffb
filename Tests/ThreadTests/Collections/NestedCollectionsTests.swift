import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Lists and dictionaries in an `AnyRealmValue`: stored, read, and changed in place.
@Suite struct NestedCollectionsTests {
  typealias Setting = Shelf.Setting
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a closure on an object in memory, and on one in a file inside of `write`.
  private func inBoth(_ body: (Setting) throws -> Void) throws {
    try body(Setting())
    try folder.write(Shelf.types) { realm in try body(realm.create(Setting.self)) }
  }

  private func column(_ name: String) throws -> [String] {
    try folder.texts("SELECT \(name) FROM Setting ORDER BY id")
  }

  @Test func `A value of each kind is read as it was written`() throws {
    try folder.write(Shelf.types) { realm in
      let setting = Setting(value: ["id": 1])
      setting.value = Shelf.everything
      setting.values.append(Shelf.everything)
      setting.named["a"] = Shelf.everything
      realm.add(setting)
      expectEqual(setting.value, Shelf.everything)
    }
    try folder.open(Shelf.types) { realm in
      let setting = realm.objects(Setting.self)[0]
      expectEqual(setting.value, Shelf.everything)
      expectTrue(setting.values[0] == Shelf.everything && setting.named["a"] == Shelf.everything)
      expectEqual(setting.value["list"]?[1], 1.5)
      expectEqual(setting.value["inner"]?["$b"], 2)
    }
    try expectTrue(Realm.problems(for: folder.configuration(Shelf.types)).isEmpty)
    try expectEqual(column("value_type"), ["dictionary"])
  }

  @Test func `The column has JSON that other programs can read`() throws {
    try folder.write(Shelf.types) { realm in
      let setting = realm.create(Setting.self)
      setting.value = .fromDictionary(["sizes": .fromArray([1, 2.5, .none]), "a": true])
    }
    try expectEqual(column("value"), [#"{"a":true,"sizes":[1,2.5,null]}"#])
    try expectEqual(column("value ->> '$.sizes[1]'"), ["2.5"])
  }

  @Test func `Changes in place change the object`() throws {
    try inBoth { setting in
      setting.value = .fromArray([1, .fromDictionary(["a": .fromArray([])])])
      let list = try #require(setting.value.listValue)
      list[0] = 2
      setting.value.listValue?.append("end")
      setting.value[1]?["a"]?.listValue?.append(objectsIn: [10, 20])
      setting.value[1]?["b"] = 3
      expectEqual(
        setting.value,
        .fromArray([2, .fromDictionary(["a": .fromArray([10, 20]), "b": 3]), "end"]))
      list.remove(at: 0)
      list.insert(contentsOf: [5, 6], at: 0)
      list.move(from: 0, to: 1)
      list.swapAt(0, 3)
      expectTrue(list[0] == "end" && list[1] == 5 && list[3] == 6 && list.count == 4)
      setting.value[2]?.dictionaryValue?.removeObject(for: "b")
      setting.value[2] = AnyRealmValue.none
      expectEqual(setting.value, .fromArray(["end", 5, .none, 6]))
      list.removeAll()
      expectTrue(setting.value == .fromArray([]) && list.isEmpty)
    }
  }

  @Test func `A collection stays the same one while others around it come and go`() throws {
    try inBoth { setting in
      setting.value = .fromArray([.fromArray([]), .fromArray([]), .fromArray([])])
      let middle = try #require(setting.value[1]?.listValue)
      setting.value.listValue?.insert(.fromArray([0]), at: 0)
      middle.append(1)
      setting.value.listValue?.remove(at: 1)
      middle.append(2)
      setting.value.listValue?.move(from: 1, to: 2)
      middle.append(3)
      expectEqual(
        setting.value, .fromArray([.fromArray([0]), .fromArray([]), .fromArray([1, 2, 3])]))
    }
  }

  @Test func `An element of a list stays the same one, too`() throws {
    try inBoth { setting in
      setting.values.append(objectsIn: [.fromArray([]), .fromArray([]), .fromArray([])])
      let middle = try #require(setting.values[1].listValue)
      setting.values.insert(.fromArray([0]), at: 0)
      middle.append(1)
      setting.values.remove(at: 1)
      middle.append(2)
      setting.values.move(from: 1, to: 2)
      middle.append(3)
      setting.values.append(9)
      middle.append(4)
      expectEqual(
        Array(setting.values), [.fromArray([0]), .fromArray([]), .fromArray([1, 2, 3, 4]), 9])
      for element in setting.values { element.listValue?.append(7) }
      expectTrue(setting.values[2].listValue?.last == 7 && middle.last == 7)
    }
  }

  @Test func `The value of a key is changed in place`() throws {
    try inBoth { setting in
      setting.named["a"] = .fromDictionary(["x": .fromArray([1])])
      setting.named["a"]?["x"]?.listValue?.append(2)
      expectEqual(setting.named["a"], .fromDictionary(["x": .fromArray([1, 2])]))
      for (_, value) in setting.named { value.dictionaryValue?["y"] = 1 }
      expectEqual(setting.named["a"]?.dictionaryValue?.keys, ["x", "y"])
    }
  }

  @Test func `A collection whose place is gone is invalidated, and can't be changed`() throws {
    func expectGone(_ remove: (Setting) -> Void) throws {
      try folder.open(Shelf.types) { realm in
        var inner: List<AnyRealmValue>?
        try realm.write {
          realm.deleteAll()
          let setting = realm.create(Setting.self)
          setting.value = .fromArray([.fromArray([1])])
          setting.values.append(.fromArray([1]))
          setting.named["a"] = .fromArray([1])
        }
        let setting = realm.objects(Setting.self)[0]
        let kept = [
          setting.value[0]?.listValue, setting.values[0].listValue, setting.named["a"]?.listValue,
        ].compactMap { $0 }
        expectEqual(kept.map(\.count), [1, 1, 1])
        try realm.write { remove(setting) }
        expectEqual(kept.map(\.isInvalidated), [true, true, true])
        expectTrue(kept.map(\.count) == [0, 0, 0] && kept[0].first == nil)
        inner = kept[0]
        #expect {
          try realm.write { inner?.append(1) }
        } throws: {
          "\($0)".contains("it was removed or replaced")
            || "\($0)".contains("has been deleted or invalidated")
        }
      }
    }
    try expectGone { setting in
      setting.value = 1
      setting.values[0] = 1
      setting.named["a"] = 1
    }
    try expectGone { setting in
      setting.value = .fromArray([.fromArray([1])])
      setting.values.removeAll()
      setting.named.removeAll()
    }
    try expectGone { setting in
      setting.value.listValue?.remove(at: 0)
      setting.values.remove(at: 0)
      setting.named["a"] = nil
    }
  }

  @Test func `Changes of another realm are seen, and a collection stays where it is`() throws {
    let configuration = folder.configuration(Shelf.types)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let setting = realm.create(Setting.self)
      setting.value = .fromArray([1, .fromArray([2])])
      setting.values.append(.fromArray([3]))
    }
    let setting = realm.objects(Setting.self)[0]
    let inner = try #require(setting.value[1]?.listValue)
    let element = try #require(setting.values[0].listValue)
    try inThread(configuration) { other in
      try other.write {
        let setting = other.objects(Setting.self)[0]
        setting.value[1]?.listValue?.append(4)
        setting.values[0].listValue?.append(5)
        setting.values.insert(0, at: 0)
      }
    }
    realm.refresh()
    expectEqual(Array(inner), [2, 4])
    try realm.write { inner.append(6) }
    expectEqual(setting.value, .fromArray([1, .fromArray([2, 4, 6])]))
    expectEqual(setting.values[1], .fromArray([3, 5]))
    _ = element
  }

  @Test func `What a transaction changed is as before when it is taken back`() throws {
    try folder.open(Shelf.types) { realm in
      try realm.write { realm.create(Setting.self).value = .fromArray([.fromArray([1])]) }
      let setting = realm.objects(Setting.self)[0]
      let inner = try #require(setting.value[0]?.listValue)
      realm.beginWrite()
      inner.append(2)
      setting.value.listValue?.append(3)
      realm.cancelWrite()
      expectTrue(Array(inner) == [1] && setting.value == .fromArray([.fromArray([1])]))
      try realm.write { inner.append(4) }
      expectEqual(setting.value, .fromArray([.fromArray([1, 4])]))
    }
  }

  @Test func `Values are equal by their contents, and collections by what they are`() throws {
    try folder.write(Shelf.types) { realm in
      let setting = realm.create(Setting.self)
      setting.value = Shelf.everything
      let other = realm.create(Setting.self, value: ["id": 1])
      other.value = setting.value
      expectTrue(setting.value == other.value && Set([setting.value, other.value]).count == 1)
      expectEqual(setting.value.dictionaryValue, setting.value.dictionaryValue)
      expectTrue(setting.value.dictionaryValue != other.value.dictionaryValue)
      other.value["new"] = 1
      expectTrue(setting.value != other.value)
      setting.values.append(.fromArray([1]))
      expectTrue(setting.values.contains(.fromArray([1])))
      expectNil(setting.values.index(of: .fromArray([2])))
      expectTrue(AnyRealmValue.fromArray([1]) != .fromDictionary(["a": 1]))
    }
  }

  @Test func `Arrays and dictionaries of values make them`() throws {
    try folder.open(Shelf.types) { realm in
      let value: [String: Any] = [
        "id": 3, "value": ["a": [1, 2], "b": nil] as [String: Any?],
        "values": [1, [2, [3]]] as [Any], "named": ["x": ["y": 1]],
      ]
      try realm.write {
        for setting in [realm.create(Setting.self, value: value), Setting(value: value)] {
          expectEqual(setting.value, .fromDictionary(["a": .fromArray([1, 2]), "b": .none]))
          expectEqual(setting.values[1], .fromArray([2, .fromArray([3])]))
          expectEqual(setting.named["x"], .fromDictionary(["y": 1]))
        }
        realm.create(Setting.self, value: ["id": 3, "value": [5]], update: .modified)
      }
      let setting = realm.objects(Setting.self)[0]
      expectTrue(setting.value == .fromArray([5]) && setting["value"] is List<AnyRealmValue>)
      try realm.write { setting["value"] = ["k": 1] }
      expectEqual(setting.value, .fromDictionary(["k": 1]))
    }
  }

  @Test func `Descriptions show what is inside`() throws {
    try inBoth { setting in
      setting.value = .fromArray([1, .fromDictionary(["a": "b"])])
      let text = setting.value.description
      expectTrue(text.contains("List<AnyRealmValue>") && text.contains("[a]: b"))
    }
  }
}
