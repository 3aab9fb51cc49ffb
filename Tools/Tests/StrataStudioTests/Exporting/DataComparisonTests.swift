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
    let (one, other) = (Zoo.reader(first), Zoo.reader(second))
    let schemas = (try await one.open(), try await other.open())
    await one.close()
    await other.close()
    return try compare(className, schemas.0, schemas.1)
  }

  private func compare(
    _ className: String, _ old: StudioSchema, _ new: StudioSchema
  ) throws -> [String] {
    let queues = (
      try DatabaseQueue(path: first.file.path), try DatabaseQueue.otherProgram(at: second.file)
    )
    defer {
      #expect(throws: Never.self) {
        try queues.0.close()
        try queues.1.close()
      }
    }
    var lines: [String] = []
    try queues.0.read { first in
      try queues.1.read { second in
        let comparison = DataComparison(.init(old, first), .init(new, second))
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
