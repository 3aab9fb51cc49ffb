import Foundation
import GRDB
import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Objects of two files, side by side.
@Suite struct DataComparisonTests {
  private let first: TestFolder
  private let second: TestFolder

  init() throws {
    first = try Zoo.folder()
    second = try Zoo.folder()
  }

  private func differences(_ className: String) async throws -> [String] {
    try await differences(className, first, second)
  }

  private func differences(
    _ className: String, _ first: TestFolder, _ second: TestFolder
  ) async throws -> [String] {
    let (one, other) = (Zoo.reader(first), Zoo.reader(second))
    let (old, new) = (try await one.open(), try await other.open())
    await one.close()
    await other.close()
    return try compare(className, (old, first.file), (new, second.file))
  }

  private func compare(
    _ className: String, _ first: (schema: StudioSchema, file: URL),
    _ second: (schema: StudioSchema, file: URL)
  ) throws -> [String] {
    let queues = (
      try DatabaseQueue.otherProgram(at: first.file),
      try DatabaseQueue.otherProgram(at: second.file)
    )
    defer {
      #expect(throws: Never.self) {
        try queues.0.close()
        try queues.1.close()
      }
    }
    var lines: [String] = []
    try queues.0.read { old in
      try queues.1.read { new in
        let comparison = DataComparison(.init(first.schema, old), .init(second.schema, new))
        let count = try comparison.forEach(in: className) { difference in
          switch difference.change {
          case .removed: lines.append("- \(difference.key.text)")
          case .added: lines.append("+ \(difference.key.text)")
          case .changed(let properties):
            for property in properties {
              lines.append(
                "~ \(difference.key.text) \(property.name): \(property.from) → \(property.to)")
            }
          }
        }
        expectTrue(count != nil)
      }
    }
    return lines
  }

  @Test func `Files with the same objects have no differences`() async throws {
    try await expectEqual(differences("Keeper"), [])
    try await expectEqual(differences("Animal"), [])
  }

  @Test func `Objects are compared by their keys`() async throws {
    try second.execute(
      """
      UPDATE Keeper SET _id = 50 WHERE id = 8;
      UPDATE Keeper SET age = 37 WHERE id = 7;
      INSERT INTO Keeper_animals VALUES (1, 99, 2);
      INSERT INTO Keeper (id, name, weight, isHere) VALUES (3, 'New', 0, 0);
      """)
    try await expectEqual(
      differences("Keeper"),
      [
        "+ 3", "~ 7 age: 36 → 37", "~ 7 animals: [1,2,1] → [1,2,1,2]",
      ])
    try first.execute("DELETE FROM Keeper WHERE id = 8")
    try await expectEqual(differences("Keeper").last, "+ 8")
  }

  @Test func `Texts and objects in values are compared by their bytes and keys`() async throws {
    try first.execute(
      "UPDATE Keeper SET name = 'é', note = 1, note_type = '<Keeper>' WHERE id = 7;"
        + "UPDATE Keeper SET note = '{\"é\":1}', note_type = 'dictionary' WHERE id = 8")
    try second.execute(
      "UPDATE Keeper SET name = 'e\u{301}', note = 1, note_type = '<Keeper>' WHERE id = 7;"
        + "UPDATE Keeper SET note = '{\"e\u{301}\":1}', note_type = 'dictionary' WHERE id = 8")
    try await expectEqual(
      differences("Keeper").map(\.utf8.count),
      [
        #"~ 7 name: "é" → "e\#u{301}""#, #"~ 8 note: {"é":1} → {"e\#u{301}":1}"#,
      ].map(\.utf8.count))
    // The same keeper, whatever the identity is.
    try first.execute(
      "UPDATE Keeper SET name = 'a'; UPDATE Keeper SET note = 2, note_type = '<Keeper>'")
    try second.execute(
      """
      UPDATE Keeper SET name = 'a'; UPDATE Keeper SET note = 50, note_type = '<Keeper>';
      UPDATE Keeper SET _id = 50 WHERE id = 8
      """)
    try await expectEqual(differences("Keeper"), [])
    try second.execute("UPDATE Keeper SET note = 1")
    try await expectEqual(
      differences("Keeper").first,
      #"~ 7 note: {"$ref":"Keeper","$key":8} → {"$ref":"Keeper","$key":7}"#)
  }

  @Test func `Sets are compared whatever the identities of their objects are`() async throws {
    let files = try [[1, 2, 3], [3, 2, 1]].map { keys in
      try EditingFile { realm in
        let items = keys.map { realm.create(EditingFile.Item.self, value: ["key": $0]) }
        for item in items where item.key == 1 {
          item.peers.insert(objectsIn: items)
          item.marks.insert(objectsIn: items.map { .object($0) })
        }
      }
    }
    let (one, other) = (files[0].folder, files[1].folder)
    try await expectEqual(differences("Item", one, other), [])
    try other.execute("DELETE FROM Item_peers WHERE value = 1")
    try await expectEqual(differences("Item", one, other), ["~ 1 peers: [1,2,3] → [2,1]"])
  }

  @Test func `Objects without a key are compared by their identities`() async throws {
    try second.execute(
      "UPDATE Animal SET name = 'Bo' WHERE _id = 2; DELETE FROM Animal WHERE _id = 1")
    try await expectEqual(
      differences("Animal"),
      [
        "- 1", #"~ 2 name: "Max" → "Bo""#, "~ 2 mother: 1 → null",
      ])
  }
}
