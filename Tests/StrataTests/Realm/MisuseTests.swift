import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Misuse that stops the process")
struct MisuseTests {
  /// Made by the process that goes on, which removes it.
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A realm with one person.
  static func realm(_ folder: TestFolder) throws -> (Realm, V0.Person) {
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    let ada = try realm.write { realm.create(V0.Person.self, value: ["name": "Ada"]) }
    return (realm, ada)
  }

  @Test func `Writing outside of a transaction names the class and the property`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String] in
      let folder = TestFolder(ofParent: path)
      let (_, ada) = try MisuseTests.realm(folder)
      ada.age = 1
    }
    expectTrue(
      errors(result).contains(
        "Cannot modify managed objects outside of a write transaction. ('Person.age')"))
  }

  @Test func `Using a deleted object names the class and the property`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String] in
      let folder = TestFolder(ofParent: path)
      let (realm, ada) = try MisuseTests.realm(folder)
      try realm.write { realm.delete(ada) }
      print(ada.name)
    }
    expectTrue(errors(result).contains("Object has been deleted or invalidated. ('Person.name')"))
  }

  @Test func `Using another object of a deleted row names the class and the property`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String] in
      let folder = TestFolder(ofParent: path)
      let (realm, ada) = try MisuseTests.realm(folder)
      try realm.write { realm.delete(realm.objects(V0.Person.self).first!) }
      print(ada.name)
    }
    expectTrue(errors(result).contains("Object has been deleted or invalidated. ('Person.name')"))
  }

  @Test func `Adding outside of a transaction names the class`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.url.path as String] in
      let folder = TestFolder(ofParent: path)
      let (realm, _) = try MisuseTests.realm(folder)
      realm.add(V0.Person())
    }
    expectTrue(
      errors(result).contains(
        "Can only add, remove, or create objects in a Realm in a write transaction"))
    expectTrue(errors(result).contains("('Person')"))
  }
}
