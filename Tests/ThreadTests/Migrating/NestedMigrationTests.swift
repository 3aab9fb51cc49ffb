import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum OldShelf {
  class Holder: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted var count = 0
  }
  class Author: Object {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Holder.self, Author.self]
}

private enum NewShelf {
  class Holder: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted var count = ""
  }
  class Writer: Object {
    @Persisted var name = ""
  }
  class Author: Object {
    @Persisted var title = 0
  }
}

private enum EmbeddedShelf {
  class Author: EmbeddedObject {
    @Persisted var name = ""
  }
  class Holder: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted var count = 0
    @Persisted var author: Author?
  }
}

private enum UniqueShelf {
  class Author: Object {
    @Persisted(primaryKey: true) var name = ""
  }
}

/// Lists and dictionaries of an `AnyRealmValue` in a migration.
@Suite struct NestedMigrationTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(OldShelf.types) { realm in
      let author = OldShelf.Author(value: ["name": "Ada"])
      let holder = realm.create(OldShelf.Holder.self)
      holder.value = .fromArray([1, .fromDictionary(["by": .object(author)])])
      holder.values.append(.fromArray([.object(author)]))
    }
  }

  @Test func `A block reads them, and changes those of the new side in place`() throws {
    let types: [ObjectBase.Type] = [NewShelf.Holder.self, OldShelf.Author.self]
    try folder.open(types, version: 1) { migration, _ in
      try migration.enumerateObjects(ofType: "Holder") { old, new in
        let before = try #require(old?["value"] as? List<AnyRealmValue>)
        expectTrue(before[0] == 1 && before[1]["by"]?.dynamicObject?["name"] as? String == "Ada")
        let after = try #require(new?["value"] as? List<AnyRealmValue>)
        after[0] = 2
        after[1]["more"] = .fromArray([3])
        after[1]["more"]?.listValue?.append(4)
        expectEqual(before[0], 1)
        let elements = try #require(new?["values"] as? List<AnyRealmValue>)
        elements[0].listValue?.append(5)
        elements.append(.fromArray([6]))
        expectEqual(elements[0][0]?.dynamicObject?["name"] as? String, "Ada")
      }
      migration.create("Holder", value: ["value": ["a": [1, 2]], "count": "new"])
    } _: { realm in
      let holders = realm.objects(NewShelf.Holder.self)
      expectTrue(holders[0].value[0] == 2 && holders[0].value[1]?["more"] == .fromArray([3, 4]))
      expectEqual(holders[0].value[1]?["by"]?.object(OldShelf.Author.self)?.name, "Ada")
      expectTrue(holders[0].values[0][1] == 5 && holders[0].values[1] == .fromArray([6]))
      expectEqual(holders[1].value, .fromDictionary(["a": .fromArray([1, 2])]))
    }
  }

  @Test func `They are set as arrays and dictionaries, with objects of the new side`() throws {
    let types: [ObjectBase.Type] = [NewShelf.Holder.self, OldShelf.Author.self]
    try folder.open(types, version: 1) { migration, _ in
      let bob = migration.create("Author", value: ["name": "Bob"])
      migration.enumerateObjects(ofType: "Holder") { _, new in
        new?["value"] = ["by": bob, "list": [1, nil] as [Int?]] as [String: Any?]
      }
    } _: { realm in
      let holder = realm.objects(NewShelf.Holder.self)[0]
      expectEqual(holder.value["by"]?.object(OldShelf.Author.self)?.name, "Bob")
      expectEqual(holder.value["list"], .fromArray([1, .none]))
    }
  }

  @Test func `A change of an old one fails the migration`() throws {
    let types: [ObjectBase.Type] = [NewShelf.Holder.self, OldShelf.Author.self]
    #expect {
      try folder.open(types, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Holder") { old, _ in
          (old?["value"] as? List<AnyRealmValue>)?.append(1)
        }
      } _: { _ in
      }
    } throws: {
      "\($0)".contains("'Holder.value' of an old object")
    }
  }

  @Test func `Links in them follow a class that is renamed`() throws {
    try folder.open([OldShelf.Holder.self, NewShelf.Writer.self], version: 1) { migration, _ in
      migration.renameClass(from: "Author", to: "Writer")
    } _: { realm in
      let holder = realm.objects(OldShelf.Holder.self)[0]
      expectEqual(holder.value[1]?["by"]?.object(NewShelf.Writer.self)?.name, "Ada")
      expectEqual(holder.values[0][0]?.object(NewShelf.Writer.self)?.name, "Ada")
    }
  }

  @Test func `Links to a class that is deleted never lead to another one of its name`() throws {
    try folder.open([OldShelf.Holder.self], version: 1) { migration, _ in
      migration.deleteData(forType: "Author")
    } _: { _ in
    }
    try folder.open([OldShelf.Holder.self, NewShelf.Author.self], version: 2) { realm in
      try realm.write { realm.create(NewShelf.Author.self, value: ["title": 1]) }
      let holder = realm.objects(OldShelf.Holder.self)[0]
      expectEqual(holder.value, .fromArray([1, .fromDictionary(["by": .none])]))
      expectEqual(holder.values[0], .fromArray([.none]))
    }
  }

  @Test func `A class whose objects they hold can't become an embedded one`() throws {
    #expect {
      try folder.open([EmbeddedShelf.Holder.self, EmbeddedShelf.Author.self], version: 1) { _ in }
    } throws: {
      "\($0)".contains(
        "Cannot convert 'Author' to embedded: there is an incoming link from the Mixed property "
          + "'Holder.value'")
    }
  }

  @Test func `Links in them lead to the object that is kept of several`() throws {
    try folder.write(OldShelf.types) { realm in
      let holder = realm.create(OldShelf.Holder.self)
      let second = OldShelf.Author(value: ["name": "Ada"])
      holder.value = .fromArray([.object(second)])
    }
    try folder.open([OldShelf.Holder.self, UniqueShelf.Author.self], version: 1) { migration, _ in
      _ = migration.resolveDuplicates(ofType: "Author", property: "name", keeping: .first)
    } _: { realm in
      expectEqual(realm.objects(UniqueShelf.Author.self).count, 1)
      let holders = realm.objects(OldShelf.Holder.self)
      expectEqual(holders[1].value[0]?.object(UniqueShelf.Author.self)?.name, "Ada")
      expectEqual(holders[0].value[1]?["by"]?.object(UniqueShelf.Author.self)?.name, "Ada")
    }
  }
}
