import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Embedded objects of an object that is updated with itself, or with parts of itself.
@Suite struct EmbeddedCopiesTests {
  class House: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var rooms: List<Room>
    @Persisted var hall: Room?
    @Persisted var roomsByName: Map<String, Room?>
  }

  class Room: EmbeddedObject {
    @Persisted var area = 0
    @Persisted var things: List<String>
    @Persisted var door: Door?
  }

  class Door: EmbeddedObject {
    @Persisted var keys: Map<String, Int>
  }

  private static var room: [String: Any] {
    [
      "area": 1, "things": ["bed", "chair"], "door": ["keys": ["a": 1]],
    ]
  }

  private func expectWhole(
    _ room: Room?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let room = try #require(room, sourceLocation: sourceLocation)
    expectTrue(
      room.area == 1 && Array(room.things) == ["bed", "chair"], sourceLocation: sourceLocation)
    expectEqual(room.door?.keys["a"], 1, sourceLocation: sourceLocation)
  }

  @Test(arguments: [UpdatePolicy.all, .modified])
  func `An object that is updated with itself keeps what is in its embedded objects`(
    policy: UpdatePolicy
  ) throws {
    try TestFolder().open([House.self, Room.self, Door.self]) { realm in
      let house = try realm.write {
        realm.create(
          House.self,
          value: [
            "id": 1, "rooms": [Self.room, Self.room], "hall": Self.room,
            "roomsByName": ["kitchen": Self.room],
          ] as [String: Any])
      }
      let values: [() -> Any] = [
        { house },
        { ["id": 1, "rooms": house.rooms, "roomsByName": house.roomsByName] as [String: Any] },
        { ["id": 1, "rooms": Array(house.rooms), "hall": house.hall as Any] as [String: Any] },
        { ["id": 1, "rooms": [house.rooms[1], house.rooms[0]]] as [String: Any] },
      ]
      for value in values {
        try realm.write { _ = realm.create(House.self, value: value(), update: policy) }
        expectTrue(house.rooms.count == 2 && house.roomsByName.count == 1)
        for room in house.rooms { try expectWhole(room) }
        try expectWhole(house.hall)
        try expectWhole(house.roomsByName["kitchen"] ?? nil)
      }
    }
  }
}
