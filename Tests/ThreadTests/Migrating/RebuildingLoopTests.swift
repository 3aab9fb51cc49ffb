import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var size = 0
  }
}

private enum After {
  class Item: Object {
    @Persisted var number = ""
    @Persisted var size: AnyRealmValue
    @Persisted var note: AnyRealmValue
  }
}

/// Loops that rebuild a table while they run.
@Suite struct RebuildingLoopTests {
  @Test func `A loop sets values of any type in properties that are new or of another type`()
    throws
  {
    let folder = try TestFolder()
    try folder.write([Before.Item.self]) { realm in realm.create(Before.Item.self, value: [1, 10]) }
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new!["number"] = "number \(old!["number"]!)"
        new!["size"] = "size \(old!["size"]!)"
        new!["note"] = 1.5
      }
    }
    try folder.open([After.Item.self], version: 1, block) { realm in
      let item = try #require(realm.objects(After.Item.self).first)
      expectEqual(item.number, "number 1")
      expectEqual(item.size, .string("size 10"))
      expectEqual(item.note, .double(1.5))
    }
  }
}
