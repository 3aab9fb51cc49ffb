import Strata
import StrataTestKit
import TestKit
import Testing

private enum Plain {
  class Item: Object {
    @Persisted var before = 0
    @Persisted var text = ""
  }
}

private enum Keyed {
  class Item: Object {
    @Persisted(primaryKey: true) var before = 0
    @Persisted var text = ""
  }
}

private enum Indexed {
  class Item: Object {
    @Persisted(indexed: true) var before = 0
    @Persisted var text = ""
  }
}

private enum NewPlain {
  class Item: Object {
    @Persisted var after = 0
    @Persisted var text = ""
  }
}

private enum NewKeyed {
  class Item: Object {
    @Persisted(primaryKey: true) var after = 0
    @Persisted var text = ""
  }
}

private enum NewIndexed {
  class Item: Object {
    @Persisted(indexed: true) var after = 0
    @Persisted var text = ""
  }
}

private enum NewOptional {
  class Item: Object {
    @Persisted var after: Int?
    @Persisted var text = ""
  }
}

/// Indexes, primary keys and optionality of renamed properties, which follow the new definition.
@Suite("Renaming with other attributes") struct RenameAttributesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: Object.Type
    var new: Object.Type
    var isKey = false
    var isIndexed = false
    var isOptional = false
  }

  static let cases = [
    Case(
      testDescription: "key to key", old: Keyed.Item.self, new: NewKeyed.Item.self, isKey: true),
    Case(testDescription: "key to none", old: Keyed.Item.self, new: NewPlain.Item.self),
    Case(
      testDescription: "none to key", old: Plain.Item.self, new: NewKeyed.Item.self, isKey: true),
    Case(
      testDescription: "index to index", old: Indexed.Item.self, new: NewIndexed.Item.self,
      isIndexed: true),
    Case(testDescription: "index to none", old: Indexed.Item.self, new: NewPlain.Item.self),
    Case(
      testDescription: "none to index", old: Plain.Item.self, new: NewIndexed.Item.self,
      isIndexed: true),
    Case(
      testDescription: "required to optional", old: Plain.Item.self, new: NewOptional.Item.self,
      isOptional: true),
    Case(
      testDescription: "index to key", old: Indexed.Item.self, new: NewKeyed.Item.self,
      isKey: true),
    Case(
      testDescription: "key to index", old: Keyed.Item.self, new: NewIndexed.Item.self,
      isIndexed: true),
    Case(
      testDescription: "key to optional", old: Keyed.Item.self, new: NewOptional.Item.self,
      isOptional: true),
  ]

  private func filled(_ type: Object.Type) throws -> TestFile {
    let file = try TestFile()
    try file.write([type]) { realm in
      for number in 1...3 {
        realm.create(type, value: ["before": number, "text": "t\(number)"])
      }
    }
    return file
  }

  @Test(arguments: cases)
  func `Values stay, and attributes are new`(_ change: Case) throws {
    let file = try filled(change.old)
    try file.migrate([change.new], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "before", to: "after")
    }
    try expectEqual(file.values("Item", "after"), ["1", "2", "3"])
    try expectEqual(file.values("Item", "text"), ["t1", "t2", "t3"])
    let schema = try #require(try file.storedSchema()["Item"])
    expectEqual(schema.names.sorted(), ["after", "text"])
    expectEqual(schema.primaryKeyProperty?.name, (change.isKey ? "after" : nil))
    expectEqual(schema["after"]?.isIndexed, (change.isIndexed || change.isKey))
    expectEqual(schema["after"]?.isOptional, change.isOptional)
  }

  @Test func `After the rename of a key objects are found by it, and it is unique`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([NewKeyed.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "before", to: "after")
    }
    try file.open([NewKeyed.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: NewKeyed.Item.self, forPrimaryKey: 2)?.text, "t2")
      #expect(throws: Realm.Error.self) {
        try realm.write { realm.add(NewKeyed.Item(value: [2, "again"])) }
      }
    }
  }

  @Test func `Objects can be created after the rename of a key, with the new name`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([NewKeyed.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "before", to: "after")
      let created = migration.create("Item", value: ["after": 9, "text": "new"])
      expectEqual(created["after"] as? Int, 9)
    }
    try file.open([NewKeyed.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: NewKeyed.Item.self, forPrimaryKey: 9)?.text, "new")
      expectEqual(realm.objects(NewKeyed.Item.self).count, 4)
    }
  }

  @Test func `A rename to a key finds duplicates`() throws {
    let file = try TestFile()
    try file.write([Plain.Item.self]) { realm in
      realm.add(Plain.Item(value: [5, "a"]))
      realm.add(Plain.Item(value: [5, "b"]))
    }
    let error = try file.failure([NewKeyed.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "before", to: "after")
    }
    expectTrue(
      error.message.hasPrefix(
        "Primary key property 'Item.after' has duplicate values after migration."))
    try expectEqual(file.values("Item", "before"), ["5", "5"])
  }
}
