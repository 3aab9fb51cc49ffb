import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var number = 0
  }
  class Extra: Object {
    @Persisted var text = ""
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var note: String?
  }
}

/// The calls of the migration block, and the openings without a call.
@Suite("Calls of the block") struct BlockCallsTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  /// Opens the file at a version, and counts the calls of the block.
  private func calls(
    _ file: TestFile, _ types: [ObjectBase.Type], _ version: UInt64, performing: Bool = false
  ) throws -> [UInt64] {
    let calls = Box<[UInt64]>([])
    let configuration = file.configuration(types, version: version) { _, old in
      calls.append(old)
    }
    if performing {
      try Realm.performMigration(for: configuration)
    } else {
      _ = try Realm(configuration: configuration)
    }
    return calls.value
  }

  @Test(arguments: [0, 5] as [UInt64])
  func `A new file is made without the block, whatever its version`(version: UInt64) throws {
    try expectEqual(calls(file, [V0.Item.self], version), [])
    try expectEqual(file.version, version)
  }

  @Test func `An empty file is like a missing one`() throws {
    try Data().write(to: file.url)
    try expectEqual(calls(file, [V0.Item.self], 3), [])
    try expectEqual(file.version, 3)
    try file.write([V0.Item.self], version: 3) { $0.add(V0.Item()) }
  }

  @Test func `Each higher version calls the block once, with the version of the file`() throws {
    try file.migrate([V0.Item.self], to: 0)
    try expectEqual(calls(file, [V0.Item.self], 1), [0])
    try expectEqual(calls(file, [V0.Item.self], 1), [])
    try expectEqual(calls(file, [V0.Item.self], 2, performing: true), [1])
    try expectEqual(calls(file, [V0.Item.self], 2, performing: true), [])
    try expectEqual(calls(file, [V0.Item.self], 7), [2])
    try expectEqual(file.version, 7)
  }

  @Test func `A new class at the same version calls no block`() throws {
    try file.migrate([V0.Item.self], to: 2)
    try expectEqual(calls(file, [V0.Item.self, V0.Extra.self], 2), [])
    try expectEqual(file.storedSchema().names, ["Extra", "Item"])
  }

  @Test
  func `A lower version with changed classes calls no block, and is the error reported`() throws {
    try file.migrate([V0.Item.self], to: 2)
    let error = try file.failure([V1.Item.self], to: 1) { _, _ in
      Issue.record("The block must not be called.")
    }
    expectEqual(error.message, "Provided schema version 1 is less than last set version 2.")
  }

  @Test func `performMigration makes the file, and leaves it closed`() throws {
    try expectEqual(calls(file, [V0.Item.self], 1, performing: true), [])
    try expectEqual(file.version, 1)
    try expectTrue(Realm.deleteFiles(for: file.configuration([V0.Item.self], version: 1)))
  }

  @Test func `performMigration throws what opening throws`() throws {
    try file.migrate([V0.Item.self], to: 0)
    expectError(code: .schemaMismatch) {
      try Realm.performMigration(for: file.configuration([V1.Item.self]))
    }
    #expect(throws: Deliberate(number: 1)) {
      try Realm.performMigration(
        for: file.configuration([V1.Item.self], version: 1) { _, _ in
          throw Deliberate(number: 1)
        })
    }
    try expectEqual(file.version, 0)
  }
}
