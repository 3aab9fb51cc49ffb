import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var tag = "kept"
  }
}

private enum After {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var tag: List<String>
  }
}

/// Removed columns, which still exist while the block runs.
@Suite struct LeftoversTests {
  @Test func `An object is created where a collection has the name of a required column`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Item.self]) { realm in realm.create(Before.Item.self, value: ["id": 1])
    }
    let block: MigrationBlock = { migration, _ in
      migration.create("Item", value: ["id": 2, "tag": ["a", "b"]])
    }
    try folder.open([After.Item.self], version: 1, block) { realm in
      let items = realm.objects(After.Item.self)
      expectEqual(items.map(\.id), [1, 2])
      expectEqual(items.map { Array($0.tag) }, [[], ["a", "b"]])
    }
  }
}
