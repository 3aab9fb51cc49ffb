import Dispatch
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observers of objects that are updated with `update: .modified`.
@Suite struct ObservingUpdatesTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
  }

  private func ada() throws -> Observed.Person {
    try realm.write {
      let ada = Observed.person(1, "Ada", age: 30)
      realm.add(ada)
      let rex = realm.create(Observed.Dog.self, value: ["name": "Rex"])
      ada.dog = rex
      ada.dogs.append(rex)
      ada.numbers.append(objectsIn: [1, 2])
      ada.tags.insert(objectsIn: ["a", "b"])
      ada.dogsByName["Rex"] = rex
      ada.scores["x"] = 1
      ada.any = .object(rex)
      return ada
    }
  }

  /// The names of the properties that an observer of the object hears of.
  private func heard(
    of object: Observed.Person, _ body: () throws -> Void
  ) throws -> [String] {
    var names: [String] = []
    let token = object.observe { change in
      if case .change(_, let properties) = change { names += properties.map(\.name) }
    }
    realm.refresh()
    try realm.write(body)
    realm.refresh()
    token.invalidate()
    return names
  }

  private func update(_ object: Observed.Person, _ value: [String: Any]) throws -> [String] {
    try heard(of: object) {
      realm.create(
        Observed.Person.self, value: value.merging(["id": 1]) { $1 }, update: .modified)
    }
  }

  @Test func `Observers hear nothing of values that are there already`() throws {
    let ada = try ada()
    let rex = try #require(ada.dog)
    let same: [String: Any] = [
      "name": "Ada", "age": 30, "dog": rex, "dogs": [rex], "numbers": [1, 2],
      "tags": ["b", "a"], "dogsByName": ["Rex": rex], "scores": ["x": 1],
      "any": AnyRealmValue.object(rex),
    ]
    for (name, value) in same { try expectEqual(update(ada, [name: value]), []) }
    try expectEqual(update(ada, same), [])
    try expectEqual(
      heard(of: ada) { realm.create(Observed.Person.self, value: ada, update: .modified) }, [])
    try expectEqual(
      heard(of: ada) { realm.add(Observed.Person(value: ada), update: .modified) }, [])
    try realm.write {
      ada.dog = nil
      ada.any = .none
      ada.numbers.removeAll()
    }
    let nothing: [String: Any?] = ["dog": nil, "any": nil, "numbers": []]
    try expectEqual(update(ada, nothing as [String: Any]), [])
    for value: AnyRealmValue in [.int(1), .string("é"), .double(0.5), .bool(true)] {
      try realm.write { ada.any = value }
      try expectEqual(update(ada, ["any": value]), [])
    }
  }

  @Test func `Texts that look alike and differ in bytes are different ones`() throws {
    let ada = try ada()
    let texts = ["e\u{301}", "\u{e9}", "e\u{301}"]
    try realm.write { ada.name = texts[1] }
    try expectEqual(update(ada, ["name": texts[0]]), ["name"])
    expectEqual(ada.name.unicodeScalars.count, 2)
    try expectEqual(update(ada, ["tags": texts]), ["tags"])
    expectEqual(Set(ada.tags.map { Array($0.utf8) }), Set(texts.map { Array($0.utf8) }))
    try expectEqual(update(ada, ["tags": texts]), [])
    try expectEqual(update(ada, ["tags": [texts[1]]]), ["tags"])
    expectEqual(ada.tags.map { Array($0.utf8) }, [Array(texts[1].utf8)])
  }

  @Test func `Observers hear of each value that differs`() throws {
    let ada = try ada()
    let rex = try #require(ada.dog)
    let max = try realm.write { realm.create(Observed.Dog.self, value: ["name": "Max"]) }
    for (name, value) in [
      ("dog", max), ("dogs", [rex, max]), ("numbers", [1, 3]), ("tags", ["a", "c"]),
      ("dogsByName", ["Rex": max]), ("scores", ["x": 2]), ("any", AnyRealmValue.object(max)),
    ] as [(String, Any)] { try expectEqual(update(ada, [name: value]), [name]) }
    expectTrue(ada.dog == max && ada.dogs.map(\.name) == ["Rex", "Max"])
    expectTrue(Array(ada.numbers) == [1, 3] && Set(ada.tags) == ["a", "c"])
    expectTrue(ada.dogsByName["Rex"] == max && ada.scores["x"] == 2)
    expectEqual(ada.any, .object(max))
    // Of another type, though the number is the same.
    try realm.write { ada.any = .int(1) }
    try expectEqual(update(ada, ["any": AnyRealmValue.double(1)]), ["any"])
    // An object without a primary key is the one that is there.
    try expectEqual(update(ada, ["dog": Observed.Dog(value: ["name": "New"])]), [])
    expectTrue(ada.dog == max && max.name == "New")
  }

  @Test(.needsHook) func `Lists and maps tell what differs in them`() throws {
    let ada = try ada()
    try realm.write {
      ada.numbers.removeAll()
      ada.numbers.append(objectsIn: 0..<5)
      for key in ["a", "b", "c"] { ada.scores[key] = 1 }
    }
    var changes: [Change] = []
    var keys: [[String]] = []
    let tokens = [
      ada.numbers.observe { changes.append(Change($0)) },
      ada.scores.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          keys.append(deletions + ["+"] + insertions + ["~"] + modifications)
        }
      },
    ]
    realm.refresh()
    let lists = [
      [0, 1, 2, 3, 4, 5], [9, 0, 1, 2, 3, 4, 5], [9, 0, 7, 2, 3, 4, 5], [9, 0, 4, 5], [],
    ]
    for (number, list) in lists.enumerated() {
      try realm.write {
        if number.isMultiple(of: 2) {
          realm.create(
            Observed.Person.self, value: ["id": 1, "numbers": list] as [String: Any],
            update: .modified)
        } else {
          let person = Observed.person(1)
          person.numbers.append(objectsIn: list)
          realm.add(person, update: .modified)
        }
      }
      realm.refresh()
      expectEqual(Array(ada.numbers), list)
    }
    expectEqual(
      changes,
      [
        .initial(5), .update(6, [], [5], []), .update(7, [], [0], []), .update(7, [], [], [2]),
        .update(4, [2, 3, 4], [], []), .update(0, [0, 1, 2, 3], [], []),
      ])
    keys = []
    try realm.write {
      for key in ["a", "b", "c"] { ada.scores[key] = 1 }
    }
    realm.refresh()
    try realm.write {
      realm.create(
        Observed.Person.self,
        value: ["id": 1, "scores": ["b": 1, "c": 2, "d": 3]] as [String: Any],
        update: .modified)
    }
    realm.refresh()
    expectEqual(keys, [["+", "a", "b", "c", "~"], ["a", "+", "d", "~", "c"]])
    for token in tokens { token.invalidate() }
  }

  @Test func `Results of a map tell of objects that changed themselves`() throws {
    let ada = try ada()
    let max = try realm.write {
      let max = realm.create(Observed.Dog.self, value: ["name": "Max"])
      ada.dogsByName["Max"] = max
      ada.dogsByName["Other"] = max
      return max
    }
    let all = [
      ada.dogsByName.filter("name != ''"), ada.dogsByName.where { $0.name != "" },
      ada.dogsByName.sorted(byKeyPath: "name"),
    ]
    var changes: [[Change]] = [[], [], []]
    let tokens = all.indices.map { index in
      all[index].observe { changes[index].append(Change($0)) }
    }
    realm.refresh()
    for results in all { expectEqual(results.map { $0?.name }, ["Max", "Max", "Rex"]) }
    try realm.write { max.collar = Observed.Collar() }
    realm.refresh()
    try realm.write { ada.dog?.name = "Zoe" }
    realm.refresh()
    for heard in changes {
      expectEqual(heard, [.initial(3), .update(3, [], [], [0, 1]), .update(3, [], [], [2])])
    }
    // One that takes another's place isn't modified itself.
    try realm.write { ada.dogsByName["Rex"] = max }
    realm.refresh()
    expectEqual(changes[0].last, .update(3, [2], [2], []))
    for token in tokens { token.invalidate() }
  }
}
