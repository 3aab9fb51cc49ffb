import Foundation
import Strata
import TestKit
import Testing

/// Lists, sets and maps of objects, custom values and values of any type, compared and described.
@Suite struct CollectionValuesTests {
  typealias Person = Kennel.Person
  typealias Dog = Kennel.Dog

  @Test func `Each move ends where an array's would`() throws {
    try Kennel.inMemoryAndInFile { person in
      let list = person.numbers
      for source in 0..<5 {
        for destination in 0..<5 {
          var expected = Array(0..<5)
          expected.insert(expected.remove(at: source), at: destination)
          list.removeAll()
          list.append(objectsIn: 0..<5)
          list.move(from: source, to: destination)
          expectEqual(Array(list), expected)
          list.removeAll()
          list.append(objectsIn: 0..<5)
          list.swapAt(source, destination)
          expected = Array(0..<5)
          expected.swapAt(source, destination)
          expectEqual(Array(list), expected)
        }
      }
    }
  }

  @Test func `Elements of a list are found`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.numbers.append(objectsIn: [5, 6, 5])
      expectTrue(person.numbers.index(of: 5) == 0 && person.numbers.firstIndex(of: 6) == 1)
      expectTrue(person.numbers.index(of: 9) == nil && !person.numbers.contains(9))
      expectTrue(person.numbers.contains(6) && person.numbers.contains { $0 > 5 })
      person.optionals.append(objectsIn: [1, nil])
      expectTrue(person.optionals.index(of: nil) == 1 && person.optionals.index(of: 1) == 0)
      let dogs = [Dog("Rex"), Dog("Bo")]
      person.dogs.append(objectsIn: dogs)
      expectTrue(person.dogs.index(of: dogs[1]) == 1 && !person.dogs.contains(Dog("Rex")))
      let values: [AnyRealmValue] = [.int(1), .double(1), .object(dogs[0]), .none]
      person.anythings.append(objectsIn: values)
      expectEqual(values.map { person.anythings.index(of: $0) }, [0, 1, 2, 3])
      expectFalse(person.anythings.contains(.object(Dog("Rex"))))
    }
  }

  @Test func `Elements of a set are told apart, objects by identity and values by type`() throws {
    try Kennel.inMemoryAndInFile { person in
      let rex = Dog("Rex")
      person.pack.insert(objectsIn: [rex, rex, Dog("Rex")])
      expectTrue(person.pack.count == 2 && person.pack.contains(rex))
      person.pack.remove(rex)
      expectTrue(person.pack.count == 1 && !person.pack.contains(rex))
      person.pack.setValue("Bo", forKey: "name")
      expectEqual(person.pack.map(\.name), ["Bo"])
      let values: [AnyRealmValue] = [.int(1), .double(1), .bool(true), .string("1"), .none]
      person.mixedSet.insert(objectsIn: values + values + [.object(rex), .object(rex)])
      expectTrue(person.mixedSet.count == 6 && person.mixedSet.contains(.object(rex)))
      person.mixedSet.remove(.double(1))
      person.mixedSet.remove(.object(Dog("Rex")))
      expectTrue(person.mixedSet.count == 5 && !person.mixedSet.contains(.double(1)))
    }
  }

  @Test func `Collections are sorted`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.numbers.append(objectsIn: [2, 3, 1])
      let sorted: Results<Int> = person.numbers.sorted()
      let array: [Int] = person.numbers.sorted()
      expectTrue(Array(sorted) == [1, 2, 3] && array == [1, 2, 3])
      expectEqual(Array(person.numbers.sorted(ascending: false)), [3, 2, 1])
      expectEqual(person.numbers.sorted(by: >), [3, 2, 1])
      person.numbers.append(0)
      expectEqual(Array(sorted), [0, 1, 2, 3])
      person.optionals.append(objectsIn: [2, nil, 1])
      expectEqual(Array(person.optionals.sorted(ascending: true)), [nil, 1, 2])
      person.dogs.append(objectsIn: [Dog("B", age: 2), Dog("A", age: 2), Dog("C", age: 1)])
      expectEqual(person.dogs.sorted(byKeyPath: "name").map(\.name), ["A", "B", "C"])
      expectEqual(person.dogs.sorted(by: \.age, ascending: false).map(\.name), ["B", "A", "C"])
      expectEqual(person.dogs.sorted(by: ["age", "name"]).map(\.name), ["C", "A", "B"])
      expectEqual(person.dogs.value(forKey: "age").map { $0 as? Int }, [2, 2, 1])
      let second = try #require(person.dogs.sorted(byKeyPath: "name").dropFirst().first)
      expectEqual(person.dogs.sorted(byKeyPath: "name").index(of: second), 1)
      expectTrue(person.dogs.sorted(byKeyPath: "name").contains(second))
      person.pack.insert(objectsIn: person.dogs)
      expectEqual(person.pack.sorted(byKeyPath: "name").map(\.name), ["A", "B", "C"])
      expectTrue(
        person.pack.sorted(by: \.age).first?.name == "C" && person.pack.max(of: \.age) == 2)
      person.scores.merge(["a": 4, "b": 1, "c": 7]) { $1 }
      expectEqual(Array(person.scores.sorted(ascending: false)), [7, 4, 1])
      var list = List<Int>()
      list.append(objectsIn: [3, 1, 2])
      list.sort()
      expectEqual(Array(list), [1, 2, 3])
    }
  }

  @Test func `Enums and types of the model's own are elements`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.sizes.append(objectsIn: [.large, .small])
      person.prices.append(objectsIn: [Kennel.Price(cents: 5), Kennel.Price(cents: 3)])
      expectTrue(Array(person.sizes) == [.large, .small] && person.sizes.index(of: .small) == 1)
      expectEqual(person.prices.map(\.cents), [5, 3])
      expectTrue(person.prices.contains(Kennel.Price(cents: 3)))
      expectEqual(person.prices.sorted(ascending: true).map(\.cents), [3, 5])
      person["sizes"] = [1, 2]
      person["prices"] = [7, Kennel.Price(cents: 8)]
      expectTrue(Array(person.sizes) == [.small, .large] && person.prices.map(\.cents) == [7, 8])
    }
  }

  @Test func `Values that are kept as embedded objects are elements`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.corners.append(objectsIn: [Kennel.Corner(1, 2), Kennel.Corner(3, 4)])
      person.corners.insert(Kennel.Corner(0, 0), at: 0)
      person.corners[1].y = 9
      expectTrue(person.corners.map(\.y) == [0, 9, 4] && person.corners.first?.x == 0)
      expectEqual(person.corners.index(of: Kennel.Corner(3, 4)), 2)
      expectFalse(person.corners.contains(Kennel.Corner(1, 2)))
      person.corners.move(from: 2, to: 0)
      expectTrue(person.corners.map(\.x) == [3, 0, 1] && person.corners.count == 3)
      person["corners"] = [Kennel.Corner(5, 6), ["x": 7]]
      expectEqual(Array(person.corners), [Kennel.Corner(5, 6), Kennel.Corner(7, 0)])
      person.cornersByName["a"] = Kennel.Corner(1, 2)
      person.cornersByName["a"]?.x = 8
      expectTrue(
        person.cornersByName["a"] == Kennel.Corner(8, 2) && person.cornersByName["b"] == nil)
    }
  }

  @Test func `Searching for an object doesn't add it`() throws {
    try Kennel.inFile { realm in
      let person = realm.create(Person.self, value: ["dogs": [Dog("Rex")]])
      let stranger = Dog("Bo")
      expectTrue(!person.dogs.contains(stranger) && !person.anythings.contains(.object(stranger)))
      expectTrue(!person.pack.contains(stranger) && !person.mixedSet.contains(.object(stranger)))
      person.mixedSet.remove(.object(stranger))
      expectTrue(stranger.realm == nil && realm.objects(Dog.self).count == 1)
    }
  }

  @Test func `Equality in a file is identity, and elsewhere that of elements`() throws {
    try Kennel.inMemoryAndInFile { person in
      let isInFile = person.realm != nil
      expectTrue(
        person.numbers == person.numbers && (person.numbers != Person().numbers) == isInFile)
      expectTrue(person.tags == person.tags && (person.tags != Person().tags) == isInFile)
      expectTrue(person.scores == person.scores && (person.scores != Person().scores) == isInFile)
      expectEqual(person.numbers.hashValue, person.numbers.hashValue)
      expectEqual(Set([person.numbers, person.numbers]).count, 1)
      expectFalse(person.numbers.isInvalidated)
    }
  }

  @Test func `Descriptions number the elements, and show the keys`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.optionals.append(objectsIn: [1, nil])
      let text = person.optionals.description
      expectTrue(text.hasPrefix("List<Optional<Int>> <0x"))
      expectTrue(text.hasSuffix("> (\n\t[0] 1,\n\t[1] (null)\n)"))
      person.dogs.append(Dog("Rex"))
      expectTrue(person.dogs.description.contains("\t[0] Dog {\n\t\tname = Rex;\n"))
      person.numbers.append(objectsIn: 0..<120)
      expectTrue(person.numbers.description.hasSuffix("\t[99] 99,\n\t... 20 more\n)"))
      person.tags.insert("a")
      expectTrue(person.tags.description.hasPrefix("MutableSet<String> <0x"))
      expectTrue(person.tags.description.hasSuffix("> (\n\t[0] a\n)"))
      person.scores["a"] = 1
      expectTrue(person.scores.description.hasPrefix("Map<string, Int> <0x"))
      expectTrue(person.scores.description.hasSuffix("> (\n\t[a]: 1\n)"))
    }
  }
}
