import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Kind: Int, PersistableEnum {
  case first = 1
  case second
}

private enum V0 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var small: Int8 = 0
    @Persisted var text = ""
    @Persisted var kind = Kind.first
  }
  class Gone: Object {
    @Persisted var value = 0
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var renamed = 0
    @Persisted var small: Int8 = 0
    @Persisted var text: Data
    @Persisted var kind = Kind.first
  }
  class Fresh: Object {
    @Persisted var value = 0
  }
}

extension FourWays {
  /// The cases of RealmSwift's own migration tests.
  @Suite("Migrating") struct MigratingTests {
    private let file: TestFile

    init() throws {
      file = try TestFile()
      try file.write([V0.Item.self, V0.Gone.self]) { realm in
        for number in 1...3 {
          realm.add(V0.Item(value: [number, -number, "t\(number)", Kind.second]))
        }
        realm.add(V0.Gone(value: [7]))
      }
    }

    private let types: [ObjectBase.Type] = [V0.Item.self, V0.Gone.self]

    @Test(arguments: Way.allCases)
    func `A higher version with the same classes calls the block`(way: Way) async throws {
      let calls = Box<[UInt64]>([])
      try await way.migrate(file, types, to: 1) { _, old in calls.append(old) }
      expectEqual(calls.value, [0])
      try expectEqual(file.values("Item", "number"), ["1", "2", "3"])
    }

    @Test(arguments: Way.allCases)
    func `The block sees the schemas of both sides`(way: Way) async throws {
      let calls = Box(0)
      try await way.migrate(file, [V1.Item.self, V1.Fresh.self], to: 1) { migration, _ in
        calls.value += 1
        expectEqual(migration.oldSchema.names, ["Gone", "Item"])
        expectEqual(migration.newSchema.names, ["Fresh", "Item"])
        expectEqual(migration.oldSchema["Item"]?["text"]?.type, .string)
        expectEqual(migration.newSchema["Item"]?["text"]?.type, .data)
      }
      expectEqual(calls.value, 1)
    }

    @Test(arguments: Way.allCases)
    func `The block enumerates pairs of objects, and unknown classes have none`(way: Way)
      async throws
    {
      let seen = Box<[String]>([])
      try await way.migrate(file, [V1.Item.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "NoSuchClass") { _, _ in
          Issue.record("Nothing to call for.")
        }
        migration.enumerateObjects(ofType: "Item") { old, new in
          seen.append("\(text(old?["number"])) \(text(new?["renamed"]))")
          new?["renamed"] = old?["number"]
          new?["text"] = (old?["text"] as? String).map { Data($0.utf8) }
        }
      }
      expectEqual(seen.value, ["1 0", "2 0", "3 0"])
      try expectEqual(file.values("Item", "renamed"), ["1", "2", "3"])
    }

    @Test(arguments: Way.allCases)
    func `Objects that were deleted are not enumerated`(way: Way) async throws {
      try await way.migrate(file, types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          if let new, old?["number"] as? Int == 2 { migration.delete(new) }
        }
        migration.create("Item", value: [4, -4, "t4", Kind.first])
        var numbers: [Int] = []
        migration.enumerateObjects(ofType: "Item") { old, new in
          expectEqual(old?["number"] as? Int, new?["number"] as? Int)
          let small = old?["small"] as? Int8
          expectEqual(small, (old?["number"] as? Int8).map { -$0 })
          expectEqual(small, new?["small"] as? Int8)
          if let number = new?["number"] as? Int { numbers.append(number) }
        }
        expectEqual(numbers, [1, 3])
        expectTrue(migration.deleteData(forType: "Item"))
        migration.create("Item", value: [5])
        migration.enumerateObjects(ofType: "Item") { _, _ in Issue.record("All were deleted.") }
      }
      try expectEqual(file.values("Item", "number"), ["5"])
    }

    @Test(arguments: Way.allCases)
    func `The block creates objects`(way: Way) async throws {
      try await way.migrate(file, types, to: 1) { migration, _ in
        migration.create("Item", value: [4, 5, "t4", Kind.second])
        migration.create("Item", value: ["number": 6, "kind": Kind.second.rawValue])
        migration.create("Item")
      }
      try file.open(types, version: 1) { realm in
        let items = Array(realm.objects(V0.Item.self).suffix(3))
        expectEqual(items.map(\.number), [4, 6, 0])
        expectEqual(items.map(\.small), [5, 0, 0])
        expectEqual(items.map(\.kind), [.second, .second, .first])
      }
    }

    @Test(arguments: Way.allCases)
    func `Creating an object of an unknown class is a mistake`(way: Way) async throws {
      let error = try await way.failure(
        file.configuration(types, version: 1) { migration, _ in migration.create("NoSuchClass") })
      expectTrue(error.message.hasPrefix("Object type 'NoSuchClass' is not managed by the Realm."))
      try expectEqual(file.version, 0)
    }

    @Test(arguments: Way.allCases)
    func `One of several objects is deleted`(way: Way) async throws {
      try await way.migrate(file, types, to: 1) { migration, _ in
        var isFirst = true
        migration.enumerateObjects(ofType: "Item") { _, new in
          if isFirst, let new { migration.delete(new) }
          isFirst = false
        }
      }
      try expectEqual(file.values("Item", "number"), ["2", "3"])
    }

    @Test(arguments: Way.allCases)
    func `The data of classes is deleted`(way: Way) async throws {
      try await way.migrate(file, [V0.Item.self, V1.Fresh.self], to: 1) { migration, _ in
        expectTrue(migration.deleteData(forType: "Gone"))
        expectFalse(migration.deleteData(forType: "NoSuchClass"))
        migration.create("Fresh", value: [1])
        expectTrue(migration.deleteData(forType: "Fresh"))
      }
      try expectEqual(file.storedSchema().names, ["Fresh", "Item"])
      try expectEqual(file.values("Fresh", "value"), [])
    }

    @Test(arguments: Way.allCases)
    func `A property is renamed`(way: Way) async throws {
      try await way.migrate(file, [V1.Item.self], to: 1) { migration, _ in
        migration.renameProperty(onType: "Item", from: "number", to: "renamed")
      }
      try expectEqual(file.values("Item", "renamed"), ["1", "2", "3"])
      let names = try #require(try file.storedSchema()["Item"]?.names)
      expectEqual(names.sorted(), ["kind", "renamed", "small", "text"])
    }

    @Test(arguments: Way.allCases)
    func `Changed classes at the same version are a mismatch`(way: Way) async throws {
      do {
        try await way.migrate(file.configuration([V1.Item.self]))
        Issue.record("Opening should fail.")
      } catch Realm.Error.schemaMismatch {
        // As in programs.
      }
      try expectEqual(file.values("Item", "number"), ["1", "2", "3"])
    }

    @Test(arguments: Way.allCases)
    func `A mismatch empties the file with deleteRealmIfMigrationNeeded`(way: Way) async throws {
      var configuration = file.configuration([V1.Item.self]) { _, _ in
        Issue.record("The block must not be called.")
      }
      configuration.deleteRealmIfMigrationNeeded = true
      try await way.migrate(configuration)
      try expectEqual(file.version, 0)
      try expectEqual(file.values("Item", "renamed"), [])
    }

    @Test(arguments: Way.allCases)
    func `What the block throws reaches the caller`(way: Way) async throws {
      await #expect(throws: Deliberate(number: 9)) {
        try await way.migrate(
          file.configuration([V1.Item.self], version: 1) { _, _ in throw Deliberate(number: 9) })
      }
      try expectEqual(file.version, 0)
    }
  }
}
