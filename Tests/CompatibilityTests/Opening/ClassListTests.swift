import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V0

/// `objectTypes`, and objects of classes that it doesn't list.
@Suite("Lists of classes") struct ClassListTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  @Test func `A realm has exactly the classes of its list`() throws {
    try file.open([V0.Item.self]) { realm in
      expectEqual(realm.schema.names, ["Item"])
    }
    try file.open([V0.Other.self, V0.Item.self]) { realm in
      expectEqual(realm.schema.names, ["Item", "Other"])
    }
  }

  @Test
  func `Adding an object of another class is an error that names the class and the list`() throws {
    try file.open([V0.Item.self]) { realm in
      expectError(
        "Object type 'Other' is not managed by the Realm. If using a custom "
          + "`objectClasses` / `objectTypes` array in your configuration, add `Other` to the list "
          + "of `objectClasses` / `objectTypes`."
      ) {
        try realm.write {
          realm.add(V0.Item())
          realm.add(V0.Other())
        }
      }
      expectTrue(realm.isEmpty, "everything is rolled back")
    }
  }

  @Test func `Asking for the objects of another class is reported, and there are none`() throws {
    try file.open([V0.Item.self]) { realm in
      expectIssue("Object type 'Other' is not managed by the Realm.") {
        expectTrue(realm.objects(V0.Other.self).isEmpty)
      }
      expectError(containing: "Object type 'Other' is not managed by the Realm.") {
        try realm.write { expectEqual(realm.objects(V0.Other.self).count, 0) }
      }
    }
  }

  @Test
  func `In a migration the file has all its classes, and the program those of its list`() throws {
    try file.migrate([V0.Item.self, V0.Other.self], to: 0)
    let names = Box<[[String]]>([])
    try file.migrate([V0.Item.self], to: 1) { migration, _ in
      names.value = [migration.oldSchema.names, migration.newSchema.names]
    }
    expectEqual(names.value, [["Item", "Other"], ["Item"]])
  }
}
