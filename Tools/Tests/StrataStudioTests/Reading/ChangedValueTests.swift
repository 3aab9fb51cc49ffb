import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Values that differ between a file of Realm and its copy.
@Suite struct ChangedValueTests {
  private let folder: TestFolder
  private let reader: FileReader

  init() throws {
    folder = try Zoo.folder()
    var changed = ChangedValues()
    changed.record("NaN", className: "Keeper", property: "share", identity: 2)
    for _ in 0..<3 {
      changed.record("a far date", className: "Keeper", property: "animals", identity: 1)
    }
    changed.record("NaN", className: "Room", property: "size", identity: 1)
    var configuration = Realm.Configuration(fileURL: folder.file, readOnly: true)
    configuration.dynamicClasses = .all
    reader = FileReader(configuration, name: "test", changed: changed)
  }

  @Test func `A cell has what it is and what was there`() async throws {
    let rows = try await reader.read { db, schema in
      try RowReader(schema, db, try schema.objectSchema("Keeper")).json([1, 2])
    }
    let names = Zoo.names
    let cells = try #require(rows.array).map { row in
      Dictionary(uniqueKeysWithValues: zip(names, row["values"]?.array ?? []))
    }
    expectEqual(cells[0]["share"], .number(Double(Float(0.1))))
    expectEqual(cells[1]["share"], ["changed": .null, "original": "NaN"])
    expectEqual(cells[0]["animals"], ["changed": ["count": 3], "original": "a far date"])
    expectEqual(cells[1]["animals"], ["count": 0])
  }

  @Test func `The page of an object has it, also inside of embedded objects`() async throws {
    let object = try await reader.read { db, schema in
      try ObjectReader(schema: schema, db: db).json(ObjectLink(className: "Keeper", identity: 1))
    }
    let values = Dictionary(
      uniqueKeysWithValues: zip(Zoo.names, object["values"]?.array ?? []))
    expectEqual(values["animals"]?["changed"]?["first"]?.array?.count, 3)
    expectEqual(values["animals"]?["original"], "a far date")
    let rooms = values["home"]?["object"]?["values"]?.array?.last
    let room = rooms?["first"]?.array?.first?["value"]?["object"]
    expectEqual(room?["values"], [["changed": 12, "original": "NaN"]])
  }

  @Test func `Each of many is found`() {
    var changed = ChangedValues()
    let identities = stride(from: Int64(1), through: 10_001, by: 3)
    for identity in identities {
      changed.record(
        "\(identity % 2)", className: "A", property: "b", identity: identity)
    }
    for identity in identities {
      expectEqual(changed.word("A", "b", identity), "\(identity % 2)")
      expectNil(changed.word("A", "b", identity + 1))
    }
    expectNil(changed.word("A", "c", 1))
    expectNil(changed.word("B", "b", 1))
  }
}
