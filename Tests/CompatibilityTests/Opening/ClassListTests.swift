import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V0

private enum Twice {
  class Item: Object {
    @Persisted var text = ""
  }
}

private enum Wrong {
  class TwoKeys: Object {
    @Persisted(primaryKey: true) var first = 0
    @Persisted(primaryKey: true) var second = 0
  }
  class FloatKey: Object {
    @Persisted(primaryKey: true) var key = 0.5
  }
  class FloatIndex: Object {
    @Persisted(indexed: true) var value = 0.5
  }
  class NoSuchKey: Object {
    @Persisted var value = 0
    override class func primaryKey() -> String? { "missing" }
  }
}

/// `objectTypes`, and mistakes in classes that are found before a file is opened.
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
      let error = try #require(throws: Realm.Error.self) {
        try realm.write {
          realm.add(V0.Item())
          realm.add(V0.Other())
        }
      }
      expectEqual(
        error.message,
        "Object type 'Other' is not managed by the Realm. If using a custom "
          + "`objectClasses` / `objectTypes` array in your configuration, add `Other` to the list "
          + "of `objectClasses` / `objectTypes`.")
      expectTrue(realm.isEmpty, "everything is rolled back")
    }
  }

  @Test func `Asking for the objects of another class is reported, and there are none`() throws {
    try file.open([V0.Item.self]) { realm in
      expectIssue("Object type 'Other' is not managed by the Realm.") {
        expectTrue(realm.objects(V0.Other.self).isEmpty)
      }
      let error = try #require(throws: Realm.Error.self) {
        try realm.write { expectEqual(realm.objects(V0.Other.self).count, 0) }
      }
      expectTrue(error.message.contains("Object type 'Other' is not managed by the Realm."))
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

  @Test func `Wrong classes are refused before the file is made, each with its sentence`() throws {
    let cases: [([ObjectBase.Type], String)] = [
      ([V0.Item.self, Twice.Item.self], "Type 'Item' appears more than once in the schema."),
      (
        [Wrong.TwoKeys.self],
        "Properties 'first' and 'second' are both marked as the primary key of 'TwoKeys'."
      ),
      (
        [Wrong.FloatKey.self],
        "Property 'FloatKey.key' of type 'double' cannot be made the primary key."
      ),
      (
        [Wrong.FloatIndex.self],
        "Property 'FloatIndex.value' of type 'double' cannot be indexed."
      ),
      ([Wrong.NoSuchKey.self], "Specified primary key 'NoSuchKey.missing' does not exist."),
    ]
    for (types, sentence) in cases {
      let file = try TestFile()
      let error = try file.failure(types, to: 0)
      expectEqual(error.code, .fail)
      expectTrue(
        error.message.hasPrefix("Schema validation failed due to the following errors:\n- "))
      expectTrue(error.message.contains(sentence))
      expectFalse(Realm.fileExists(for: file.configuration(types)))
    }
  }

  @Test func `All mistakes are reported at once`() throws {
    let error = try file.failure([Wrong.FloatKey.self, Wrong.FloatIndex.self], to: 0)
    expectTrue(error.message.contains("FloatKey.key"))
    expectTrue(error.message.contains("FloatIndex.value"))
  }
}
