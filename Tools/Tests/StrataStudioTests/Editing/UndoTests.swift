import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Undo and redo.
@Suite struct UndoTests {
  @Test func `A change of another program keeps the step`() async throws {
    let file = try EditingFile()
    try await file.set("amount", 5)
    try await file.set("name", "Bob")
    try file.folder.execute("UPDATE Item SET name = 'Cleo'")
    let failure = try await file.failure { _ = try await file.editor.undo() }
    expectEqual(failure.code, "conflict")
    expectEqual(failure.details.first { $0.name == "now" }?.value, "Cleo")
    await expectEqual(file.editor.state.undo, 2)
    try file.folder.execute("UPDATE Item SET name = 'Bob'")
    _ = try await file.editor.undo()
    _ = try await file.editor.undo()
    try await expectEqual(file.value("amount"), .null)
    await expectEqual(file.editor.state.redo, 2)
  }

  @Test func `Creating is not taken back when another program has changed the object`() async throws
  {
    let file = try EditingFile()
    let created = try await file.change(
      ["create": ["class": "Item", "as": "a", "values": ["key": 2, "name": "Bob"]]])
    let identity = try #require(created["a"])
    try file.folder.execute("UPDATE Item SET price = 2 WHERE _id = \(identity)")
    try await expectEqual(file.failure { _ = try await file.editor.undo() }.code, "conflict")
    try await expectEqual(file.identities(), [1, identity])
  }

  @Test(arguments: [
    "INSERT INTO Item_names VALUES (2, 5, 'c')",
    "UPDATE Item_names SET value = 'c' WHERE owner = 2",
    "INSERT INTO Item_tags VALUES (2, 'go')", "INSERT INTO Item_scores VALUES (2, 'chess', 7)",
    "UPDATE Box SET label = 'blue'", "INSERT INTO Box_sizes VALUES (1, 9, 9)",
    "UPDATE Lid SET colour = 'green'",
  ])
  func `Creating is not taken back when another program has changed what is in the object`(
    statement: String
  ) async throws {
    let file = try EditingFile()
    try await file.change([
      "create": [
        "class": "Item",
        "values": [
          "key": 2, "names": ["a", "b"],
          "box": ["values": ["label": "red", "sizes": [1], "lid": ["values": ["colour": "red"]]]],
        ],
      ]
    ])
    _ = try await file.editor.undo()
    _ = try await file.editor.redo()
    let identity = try #require(try await file.identities().last)
    let box = try #require(try await file.identities("Box").last)
    try file.folder.execute(
      statement.replacingOccurrences(of: "(2,", with: "(\(identity),")
        .replacingOccurrences(of: "= 2", with: "= \(identity)")
        .replacingOccurrences(of: "(1,", with: "(\(box),"))
    try await expectEqual(file.failure { _ = try await file.editor.undo() }.code, "conflict")
    try await expectEqual(file.identities(), [1, identity])
    await expectEqual(file.editor.state.undo, 1)
  }

  @Test func `A new change ends what was taken back`() async throws {
    let file = try EditingFile()
    try await file.set("amount", 5)
    _ = try await file.editor.undo()
    await expectEqual(file.editor.state.redo, 1)
    try await file.set("amount", 6)
    await expectEqual(file.editor.state.redo, 0)
    let failure = try await file.failure { _ = try await file.editor.redo() }
    expectEqual(failure.code, "nothing")
  }

  @Test func `A hundred steps are kept`() async throws {
    let file = try EditingFile()
    for amount in 1...101 { try await file.set("amount", .int(amount)) }
    await expectEqual(file.editor.state.undo, 100)
    for _ in 0..<100 { _ = try await file.editor.undo() }
    try await expectEqual(file.value("amount"), 1)
  }

  @Test func `Old values are kept up to a size`() async throws {
    let file = try EditingFile()
    let bytes = [UInt8](repeating: 7, count: 30 << 20)
    for _ in 0..<4 {
      try await file.editor.setData(bytes, className: "Item", identity: 1, property: "bytes")
    }
    let steps = await file.editor.state.undo
    expectEqual(steps, 1)
  }

  @Test func `Steps have names`() {
    func link(_ identity: Int64) -> StrataStudio.Place {
      .init(
        object: ObjectLink(className: "A\u{1B}", identity: identity),
        property: .init(name: "b", type: .int))
    }
    func set(_ identity: Int64) -> Edit {
      .set(link(identity), was: .anything, to: .stored(.null))
    }
    func title(_ edits: Edit...) -> String { EditHistory.Step.title(of: edits) }
    expectEqual(title(set(1)), #"Set A\u{1B}.b of 1 object"#)
    expectEqual(title(set(1), set(1), set(2)), #"Set A\u{1B}.b of 2 objects"#)
    expectEqual(title(.create(Draft(className: "B"), name: nil)), "Create 1 B")
    expectEqual(title(set(1), .create(Draft(className: "B"), name: nil)), "2 changes")
  }

  @Test(.serialized, arguments: 0..<13)
  func `Random changes are taken back, and made again`(seed: Int) async throws {
    let file = try EditingFile { realm in
      for key in 1...4 {
        realm.create(EditingFile.Item.self, value: ["key": key, "name": "Item \(key)"])
      }
    }
    let start = try await file.content()
    var maker = RandomChanges(SplitMix64(seed: UInt64(seed + 1)))
    while await file.editor.state.undo < 40 { try await maker.change(file) }
    let end = try await file.content()
    expectTrue(start != end)
    // Restored objects have other identities, which the next steps have to use.
    for _ in 0..<2 {
      for _ in 0..<40 { _ = try await file.editor.undo() }
      try await expectEqual(file.content(), start)
      for _ in 0..<40 { _ = try await file.editor.redo() }
      try await expectEqual(file.content(), end)
    }
    await expectEqual(file.editor.state.undo, 40)
    try expectTrue(file.problems().isEmpty)
  }
}
