import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Misuse that stops the process")
struct MisuseTests {
  private typealias Person = Graph.Person
  private typealias Misuse = @Sendable (Realm, Graph.Person) throws -> Void

  private static let outside = "Cannot modify managed objects outside of a write transaction. "
  private static let deleted = "Object has been deleted or invalidated. ('Person.name')"

  /// Calls that stop the process, and their errors, which name the class and the property.
  private static let misuses: [(error: String, misuse: Misuse)] = [
    ("\(outside)('Person.name')", { _, ada in ada.name = "x" }),
    ("\(outside)('Person.numbers')", { _, ada in ada.numbers.append(2) }),
    ("\(outside)('Person.scores')", { _, ada in ada.scores["x"] = 1 }),
    ("\(outside)('Person.favourite')", { _, ada in ada.favourite = Graph.Dog() }),
    (
      "Can only add, remove, or create objects in a Realm in a write transaction",
      { realm, _ in realm.add(Person()) }
    ),
    ("('Person')", { realm, _ in realm.add(Person()) }),
    (
      deleted,
      { realm, ada in
        try realm.write { realm.delete(ada) }
        print(ada.name)
      }
    ),
    (
      deleted,
      { realm, ada in
        // Another object of the row.
        try realm.write { realm.delete(realm.objects(Person.self).first!) }
        print(ada.name)
      }
    ),
    ("Index 1 is out of bounds (must be less than 1)", { _, ada in print(ada.numbers[1]) }),
    (
      "Index 5 is out of bounds (must be less than 1). ('SectionedResults<String, Person>')",
      { realm, _ in print(realm.objects(Person.self).sectioned(by: \.name)[5]) }
    ),
    (
      "Index 2 is out of bounds (must be less than 1). ('ResultsSection<String, Person>')",
      { realm, _ in print(realm.objects(Person.self).sectioned(by: \.name)[0][2]) }
    ),
    (
      "An index path has the position of a section and that of an element: [0] has 1 positions.",
      { realm, _ in
        print(realm.objects(Person.self).sectioned(by: \.name)[IndexPath(index: 0)])
      }
    ),
    (
      "Indexes for collection are out of bounds. Index 2 must be less than 0.",
      { _, _ in _ = List<Int>().objects(at: [0, 2]) }
    ),
  ]

  @Test(arguments: misuses.indices)
  func `The error names what was misused`(index: Int) async throws {
    // Made by the process that goes on, which removes it.
    let folder = try TestFolder()
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String, index = index as Int] in
      let folder = TestFolder(ofParent: path)
      let realm = try Realm(configuration: folder.configuration(Graph.types))
      let ada = try realm.write {
        realm.create(Graph.Person.self, value: ["name": "Ada", "numbers": [1]])
      }
      try MisuseTests.misuses[index].misuse(realm, ada)
    }
    expectTrue(errors(result).contains(Self.misuses[index].error))
  }
}
