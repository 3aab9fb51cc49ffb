import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite struct SortDescriptorTests {
  @Test func `A descriptor takes its name from a key path`() {
    expectEqual(SortDescriptor(keyPath: \V0.Person.name), SortDescriptor(keyPath: "name"))
    expectEqual(
      SortDescriptor(keyPath: \Q.Person.dog?.name, ascending: false),
      SortDescriptor(keyPath: "dog.name", ascending: false))
  }

  @Test func `A key path that computes something sorts nothing, and that is a mistake`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    let people = realm.objects(V0.Person.self)
    try realm.write { realm.add(V0.Person()) }
    let sentence = "A key path of 'Person' with values of type 'Int' is not a property of the file"
    let descriptor = SortDescriptor(keyPath: \V0.Person.name.count)
    for order in [descriptor, descriptor.reversed()] {
      expectIssue(sentence) { expectTrue(people.sorted(by: [order]).isEmpty) }
    }
    expectIssue(sentence) { expectTrue(people.sorted(by: \.name.count).isEmpty) }
    expectError(beginning: sentence) {
      try realm.write { _ = people.sorted(by: ["name", descriptor]) }
    }
  }

  @Test func `Linking objects and collections have no order and no sum`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Q.types))
    expectIssue(
      "Cannot sort on key path 'owners.name': property 'Dog.owners' is of unsupported type "
        + "'linking objects<Person>'. Name a property with a single value."
    ) { expectTrue(realm.objects(Q.Dog.self).sorted(byKeyPath: "owners.name").isEmpty) }
    expectIssue("Cannot use 'sum' on 'Person.scores': it is of type 'array<int>'.") {
      expectEqual(realm.objects(Q.Person.self).sum(ofProperty: "scores"), 0)
    }
  }
}
