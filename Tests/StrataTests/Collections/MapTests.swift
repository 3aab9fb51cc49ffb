import Strata
import TestKit
import Testing

@Suite struct MapTests {
  typealias Dog = Kennel.Dog

  @Test func `Entries come in the order of their keys`() throws {
    try Kennel.inMemoryAndInFile { person in
      for (index, key) in ["b", "é", "", "a", "B", "🐕", "with.dot"].enumerated() {
        person.scores[key] = index
      }
      let keys = ["", "B", "a", "b", "with.dot", "é", "🐕"]
      expectTrue(person.scores.keys == keys && person.scores.values == [2, 4, 3, 0, 6, 1, 5])
      var read: [String] = []
      for (key, value) in person.scores where value >= 0 { read.append(key) }
      expectEqual(read, keys)
      read = []
      for entry in person.scores where entry.value >= 0 { read.append(entry.key) }
      expectTrue(read == keys && person.scores.map(\.key) == keys)
      expectEqual(person.scores.asKeyValueSequence().map(\.value), person.scores.values)
      expectEqual(person.scores.keys.sorted(by: >).first, "🐕")
      expectEqual(person.scores.filter { $0.value > 4 }.map(\.key), ["with.dot", "🐕"])
      expectTrue(person.scores.contains { $0.key == "é" })
    }
  }

  @Test func `Objects are optional values`() throws {
    try Kennel.inMemoryAndInFile { person in
      let rex = Dog("Rex", age: 4)
      person.dogsByName["rex"] = rex
      person.dogsByName["none"] = .some(nil)
      expectTrue(person.dogsByName["rex"]??.name == "Rex" && person.dogsByName["rex"] == rex)
      expectTrue(person.dogsByName["x"] == nil && person.dogsByName["none"] == .some(nil))
      expectEqual(person.dogsByName.values.map { $0?.name }, [nil, "Rex"])
      expectEqual(person.dogsByName.compactMap(\.value).count, 1)
      let sum: Int = person.dogsByName.sum(ofProperty: "age")
      let max: Int? = person.dogsByName.max(ofProperty: "age")
      expectTrue(sum == 4 && max == 4)
      person.dogsByName["bo"] = Dog("Bo", age: 2)
      expectEqual(person.dogsByName.sorted(byKeyPath: "age").map { $0?.name }, [nil, "Bo", "Rex"])
    }
  }

  @Test func `Maps are merged`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.scores.merge(["a": 1, "b": 2]) { first, _ in first }
      person.scores.merge(["b": 5, "c": 6], uniquingKeysWith: +)
      let other = Map<String, Int>()
      other["c"] = 1
      person.scores.merge(other) { _, second in second }
      expectTrue(person.scores.keys == ["a", "b", "c"] && person.scores.values == [1, 7, 1])
    }
  }

  @Test func `A map is aggregated and sorted`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.scores.merge(["a": 4, "b": 1, "c": 7]) { $1 }
      let min: Int? = person.scores.min()
      let average: Double? = person.scores.average()
      expectTrue(min == 1 && person.scores.max() == 7 && person.scores.sum() == 12 && average == 4)
      expectEqual(Array(person.scores.sorted(ascending: false)), [7, 4, 1])
      person.optionalScores["x"] = .some(nil)
      let none: Double? = person.optionalScores.average()
      expectTrue(none == nil && person.optionalScores.sum() == 0)
    }
  }

  @Test func `Assigning copies the entries`() throws {
    try Kennel.inMemoryAndInFile { person in
      let map = Map<String, Int>()
      map["a"] = 1
      person.scores = map
      person.scores = person.scores
      expectTrue(person.scores["a"] == 1 && person.scores.count == 1)
      person["scores"] = ["b": 2]
      expectEqual(person.scores.keys, ["b"])
      person["extras"] = ["i": 1, "s": "text", "n": nil, "d": Dog("Rex")] as [String: Any?]
      expectTrue(person.extras["i"] == .int(1) && person.extras["s"]?.stringValue == "text")
      expectTrue(person.extras["n"] == AnyRealmValue.none && person.extras.count == 4)
      expectEqual(person.extras["d"]?.object(Dog.self)?.name, "Rex")
    }
  }

  @Test func `Equality in a file is identity, and descriptions show the keys`() throws {
    try Kennel.inMemoryAndInFile { person in
      expectTrue(
        person.scores == person.scores
          && (person.scores != Kennel.Person().scores) == (person.realm != nil))
      person.scores["a"] = 1
      expectTrue(person.scores.description.hasPrefix("Map<string, Int> <0x"))
      expectTrue(person.scores.description.hasSuffix("> (\n\t[a]: 1\n)"))
      expectNil(Kennel.Person().scores.realm)
    }
  }
}
