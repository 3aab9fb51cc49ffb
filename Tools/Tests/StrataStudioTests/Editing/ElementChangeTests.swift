import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Changes of lists, sets, maps and embedded objects.
@Suite struct ElementChangeTests {
  private let file: EditingFile

  init() throws {
    file = try EditingFile { realm in
      let ada = realm.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"])
      let bob = realm.create(EditingFile.Item.self, value: ["key": 2, "name": "Bob"])
      ada.names.append(objectsIn: ["a", "b", "c"])
      ada.numbers.append(objectsIn: [1, nil, 3])
      ada.friends.append(objectsIn: [bob, ada])
      ada.boxes.append(EditingFile.Box(value: ["label": "red", "sizes": [1, 2]]))
      ada.notes.append(objectsIn: [.int(1), .object(bob), .fromArray([.int(2)])])
      ada.tags.insert(objectsIn: ["go", "run"])
      ada.marks.insert(.string("x"))
      ada.scores["chess"] = 7
      ada.roles["best"] = bob
    }
  }

  private func body(_ property: String, _ members: (String, JSONValue)...) -> JSONValue {
    EditingFile.body(property, members.map { JSONValue.Member($0.0, $0.1) })
  }

  /// Makes changes, takes them back, and makes them again.
  private func expect(
    _ name: String, _ changes: JSONValue..., elements: [JSONValue],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try await file.content()
    _ = try await file.editor.change(["changes": .array(changes)])
    let after = try await file.elements(name)
    expectEqual(after, elements, sourceLocation: sourceLocation)
    let whole = try await file.content()
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), before, sourceLocation: sourceLocation)
    _ = try await file.editor.redo()
    try await expectEqual(file.content(), whole, sourceLocation: sourceLocation)
    try expectTrue(file.problems().isEmpty, sourceLocation: sourceLocation)
  }

  private func list(_ values: JSONValue...) -> [JSONValue] {
    values.enumerated().map { ["at": .int($0), "value": $1] }
  }

  @Test func `Elements of a list`() async throws {
    try await expect(
      "names", ["insert": body("names", ("at", 1), ("value", "new"))],
      elements: list("a", "new", "b", "c"))
    try await expect(
      "names", ["insert": body("names", ("value", "end"))],
      elements: list("a", "new", "b", "c", "end"))
    try await expect(
      "names", ["setAt": body("names", ("at", 0), ("was", "a"), ("to", "A"))],
      elements: list("A", "new", "b", "c", "end"))
    try await expect(
      "names", ["move": body("names", ("from", 0), ("to", 3), ("was", "A"))],
      elements: list("new", "b", "c", "A", "end"))
    try await expect(
      "names", ["remove": body("names", ("at", 4), ("was", "end"))],
      ["remove": body("names", ("at", 0), ("was", "new"))],
      elements: list("b", "c", "A"))
    try await expect(
      "numbers", ["setAt": body("numbers", ("at", 1), ("was", .null), ("to", 2))],
      ["setAt": body("numbers", ("at", 0), ("was", 1), ("to", .null))],
      elements: list(.null, 2, 3))
  }

  @Test func `Elements of a list of objects, and of any values`() async throws {
    let (ada, bob): (JSONValue, JSONValue) = (
      ["id": 1, "label": "Ada"], ["id": 2, "label": "Bob"]
    )
    try await expect(
      "friends", ["insert": body("friends", ("at", 2), ("value", ["id": 2]))],
      ["move": body("friends", ("from", 0), ("to", 1), ("was", bob))],
      elements: list(ada, bob, bob))
    try await expect(
      "notes",
      [
        "setAt": body(
          "notes", ("at", 2), ("was", ["type": "list", "value": "[2]"]),
          ("to", ["type": "dictionary", "value": #"{"a": {"$numberDouble": "Infinity"}}"#]))
      ],
      ["remove": body("notes", ("at", 0), ("was", ["type": "int", "value": 1]))],
      elements: list(
        ["type": "object", "value": ["class": "Item", "id": 2, "label": "Bob"]],
        ["type": "dictionary", "value": #"{"a":{"$numberDouble":"Infinity"}}"#]))
  }

  @Test func `Elements of a set`() async throws {
    try await expect(
      "tags", ["remove": body("tags", ("value", "go"))],
      ["insert": body("tags", ("value", "stop"))],
      elements: [["value": "run"], ["value": "stop"]])
    try await expect(
      "peers", ["insert": body("peers", ("value", ["id": 2]))],
      elements: [["value": ["id": 2, "label": "Bob"]]])
    try await expect(
      "marks", ["insert": body("marks", ("value", ["type": "int", "value": 4]))],
      ["remove": body("marks", ("value", ["type": "string", "value": "x"]))],
      elements: [["value": ["type": "int", "value": 4]]])
    let double = try await file.failure {
      try await file.change(["insert": body("tags", ("value", "run"))])
    }
    expectEqual(
      double.message, "'Item.tags' of object 1 has this element already. Give another one.")
    let nested = try await file.failure {
      try await file.change([
        "insert": body("marks", ("value", ["type": "list", "value": "[]"]))
      ])
    }
    expectEqual(nested.message, "The set 'Item.marks' can't hold a list. Use a single value.")
  }

  @Test func `Entries of a map`() async throws {
    try await expect(
      "scores", ["setKey": body("scores", ("key", "go"), ("new", true), ("to", 3))],
      ["setKey": body("scores", ("key", "chess"), ("was", 7), ("to", 8))],
      elements: [["key": "chess", "value": 8], ["key": "go", "value": 3]])
    try await expect(
      "scores", ["removeKey": body("scores", ("key", "chess"), ("was", 8))],
      elements: [["key": "go", "value": 3]])
    try await expect(
      "roles",
      ["setKey": body("roles", ("key", "best"), ("was", ["id": 2]), ("to", .null))],
      elements: [["key": "best", "value": .null]])
  }

  @Test func `An embedded object is made, changed and removed`() async throws {
    let before = try await file.content()
    try await file.set(
      "box", ["values": ["label": "blue", "sizes": [5, 6], "lid": ["values": ["colour": "red"]]]],
      was: .null)
    let box = try #require(try await file.value("box"))
    expectEqual(box["object"]?["values"]?.array?.first, "blue")
    let identity = try #require(box["id"]?.integer)
    try await file.change([
      "set": [
        "class": "Box", "id": .int(identity), "property": "label", "was": "blue", "to": "green",
      ]
    ])
    let whole = try await file.content()
    try await file.set("box", .null, was: box)
    try await expectTrue(file.identities("Lid").isEmpty)
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), whole)
    // The box has another identity now, which the older step doesn't know.
    try await expectTrue(file.value("box")?["id"]?.integer != identity)
    _ = try await file.editor.undo()
    try await expectEqual(file.value("box")?["object"]?["values"]?.array?.first, "blue")
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), before)
    _ = try await file.editor.redo()
    _ = try await file.editor.redo()
    try await expectEqual(file.content(), whole)
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `Embedded objects in collections`() async throws {
    let red = try #require(try await file.values("boxes").first)
    let before = try await file.content()
    try await file.change(
      ["insert": body("boxes", ("at", 0), ("value", ["values": ["label": "new"]]))],
      [
        "setAt": body(
          "boxes", ("at", 1), ("was", red), ("to", ["values": ["label": "other", "sizes": [9]]]))
      ],
      [
        "setKey": body(
          "drawers", ("key", "top"), ("new", true), ("to", ["values": ["label": "drawer"]]))
      ])
    try await expectEqual(
      file.values("boxes").map { $0["object"]?["values"]?.array?.first }, ["new", "other"])
    let whole = try await file.content()
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), before)
    _ = try await file.editor.redo()
    try await expectEqual(file.content(), whole)
    let drawer = try #require(try await file.values("drawers").first)
    let other = try #require(try await file.values("boxes").last)
    try await file.change(
      ["removeKey": body("drawers", ("key", "top"), ("was", drawer))],
      ["remove": body("boxes", ("at", 1), ("was", other))])
    try await expectEqual(file.identities("Box").count, 1)
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), whole)
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `Objects of a request know each other by their names`() async throws {
    let before = try await file.content()
    let created = try await file.change(
      ["create": ["class": "Item", "as": "a", "values": ["key": 3, "name": "Cleo"]]],
      ["set": body("friend", ("was", .null), ("to", ["new": "a"]))],
      ["insert": body("friends", ("at", 0), ("value", ["new": "a"]))],
      ["set": body("note", ("was", .null), ("to", ["new": "a"]))])
    let identity = try #require(created["a"])
    let link: JSONValue = ["id": .int(identity), "label": "Cleo"]
    try await expectEqual(file.value("friend"), link)
    try await expectEqual(file.values("friends").first, link)
    try await expectEqual(file.value("note")?["value"]?["id"]?.integer, identity)
    let whole = try await file.content()
    try await expectEqual(file.editor.undo(), "4 changes")
    try await expectEqual(file.content(), before)
    _ = try await file.editor.redo()
    try await expectEqual(file.content(), whole)
    let unknown = try await file.failure {
      try await file.set("friend", ["new": "b"])
    }
    expectEqual(
      unknown.message,
      "A change can't be read: no change before it creates an object as 'b'. Correct it.")
  }

  @Test func `What the library refuses is said in its words`() async throws {
    let existing = try await file.failure {
      try await file.change(["create": ["class": "Item", "values": ["key": 1]]])
    }
    expectEqual(existing.code, "invalid")
    expectTrue(
      existing.message.hasSuffix(
        "existing primary key value '1'. Give it another key, or change the object that has it."),
      "\(existing.message)")
    let alone = try await file.failure { try await file.change(["create": ["class": "Box"]]) }
    expectTrue(alone.message.hasPrefix("Embedded objects cannot be created directly."))
  }

  private func expectConflict(
    _ change: JSONValue, now: JSONValue, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let failure = try await file.failure(sourceLocation: sourceLocation) {
      try await file.change(change)
    }
    expectEqual(failure.status, .conflict, sourceLocation: sourceLocation)
    expectEqual(failure.code, "conflict", sourceLocation: sourceLocation)
    let whole = "Another program changed \(message). Check the new value first."
    expectEqual(failure.message, whole, sourceLocation: sourceLocation)
    expectEqual(
      failure.details.first { $0.name == "now" }?.value, now, sourceLocation: sourceLocation)
  }

  @Test func `What another program changed meanwhile is not overwritten`() async throws {
    try file.folder.execute(
      """
      UPDATE Item SET amount = 98 WHERE _id = 1; DELETE FROM Item_tags WHERE value = 'go';
      UPDATE Item_scores SET value = 70; DELETE FROM Item_names WHERE value <> 'b'
      """)
    try await expectConflict(
      ["set": body("amount", ("was", 99), ("to", 97))], now: 98,
      "'Item.amount' of object 1 meanwhile: it is 98 now, and was 99 when you began")
    try await expectConflict(
      ["setAt": body("names", ("at", 0), ("was", "a"), ("to", "A"))], now: "b",
      "element 0 of 'Item.names' of object 1 meanwhile: it is 'b' now, and was 'a' when you began")
    try await expectConflict(
      ["remove": body("names", ("at", 1), ("was", "b"))], now: .null,
      "element 1 of 'Item.names' of object 1 meanwhile: it was deleted, and was 'b' when you "
        + "began")
    try await expectConflict(
      ["remove": body("tags", ("value", "go"))], now: .null,
      "an element of 'Item.tags' of object 1 meanwhile: it was deleted")
    let key = "the key 'chess' of 'Item.scores' of object 1 meanwhile"
    try await expectConflict(
      ["setKey": body("scores", ("key", "chess"), ("was", 7), ("to", 8))], now: 70,
      "\(key): it is 70 now, and was 7 when you began")
    try await expectConflict(
      ["setKey": body("scores", ("key", "chess"), ("new", true), ("to", 8))], now: 70,
      "\(key): it is 70 now, and was not there when you began")
    try await expectConflict(
      ["removeKey": body("scores", ("key", "go"), ("was", 8))], now: .null,
      "the key 'go' of 'Item.scores' of object 1 meanwhile: it was deleted, and was 8 when "
        + "you began")
    try await expectConflict(
      ["move": body("names", ("from", 0), ("to", 2), ("was", "b"))], now: .null,
      "element 2 of 'Item.names' of object 1 meanwhile: it was deleted")
    try await expectConflict(
      ["delete": ["class": "Item", "id": 1, "was": ["amount": 99]]], now: 98,
      "'Item.amount' of object 1 meanwhile: it is 98 now, and was 99 when you began")
    let long = try await file.failure {
      try await file.change(["insert": body("names", ("at", 2), ("value", "c"))])
    }
    expectEqual(long.code, "conflict")
  }

  @Test func `A value is compared with the form that the page has of it`() async throws {
    let text = String(repeating: "é", count: 300)
    try await file.set("name", .text(text))
    let cut: JSONValue = ["text": .text(String(text.prefix(200))), "length": 300]
    try await file.set("name", "Ada", was: cut)
    try await file.set("name", .text(text))
    try file.folder.execute("UPDATE Item SET name = name || '!' WHERE _id = 1")
    let longer = try await file.failure { try await file.set("name", "Ada", was: cut) }
    expectEqual(longer.code, "conflict")
    // To Swift both texts are equal.
    try await file.set("name", "e\u{301}")
    let composed = try await file.failure { try await file.set("name", "Ada", was: "\u{E9}") }
    expectEqual(composed.code, "conflict")
  }

  @Test func `Of elements that begin alike the one is removed that is sent whole`() async throws {
    let start = String(repeating: "x", count: 250)
    try file.folder.execute(
      "INSERT INTO Item_tags VALUES (1, '\(start)a'), (1, '\(start)b');"
        + "INSERT INTO Item_marks VALUES (1, x'\(String(repeating: "07", count: 20))01', 'data'), "
        + "(1, x'\(String(repeating: "07", count: 20))02', 'data')")
    func remove(_ name: String, _ value: JSONValue) async throws {
      try await file.change(["remove": body(name, ("value", value))])
    }
    for (name, begun) in [("tags", "text"), ("marks", "type")] {
      let value = try #require(
        try await file.values(name).first {
          $0[begun] != nil && $0 != ["type": "string", "value": "x"]
        })
      let failure = try await file.failure { try await remove(name, value) }
      expectEqual(
        failure.message,
        "Several elements of 'Item.\(name)' of object 1 begin so. Send all of the value.")
    }
    try await remove("tags", .text(start + "b"))
    try await remove(
      "marks", ["type": "data", "value": ["hex": .text(String(repeating: "07", count: 20) + "02")]])
    let (tags, marks) = try file.folder.sql { db in
      (
        try String.fetchAll(db, sql: "SELECT value FROM Item_tags WHERE length(value) > 200"),
        try Data.fetchAll(db, sql: "SELECT value FROM Item_marks WHERE value_type = 'data'")
      )
    }
    expectEqual(tags, [start + "a"])
    expectEqual(marks, [Data(repeating: 7, count: 20) + [1]])
  }

  @Test func `Values in a list inside of a value are written as a file has them`() async throws {
    let list = #"[{"$date":"2024-01-01"},{"$uuid":"6b28ec45-b29a-4b0a-bd6a-343c7f6d90fd"}]"#
    try await file.change([
      "setAt": body("notes", ("at", 0), ("to", ["type": "list", "value": .text(list)]))
    ])
    try await expectEqual(
      file.values("notes").first,
      [
        "type": "list",
        "value":
          #"[{"$date":"2024-01-01 00:00:00.000000000"},{"$uuid":"6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD"}]"#,
      ])
    let failure = try await file.failure {
      try await file.change([
        "setAt": body("notes", ("at", 0), ("to", ["type": "list", "value": #"[{"$oid":"x"}]"#]))
      ])
    }
    expectTrue(failure.message.hasPrefix("'x' is no value of type 'object id', which 'Item.notes'"))
    try expectTrue(file.problems().isEmpty)
  }
}
