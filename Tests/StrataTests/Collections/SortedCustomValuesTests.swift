import Foundation
import Strata
import TestKit
import Testing

/// Results of collections whose elements are stored as embedded objects.
@Suite struct SortedCustomValuesTests {
  typealias Person = Kennel.Person
  typealias Corner = Kennel.Corner

  private let corners = [Corner(3, 1), Corner(1, 2), Corner(2, 0)]

  private func expectSorted(_ person: Person) {
    let list = person.corners
    let byX = [Corner(1, 2), Corner(2, 0), Corner(3, 1)]
    expectEqual(Array(list.sorted(byKeyPath: "x")), byX)
    expectEqual(list.sorted(byKeyPath: "x", ascending: false).map(\.x), [3, 2, 1])
    expectEqual(list.sorted(by: [SortDescriptor(keyPath: "y")]).map(\.y), [0, 1, 2])
    let sorted = list.sorted(byKeyPath: "x")
    expectTrue(sorted.count == 3 && sorted[1] == Corner(2, 0))
    expectTrue(sorted.first == Corner(1, 2) && sorted.last == Corner(3, 1))
    expectEqual(sorted.index(of: Corner(2, 0)), 1)
    expectEqual(sorted.map { $0.x * 10 + $0.y }, [12, 20, 31])
  }

  @Test func `Custom values sort by their persisted form`() throws {
    try Kennel.inMemoryAndInFile { person in
      person.corners.append(objectsIn: corners)
      expectSorted(person)
    }
  }

  @Test func `Sorted values follow their list`() throws {
    try Kennel.inFile { realm in
      let person = Person()
      realm.add(person)
      person.corners.append(objectsIn: corners)
      let sorted = person.corners.sorted(byKeyPath: "x")
      expectEqual(sorted.map(\.x), [1, 2, 3])
      person.corners.append(Corner(0, 0))
      expectEqual(sorted.map(\.x), [0, 1, 2, 3])
      person.corners.removeAll()
      expectTrue(sorted.isEmpty)
    }
  }

  @Test func `Values of a map sort the same way`() throws {
    try Kennel.inMemoryAndInFile { person in
      for (index, corner) in corners.enumerated() { person.cornersByName["\(index)"] = corner }
      expectEqual(person.cornersByName.sorted(byKeyPath: "x").map(\.x), [1, 2, 3])
    }
  }
}
