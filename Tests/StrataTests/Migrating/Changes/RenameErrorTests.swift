import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The errors of `renameProperty`, with Realm's messages.
@Suite("Errors of renaming")
struct RenameErrorTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var years = 0
      @Persisted var email = ""
      @Persisted var text = ""
    }

    final class Fresh: Object {
      @Persisted var name = ""
    }
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self, V0.Keyed.self]) { realm in
      realm.create(V0.Person.self, value: ["name": "Ada"])
    }
  }

  @Test(
    arguments: [
      ("Nobody", "a", "b", "Cannot rename properties for type 'Nobody' because it does not exist."),
      (
        "Keyed", "name", "b",
        "Cannot rename properties for type 'Keyed' because it has been removed from the Realm."
      ),
      (
        "Person", "name", "years",
        "Cannot rename property 'Person.name' to 'years' because the source property still exists."
      ),
      ("Person", "x", "years", "Cannot rename property 'Person.x' because it does not exist."),
      ("Fresh", "x", "name", "Cannot rename property 'Fresh.x' because it does not exist."),
      (
        "Person", "age", "text",
        "Cannot rename property 'Person.age' to 'text' because it would change from type 'int' to "
          + "'string'."
      ),
      (
        "Person", "age", "x",
        "Renamed property 'Person.x' does not exist. Rename it to a property of the class."
      ),
    ])
  func `Each error has its text`(_ type: String, _ from: String, _ to: String, _ message: String)
    throws
  {
    for touchesFirst in [false, true] {
      let error = try folder.expectUntouched([V1.Person.self, V1.Fresh.self], version: 1) {
        migration, _ in
        if touchesFirst {
          for name in ["Person", "Fresh"] { migration.enumerateObjects(ofType: name) { _, _ in } }
          migration.create("Fresh")
        }
        migration.renameProperty(onType: type, from: from, to: to)
      }
      expectEqual(error?.message, message)
    }
  }

  @Test func `An optional property does not become a required one`() throws {
    enum V2 {
      final class Person: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var mail = ""
      }
    }
    let error = try folder.expectUntouched([V2.Person.self], version: 1) { migration, _ in
      migration.renameProperty(onType: "Person", from: "email", to: "mail")
    }
    expectEqual(
      error?.message,
      "Cannot rename property 'Person.email' to 'mail' because it would change from "
        + "optional to required.")
  }
}
