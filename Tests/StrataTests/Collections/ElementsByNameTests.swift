import Foundation
import Strata
import TestKit
import Testing

/// The results of `value(forKey:)` and `value(forKeyPath:)` for elements that are values.
@Suite struct ElementsByNameTests {
  typealias Dog = Kennel.Dog

  @Test func `The key self gives what access by name gives`() throws {
    try Kennel.inMemoryAndInFile { person in
      let rex = Dog("Rex")
      person.sizes.append(objectsIn: [.large, .small])
      person.prices.append(Kennel.Price(cents: 5))
      person.corners.append(Kennel.Corner(1, 2))
      person.anythings.append(objectsIn: [.int(1), .string("a"), .none, .object(rex)])
      expectEqual(person.sizes.value(forKey: "self") as? [Int], [2, 1])
      expectEqual(person.sizes.value(forKeyPath: "self") as? [Int], [2, 1])
      expectEqual(person.sizes.value(forKeyPath: "@max.self") as? Int, 2)
      expectEqual(person.prices.value(forKey: "self") as? [Int], [5])
      expectEqual((person.corners.value(forKey: "self")[0] as? Kennel.CornerObject)?.y, 2)
      let values = person.anythings.value(forKey: "self")
      expectTrue(values.count == 4 && values[0] as? Int == 1 && values[1] as? String == "a")
      expectTrue(values[2] == nil && values[3] as? Dog == person.anythings[3].object(Dog.self))
      expectTrue(person.anythings.value(forKeyPath: "@unionOfObjects.self") as? [Any] != nil)
      person.anything = .int(1)
      expectEqual(person["anything"] as? Int, values[0] as? Int)
      person.dogs.append(rex)
      expectEqual(person.dogs.value(forKey: "self") as? [Dog], Array(person.dogs))
    }
  }

  @Test func `Each element of a set is given`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.mixedSet.insert(objectsIn: [.int(1), .bool(true), .double(1)])
      let values = person.mixedSet.value(forKey: "self")
      expectTrue(
        values.count == 3 && values.allSatisfy { $0 as? Double == 1 || $0 as? Bool == true })
    }
  }
}
