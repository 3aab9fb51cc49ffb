import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Objects and collections that are assigned parts of themselves, in another order or position.
@Suite struct ReusedValuesTests {
  class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var values: List<AnyRealmValue>
    @Persisted var named: Map<String, AnyRealmValue>
    @Persisted var value: AnyRealmValue
    @Persisted var boxes: List<Box>
    @Persisted var box: Box?
    @Persisted var peer: Shelf?
    @Persisted var shelves: List<Shelf>
    @Persisted var shelvesByName: Map<String, Shelf?>
  }

  class Box: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var things: List<String>
  }

  private func open(_ body: (Realm, Shelf) throws -> Void) throws {
    try TestFolder().open([Shelf.self, Box.self]) { realm in
      let shelf = try realm.write {
        realm.create(
          Shelf.self,
          value: [
            "id": 1, "values": [AnyRealmValue.fromArray([1, .fromArray([2])]), 3],
            "named": ["a": AnyRealmValue.fromArray([4]), "b": .fromDictionary(["c": 5])],
            "value": AnyRealmValue.fromArray([6]),
            "boxes": [["size": 1, "things": ["pen"]], ["size": 2, "things": ["cup"]]],
            "box": ["size": 3, "things": ["map"]],
          ] as [String: Any])
      }
      try body(realm, shelf)
    }
  }

  private func text(_ value: AnyRealmValue?) -> String {
    switch value {
    case nil, AnyRealmValue.none?: "-"
    case .list(let list)?: "[\(list.map { text($0) }.joined(separator: " "))]"
    case .dictionary(let map)?:
      "{\(map.map { "\($0.key):\(text($0.value))" }.joined(separator: " "))}"
    case let value?: "\(value)"
    }
  }

  private func text(_ box: Box?) -> String {
    box.map { "\($0.size)\(Array($0.things))" } ?? "-"
  }

  // MARK: Lists and dictionaries in values

  @Test func `A list is replaced by its own elements, with what is in them`() throws {
    let changes: [(Shelf) -> Void] = [
      { $0.values.replaceSubrange(0..<2, with: $0.values.reversed()) },
      { $0.setValue(Array($0.values.reversed()), forKey: "values") },
      { shelf in
        let values = List<AnyRealmValue>()
        values.append(objectsIn: shelf.values.reversed())
        shelf.values = values
      },
    ]
    for change in changes {
      try open { realm, shelf in
        try realm.write { change(shelf) }
        expectEqual(shelf.values.map { text($0) }, ["3", "[1 [2]]"])
      }
    }
  }

  @Test func `A list is replaced by a part of itself`() throws {
    try open { realm, shelf in
      try realm.write { shelf.values = try #require(shelf.values[0].listValue) }
      expectEqual(shelf.values.map { text($0) }, ["1", "[2]"])
      try realm.write { shelf.setValue(shelf.values[1].listValue, forKey: "values") }
      expectEqual(shelf.values.map { text($0) }, ["2"])
    }
  }

  @Test func `A list in a value is replaced by its own elements`() throws {
    try open { realm, shelf in
      let list = try #require(shelf.values[0].listValue)
      try realm.write { list.replaceSubrange(0..<2, with: list.reversed()) }
      expectEqual(text(shelf.values[0]), "[[2] 1]")
    }
  }

  @Test func `A map is replaced by its own elements, and by a part of itself`() throws {
    try open { realm, shelf in
      try realm.write {
        shelf.setValue(["a": shelf.named["b"], "b": shelf.named["a"]], forKey: "named")
      }
      expectEqual(shelf.named.map { "\($0.key)\(text($0.value))" }, ["a{c:5}", "b[4]"])
      try realm.write { shelf.named = try #require(shelf.named["a"]?.dictionaryValue) }
      expectEqual(shelf.named.map { "\($0.key)\(text($0.value))" }, ["c5"])
    }
  }

  @Test func `A list that was removed from a value is refused, instead of an empty one`() throws {
    let changes: [(Shelf) -> Void] = [
      { shelf in
        let value = shelf.value
        shelf.value = 1
        shelf.values.append(value)
      },
      { shelf in
        let values = Array(shelf.values)
        shelf.values.removeAll()
        shelf.values.append(objectsIn: values)
      },
      { shelf in
        guard let removed = shelf.values[0].listValue else { return }
        shelf.values.removeAll()
        shelf.values = removed
      },
    ]
    for change in changes {
      try open { realm, shelf in
        expectError("Object has been deleted or invalidated. ('List<AnyRealmValue>')") {
          try realm.write { change(shelf) }
        }
        expectEqual(shelf.values.map { text($0) }, ["[1 [2]]", "3"])
      }
    }
  }

  // MARK: Creating

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `Properties exchange their values`(policy: UpdatePolicy) throws {
    try open { realm, shelf in
      try realm.write {
        _ = realm.create(
          Shelf.self,
          value: [
            "id": 1, "value": shelf.values[0], "values": [shelf.value, shelf.named["a"]!],
            "named": ["z": shelf.values[0]], "box": shelf.boxes[0],
            "boxes": [shelf.box!, shelf.boxes[1], shelf.box!],
          ] as [String: Any], update: policy)
      }
      expectEqual(text(shelf.value), "[1 [2]]")
      expectEqual(shelf.values.map { text($0) }, ["[6]", "[4]"])
      expectEqual(shelf.named.map { text($0.value) }, ["[1 [2]]"])
      expectEqual(text(shelf.box), "1[\"pen\"]")
      expectEqual(shelf.boxes.map { text($0) }, ["3[\"map\"]", "2[\"cup\"]", "3[\"map\"]"])
    }
  }

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `Objects within get what the object around them loses`(policy: UpdatePolicy) throws {
    try open { realm, shelf in
      try realm.write {
        _ = realm.create(
          Shelf.self,
          value: [
            "id": 1, "box": ["size": 9, "things": []], "boxes": [],
            "peer": [
              "id": 2, "box": shelf.box as Any, "peer": ["id": 3, "boxes": shelf.boxes],
            ],
          ] as [String: Any], update: policy)
      }
      expectTrue(text(shelf.box) == "9[]" && shelf.boxes.isEmpty)
      expectEqual(text(shelf.peer?.box), "3[\"map\"]")
      expectEqual(shelf.peer?.peer?.boxes.map { text($0) }, ["1[\"pen\"]", "2[\"cup\"]"])
    }
  }

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `An object that replaces one reads its values first`(policy: UpdatePolicy) throws {
    try open { realm, shelf in
      let new = Shelf()
      new.id = 1
      new.value = shelf.values[0]
      new.values.append(shelf.value)
      new.named["z"] = shelf.values[0]
      try realm.write { realm.add(new, update: policy) }
      expectTrue(text(shelf.value) == "[1 [2]]" && text(shelf.values[0]) == "[6]")
      expectEqual(text(shelf.named["z"]), "[1 [2]]")
    }
  }

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `A new object that is named twice in a value keeps its values`(
    policy: UpdatePolicy
  ) throws {
    try open { realm, _ in
      let shelf = try realm.write {
        realm.create(
          Shelf.self,
          value: ["id": 7, "value": 8, "values": [9], "peer": ["id": 8, "peer": ["id": 7]]]
            as [String: Any], update: policy)
      }
      expectTrue(shelf.peer?.peer == shelf && realm.objects(Shelf.self).count == 3)
      expectTrue(text(shelf.value) == "8" && shelf.values.map { text($0) } == ["9"])
    }
  }

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `A frozen object that leads back to itself is copied from its parts`(
    policy: UpdatePolicy
  ) throws {
    try open { realm, shelf in
      try realm.write { shelf.peer = shelf }
      let frozen = shelf.freeze()
      try realm.write { realm.delete(shelf) }
      let copy = try realm.write {
        realm.create(
          Shelf.self,
          value: ["id": 1, "peer": frozen, "box": frozen.box as Any, "boxes": frozen.boxes]
            as [String: Any], update: policy)
      }
      expectTrue(copy.peer == copy && text(copy.box) == "3[\"map\"]")
      expectEqual(copy.boxes.map { text($0) }, ["1[\"pen\"]", "2[\"cup\"]"])
    }
  }

  // MARK: The same collection, and deleting

  @Test func `A list of embedded objects that is set to itself stays as it is`() throws {
    try open { realm, shelf in
      let same = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1))
      try realm.write {
        shelf["boxes"] = same["boxes"]
        shelf.boxes = same.boxes
      }
      expectEqual(shelf.boxes.map { text($0) }, ["1[\"pen\"]", "2[\"cup\"]"])
    }
  }

  @Test func `The objects of a view of a list, and of a map with its own object, are deleted`()
    throws
  {
    try open { realm, shelf in
      let peer = try realm.write {
        let peer = realm.create(Shelf.self, value: ["id": 2])
        shelf.shelves.append(objectsIn: [peer, peer])
        shelf.shelvesByName["peer"] = shelf
        return peer
      }
      try realm.write { realm.delete(shelf.shelves.reversed()) }
      expectTrue(peer.isInvalidated && shelf.shelves.isEmpty)
      try realm.write { realm.delete(shelf.shelvesByName) }
      expectTrue(realm.objects(Shelf.self).isEmpty)
    }
  }
}
