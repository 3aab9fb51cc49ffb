import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Changes of single values, and refused changes.
@Suite struct ValueChangeTests {
  private let file: EditingFile

  init() throws { file = try EditingFile() }

  @Test(
    arguments: [
      ("name", "Bob\nand more"), ("name", ""), ("amount", 5), ("amount", nil),
      ("amount", .text("9007199254740993")), ("price", .number(1.5)), ("price", 2),
      ("price", "Infinity"), ("share", .number(0.5)), ("share", nil), ("isOpen", true),
      ("day", "2024-02-29 12:00:00.500000000"), ("badge", "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD"),
      ("code", "6058f12b957ba06156586a7c"), ("cost", "1.50"), ("friend", ["id": 1]),
      ("note", ["type": "int", "value": 5]), ("note", ["type": "double", "value": 5]),
      ("note", ["type": "bool", "value": true]), ("note", ["type": "string", "value": "a"]),
      ("note", ["type": "date", "value": "2024-02-29 12:00:00.000000000"]),
      ("note", ["type": "uuid", "value": "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD"]),
      ("note", ["type": "object id", "value": "6058f12b957ba06156586a7c"]),
      ("note", ["type": "decimal", "value": "-0"]), ("note", nil),
      ("note", ["type": "list", "value": #"[1,"a",null,{"$numberFloat":"1.5"}]"#]),
      ("note", ["type": "dictionary", "value": #"{"a":[{"$ref":"Item","$id":1}]}"#]),
      ("note", ["type": "object", "value": ["class": "Item", "id": 1]]),
    ] as [(String, JSONValue?)])
  func `A value of each type is set, and taken back`(name: String, to: JSONValue?) async throws {
    let to = to ?? .null
    let before = try #require(try await file.value(name))
    try await file.set(name, to, was: before)
    let after = try #require(try await file.value(name))
    expectTrue(after.isSame(asSent: to), "\(after)")
    try await expectEqual(file.editor.undo(), "Set Item.\(name) of 1 object")
    try await expectEqual(file.value(name), before)
    try await expectEqual(file.editor.redo(), "Set Item.\(name) of 1 object")
    try await expectEqual(file.value(name), after)
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `Bytes are written in hexadecimal digits`() async throws {
    try await file.set("bytes", ["hex": "89504E470001"], was: .null)
    try await expectEqual(file.value("bytes"), ["bytes": 6, "start": "89504e470001"])
    try await file.set(
      "note", ["type": "data", "value": ["bytes": 2, "start": "0102"]], was: .null)
    try await expectEqual(
      file.value("note"), ["type": "data", "value": ["bytes": 2, "start": "0102"]])
    let failure = try await file.failure {
      try await file.set("bytes", ["bytes": 40, "start": "0102"])
    }
    expectEqual(failure.code, "invalid")
  }

  @Test func `A text is written with all of its bytes`() async throws {
    let text = "a\u{0}b\u{301}\u{2028}"
    try await file.set("name", .text(text))
    let bytes = try await file.reader.read { db, schema in
      try DataReader(schema: schema, db: db).bytes(
        of: "name", ObjectLink(className: "Item", identity: 1)
      ).bytes
    }
    expectEqual(bytes, Array(text.utf8))
  }

  @Test(
    arguments: [
      ("name", nil, "'Item.name' can't be nil. Give it a value of type 'string'."),
      (
        "name", 5,
        "5 is no value of type 'string', which 'Item.name' needs. Give a text."
      ),
      (
        "amount", "ten",
        "'ten' is no value of type 'int', which 'Item.amount' needs. Give a whole number of 64 bits."
      ),
      (
        "amount", .number(1.5),
        "1.5 is no value of type 'int', which 'Item.amount' needs. Give a whole number of 64 bits."
      ),
      (
        "share", .number(1e300),
        "1e+300 is no value of type 'float', which 'Item.share' needs. Give a number that it can hold."
      ),
      (
        "price", "NaN",
        "'NaN' is no value of type 'double', which 'Item.price' needs. Give a number that it can hold."
      ),
      (
        "isOpen", 1,
        "1 is no value of type 'bool', which 'Item.isOpen' needs. Give 'true' or 'false'."
      ),
      (
        "day", "yesterday",
        "'yesterday' is no value of type 'date', which 'Item.day' needs. Give a date in UTC as "
          + "'2024-02-29 12:00:00.000000000'."
      ),
      (
        "badge", "12",
        "'12' is no value of type 'uuid', which 'Item.badge' needs. Give 32 hexadecimal digits as "
          + "'6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD'."
      ),
      (
        "code", "12",
        "'12' is no value of type 'object id', which 'Item.code' needs. Give 24 hexadecimal digits."
      ),
      (
        "cost", "1,5",
        "'1,5' is no value of type 'decimal', which 'Item.cost' needs. Give a decimal number as a text."
      ),
      (
        "bytes", ["hex": "0"],
        "another value is no value of type 'data', which 'Item.bytes' needs. Give all bytes in "
          + "hexadecimal digits, or a file."
      ),
      (
        "friend", ["id": 99],
        "There is no object 99 of 'Item' for 'Item.friend'. Choose another one."
      ),
      (
        "friend", "Ada",
        "'Ada' is no value of type '<Item>', which 'Item.friend' needs. Give the class and the identity "
          + "of an object."
      ),
      (
        "box", ["id": 1],
        "'Item.box' holds an embedded object, which only one object may contain. Send the values "
          + "of a new one."
      ),
      (
        "note", 5,
        "'Item.note' is an 'AnyRealmValue'. Send the type beside the value: {\"type\":\"int\",\"value\":5}."
      ),
      (
        "note", ["type": "int", "value": "a"],
        "'a' is no value of type 'int', which 'Item.note' needs. Give a whole number of 64 bits."
      ),
      (
        "note", ["type": "list", "value": "{}"],
        "The JSON for 'Item.note' is no list. Write […], or choose another type."
      ),
      (
        "note", ["type": "list", "value": #"[1,{"a":{"$date":"yesterday"}}]"#],
        "'yesterday' is no value of type 'date', which 'Item.note' needs. Give a date in UTC as "
          + "'2024-02-29 12:00:00.000000000'."
      ),
      (
        "note", ["type": "object", "value": ["class": "Box", "id": 1]],
        "'Item.note' can't hold an embedded object. Choose one of another class."
      ),
      (
        "note", ["type": "list", "value": #"[{"$ref":"Item","$id":99}]"#],
        "There is no object 99 of 'Item' for 'Item.note'. Choose another one."
      ),
      (
        "name", ["text": "Ad", "length": 900],
        "'Item.name' would get the beginning of a text. Send all of it."
      ),
      (
        "key", 5,
        "'Item.key' is the primary key, which is set when an object is created only. Create another "
          + "object, and delete this one."
      ),
    ] as [(String, JSONValue?, String)])
  func `A value of another type is refused`(
    name: String, to: JSONValue?, message: String
  ) async throws {
    let before = try await file.content()
    let failure = try await file.failure { try await file.set(name, to ?? .null) }
    expectEqual(failure.status, .unprocessable)
    expectEqual(failure.code, "invalid")
    expectEqual(failure.message, message)
    try await expectEqual(file.content(), before)
    await expectEqual(file.editor.state.undo, 0)
  }

  @Test(
    arguments: [
      ([:], "the list 'changes' is missing or empty"),
      (["changes": []], "the list 'changes' is missing or empty"),
      (["changes": [5]], "it isn't an object with one member, such as 'set'"),
      (["changes": [["rename": [:]]]], "the kind 'rename' is unknown"),
      (["changes": [["set": ["id": 5]]]], "it has no text 'class'"),
      (["changes": [["set": ["class": "Item"]]]], "it has no identity 'id'"),
      (["changes": [["set": ["class": "Item", "id": 1]]]], "it has no text 'property'"),
      (
        ["changes": [["set": ["class": "Item", "id": 1, "property": "name"]]]], "it has no 'to'"
      ),
      (
        ["changes": [["set": ["class": "Item", "id": 1, "property": "names", "to": []]]]],
        "'Item.names' is a collection, whose elements are changed one by one"
      ),
      (
        ["changes": [["insert": ["class": "Item", "id": 1, "property": "name", "value": "a"]]]],
        "'Item.name' is no collection for 'insert'"
      ),
      (
        ["changes": .array(Array(repeating: 5, count: 1001))],
        "a request has at most 1000 changes"
      ),
    ] as [(JSONValue, String)])
  func `What is no change is refused`(json: JSONValue, problem: String) async throws {
    let failure = try await file.failure { _ = try await file.editor.change(json) }
    expectEqual(failure.status, .badRequest)
    expectEqual(failure.message, "A change can't be read: \(problem). Correct it.")
  }

  @Test func `A class, a property and an object have to be there`() async throws {
    for (className, property, id) in [
      ("Nobody", "name", 1), ("Item", "nothing", 1), ("Item", "name", 99),
    ] as [(String, String, Int64)] {
      let failure = try await file.failure {
        try await file.change([
          "set": [
            "class": .text(className), "property": .text(property), "id": .int(id), "to": "a",
          ]
        ])
      }
      expectEqual(failure.status, .notFound)
      expectEqual(failure.code, "gone")
    }
  }

  @Test func `All of a request is done, or nothing, and which change failed is said`() async throws
  {
    let good: JSONValue = ["set": EditingFile.body("name", [.init("to", "Bob")])]
    for bad in [
      ["set": EditingFile.body("amount", [.init("to", "ten")])],
      ["set": EditingFile.body("amount", [.init("was", 5), .init("to", 6)])],
      ["create": ["class": "Item", "values": ["key": 1]]],
    ] as [JSONValue] {
      let failure = try await file.failure { try await file.change(good, bad) }
      expectEqual(failure.details.first { $0.name == "index" }?.value, 1, "\(failure)")
      try await expectEqual(file.value("name"), "Ada")
    }
    let alone = try await file.failure { try await file.set("amount", "ten") }
    expectTrue(alone.details.isEmpty)
  }

  @Test func `A value that another program made wrong is replaced for good`() async throws {
    file.folder.isDamaged = true
    try await file.set("name", "Bob")
    try file.folder.execute("UPDATE Item SET day = 'yesterday'")
    let before = try #require(try await file.value("day"))
    expectEqual(before["invalid"], "yesterday")
    // Reading the object for changing it reports what is wrong.
    await withKnownIssue { try await file.set("day", .null, was: before) }
    try await expectEqual(file.value("day"), .null)
    // The old value can't be written again, so earlier steps can't be undone either.
    await expectEqual(file.editor.state.undo, 0)
  }

  @Test func `Bytes of a file are set whatever was there`() async throws {
    let bytes = [UInt8](repeating: 7, count: 100_000)
    try await file.editor.setData(bytes, className: "Item", identity: 1, property: "bytes")
    try await expectEqual(file.value("bytes")?["bytes"], 100_000)
    let failure = try await file.failure {
      try await file.editor.setData(bytes, className: "Item", identity: 1, property: "name")
    }
    expectEqual(failure.code, "invalid")
    _ = try await file.editor.undo()
    try await expectEqual(file.value("bytes"), .null)
  }
}
