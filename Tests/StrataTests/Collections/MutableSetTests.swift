import Strata
import TestKit
import Testing

@Suite struct MutableSetTests {
  typealias Dog = Kennel.Dog

  private func set(_ elements: Int...) -> MutableSet<Int> {
    let set = MutableSet<Int>()
    set.insert(objectsIn: elements)
    return set
  }

  @Test func `Objects are the same when they are the same object`() throws {
    try Kennel.inMemoryAndInFile { person in
      let rex = Dog("Rex")
      person.pack.insert(objectsIn: [rex, rex, Dog("Rex")])
      expectTrue(person.pack.count == 2 && person.pack.contains(rex))
      person.pack.remove(rex)
      expectTrue(person.pack.count == 1 && !person.pack.contains(rex))
      person.pack.setValue("Bo", forKey: "name")
      expectEqual(person.pack.map(\.name), ["Bo"])
    }
  }

  @Test func `Values of any type are told apart by their type`() throws {
    try Kennel.inMemoryAndInFile { person in
      let rex = Dog("Rex")
      let values: [AnyRealmValue] = [.int(1), .double(1), .bool(true), .string("1"), .none]
      person.mixedSet.insert(objectsIn: values + values + [.object(rex), .object(rex)])
      expectTrue(person.mixedSet.count == 6 && person.mixedSet.contains(.object(rex)))
      person.mixedSet.remove(.double(1))
      person.mixedSet.remove(.object(Dog("Rex")))
      expectTrue(person.mixedSet.count == 5 && !person.mixedSet.contains(.double(1)))
    }
  }

  @Test func `A set is aggregated and sorted`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.digits.insert(objectsIn: [4, 1, 7])
      let min: Int? = person.digits.min()
      let average: Double? = person.digits.average()
      expectTrue(min == 1 && person.digits.max() == 7 && person.digits.sum() == 12 && average == 4)
      let sorted: Results<Int> = person.digits.sorted(ascending: false)
      expectEqual(Array(sorted), [7, 4, 1])
      person.pack.insert(objectsIn: [Dog("B", age: 2), Dog("A", age: 5)])
      expectEqual(person.pack.sorted(byKeyPath: "name").map(\.name), ["A", "B"])
      expectEqual(person.pack.sorted(by: \.age).map(\.name), ["B", "A"])
      expectEqual(person.pack.max(of: \.age), 5)
    }
  }

  @Test func `Assigning copies the elements`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.digits = set(1, 2)
      person.digits = person.digits
      expectEqual(Set(person.digits), [1, 2])
      person["digits"] = [3, 3, 4] as Set<Int>
      expectEqual(Set(person.digits), [3, 4])
      person["digits"] = [5, 5]
      expectEqual(Array(person.digits), [5])
    }
  }

  @Test func `Equality in a file is identity, and descriptions number the elements`() throws {
    try Kennel.inMemoryAndInFile { person in
      expectTrue(
        person.tags == person.tags && (person.tags != Kennel.Person().tags) == (person.realm != nil)
      )
      person.tags.insert("a")
      expectTrue(person.tags.description.hasPrefix("MutableSet<String> <0x"))
      expectTrue(person.tags.description.hasSuffix("> (\n\t[0] a\n)"))
    }
  }
}
