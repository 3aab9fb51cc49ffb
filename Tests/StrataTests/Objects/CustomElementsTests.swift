import Strata
import StrataTestKit
import TestKit
import Testing

/// Values and elements of custom types that are set in their persisted form.
@Suite struct CustomElementsTests {
  enum Mood: String, PersistableEnum { case good, bad }

  struct Even: FailableCustomPersistable, Hashable {
    let half: Int
    init?(persistedValue: Int) {
      guard persistedValue.isMultiple(of: 2) else { return nil }
      half = persistedValue / 2
    }
    var persistableValue: Int { half * 2 }
  }

  final class Point: EmbeddedObject { @Persisted var x = 0 }

  struct Place: CustomPersistable, Hashable {
    var x: Int
    init(persistedValue: Point) { x = persistedValue.x }
    var persistableValue: Point { Point(value: [x]) }
  }

  final class Thing: Object {
    @Persisted var even: Even?
    @Persisted var evens: List<Even?>
    @Persisted var evenSet: MutableSet<Even?>
    @Persisted var evensByName: Map<String, Even?>
    @Persisted var required: List<Even>
    @Persisted var moods: List<Mood?>
    @Persisted var moodsByName: Map<String, Mood?>
    @Persisted var place: Place
    @Persisted var places: List<Place>
    @Persisted var placesByName: Map<String, Place>
  }

  private func check(_ value: [String: Any], _ body: (Thing) -> Void) throws {
    body(Thing(value: value))
    try TestFolder().open([Thing.self, Point.self]) { realm in
      try realm.write { body(realm.create(Thing.self, value: value)) }
      for thing in realm.objects(Thing.self) { body(thing) }
    }
  }

  private func expectRefusal(_ value: [String: Any], _ text: String) throws {
    expectIssue(text) { _ = Thing(value: value) }
    try TestFolder().open([Thing.self, Point.self]) { realm in
      expectError(containing: text) {
        try realm.write { _ = realm.create(Thing.self, value: value) }
      }
    }
  }

  @Test func `What can't be converted is nil where that is possible`() throws {
    let value: [String: Any] = [
      "even": 3, "evens": [2, 3], "evenSet": [5], "evensByName": ["a": 7, "b": 4],
      "moods": ["ugly", "bad"], "moodsByName": ["a": "ugly"],
    ]
    try check(value) { thing in
      expectNil(thing.even)
      expectEqual(thing.evens.map { $0?.half }, [1, nil])
      expectTrue(thing.evenSet.count == 1 && thing.evenSet.contains(nil))
      expectTrue(thing.evensByName["a"] == .some(nil) && thing.evensByName["b"]??.half == 2)
      expectTrue(Array(thing.moods) == [nil, .bad] && thing.moodsByName["a"] == .some(nil))
    }
    try expectRefusal(["required": [3]], "'array<int>' property 'Thing.required'")
    try expectRefusal(["even": "x"], "Invalid value 'x'")
    try expectRefusal(["evens": ["x"]], "'Thing.evens'")
  }

  @Test func `A list of values that are kept as objects holds no nil`() throws {
    let nothing: Int? = nil
    try check(["place": nothing as Any, "placesByName": ["a": nothing]]) { thing in
      expectTrue(thing.place.x == 0 && thing.placesByName["a"]?.x == 0)
    }
    try expectRefusal(["places": [nothing]], "'Thing.places'")
  }
}
