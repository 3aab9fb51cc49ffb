import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Objects from files of other programs.
@Suite struct ImportTests {
  private let file: EditingFile

  init() throws {
    file = try EditingFile { $0.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"]) }
  }

  private func messages(_ report: ImportReport) -> [String] {
    report.problems.map { "\($0.line) \($0.column ?? ""): \($0.message)" }
  }

  // MARK: CSV

  private func records(_ text: String) throws -> [CSVReader.Record] {
    var reader = CSVReader(try ByteReader(.bytes(Array(text.utf8))))
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  @Test func `CSV of any program is read`() throws {
    let text = "\u{FEFF}a,\"b \"\"c\"\"\"\r\n\r\n1,\"x\r\ny\"\r,\"\"\nä,b\"c"
    try expectEqual(
      records(text),
      [
        .init(line: 1, fields: ["a", "b \"c\""]), .init(line: 3, fields: ["1", "x\r\ny"]),
        .init(line: 5, fields: [nil, ""]), .init(line: 6, fields: ["ä", "b\"c"]),
      ])
    try expectTrue(records("").isEmpty)
    try expectEqual(records("a,"), [.init(line: 1, fields: ["a", nil])])
  }

  @Test(arguments: [
    (
      "key\n\"b",
      "The quotation mark in line 2 of the file is never closed. Close it, or double it."
    ),
    (
      "\"a\"b",
      "Line 1 of the file has text after a closing quotation mark. Double the marks that belong "
        + "to the text."
    ),
    ("", "The file is empty. Its first line has the names of the columns."),
    ("a,a", "Two columns of the file have the same name. Give them different ones."),
    (
      "key\n1,2",
      "Line 2 has 2 fields, and the header 1. Put quotation marks around texts with commas."
    ),
  ])
  func `CSV that can be read in two ways is refused`(text: String, message: String) async throws {
    let failure = try await file.failure { _ = try await file.importText(text) }
    expectEqual(failure.status, .unprocessable)
    expectEqual(failure.message, message)
  }

  @Test func `A file that is no UTF-8 is refused`() async throws {
    let bytes: [UInt8] = Array("name\n".utf8) + [0xFF]
    for format in ObjectFormat.allCases {
      let failure = try await file.failure {
        _ = try await file.editor.importFile(.bytes(bytes), ImportWish("Item", format))
      }
      expectEqual(failure.code, "invalid")
    }
  }

  // MARK: Values

  @Test func `Columns are found by their names, and values by their types`() async throws {
    let report = try await file.importText(
      """
      Key,NAME,amount,price,share,is_open,day,badge,code,cost,bytes,note,friend,names,tags,scores,other
      2,Bob,,1.5,0.25,yes,2024-02-29T12:00:00Z,6b28ec45-b29a-4b0a-bd6a-343c7f6d90fd,\
      6058F12B957BA06156586A7C,1.50,AAE=,12,1,"[""a"",""b""]","[""x"",""x""]","{""go"":3}",ignored
      3,"",5,2,,false,2024-02-29 12:00:00.500000000,,,,,"[1,{""a"":null}]",2,,,,
      """)
    expectEqual(messages(report), [])
    expectEqual(report.rows, 2)
    expectEqual(report.ready, 2)
    expectEqual(report.mapped["is_open"], "isOpen")
    expectNil(report.mapped["other"])
    let expected: [(String, JSONValue)] = [
      ("key", 2), ("name", "Bob"), ("amount", .null), ("price", .number(1.5)),
      ("share", .number(0.25)), ("isOpen", true), ("day", "2024-02-29 12:00:00.000000000"),
      ("badge", "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD"), ("code", "6058f12b957ba06156586a7c"),
      ("cost", "1.50"), ("bytes", ["bytes": 2, "start": "0001"]),
      ("note", ["type": "int", "value": 12]), ("friend", ["id": 1, "label": "Ada"]),
    ]
    for (name, value) in expected {
      try await expectEqual(file.value(name, of: 2), value, "\(name)")
    }
    try await expectEqual(file.values("names", of: 2), ["a", "b"])
    try await expectEqual(file.values("tags", of: 2), ["x"])
    try await expectEqual(file.elements("scores", of: 2), [["key": "go", "value": 3]])
    try await expectEqual(file.value("friend", of: 3), ["id": 2, "label": "Bob"])
    try await expectEqual(file.value("name", of: 3), "")
    try await expectEqual(
      file.value("note", of: 3), ["type": "list", "value": #"[1,{"a":null}]"#])
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `Rows with mistakes are left out, and said`() async throws {
    let report = try await file.importText(
      """
      key,name,amount,price,isOpen,day,friend,names,note
      2,Bob,ten,,,,,,
      1,Ada,,1,true,,,,
      ,Cleo,,1,true,,,,
      3,Dan,,1,maybe,soon,99,a,
      4,Eve,1,1,true,,,"[1]",
      5,Fay,1,1,true,,1,,x
      5,Fay,1,1,true,,1,,x
      """)
    expectEqual(report.rows, 7)
    expectEqual(report.ready, 1)
    expectEqual(
      messages(report),
      [
        "2 amount: 'ten' is no Int.", "2 price: It can't be nil.", "2 isOpen: It can't be nil.",
        "3 key: There is an object with this key already.", "4 key: It can't be nil.",
        "5 isOpen: 'maybe' is no Bool.", "5 day: 'soon' is no Date.",
        "5 names: 'a' is no JSON: byte 0 should be a value.", "6 names: '1' is no String.",
        "8 key: There is an object with this key already.",
      ])
    try await expectEqual(file.value("note", of: 2), ["type": "string", "value": "x"])
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `A trial changes nothing`() async throws {
    let before = try await file.content()
    let report = try await file.importText("key,name\n2,Bob\n2,Bob") { $0.isDry = true }
    expectEqual(report.ready, 1)
    expectEqual(messages(report), ["3 key: There is an object with this key already."])
    try await expectEqual(file.content(), before)
    await expectEqual(file.editor.state, FileEditor.State())
  }

  @Test func `Objects with the same key are changed where that is wanted`() async throws {
    try await file.change(
      ["insert": EditingFile.body("names", [.init("value", "old")])],
      ["insert": EditingFile.body("tags", [.init("value", "old")])],
      [
        "setKey": EditingFile.body(
          "scores", [.init("key", "old"), .init("new", true), .init("to", 1)])
      ])
    let before = try await file.content()
    let report = try await file.importText(
      """
      key,amount,names,tags,scores
      1,7,"[""a"",""b""]","[""c"",""c""]","{""d"":4}"
      """
    ) { $0.updates = true }
    expectEqual(messages(report), [])
    try await expectEqual(file.value("name"), "Ada")
    try await expectEqual(file.value("amount"), 7)
    try await expectEqual(file.values("names"), ["a", "b"])
    try await expectEqual(file.values("tags"), ["c"])
    try await expectEqual(file.elements("scores"), [["key": "d", "value": 4]])
    try await expectEqual(file.editor.undo(), "Import 1 Item")
    try await expectEqual(file.content(), before)
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `An import is taken back, and made again`() async throws {
    let before = try await file.content()
    _ = try await file.importText("key,name,friend\n2,Bob,1\n3,Cleo,2")
    let after = try await file.content()
    _ = try await file.editor.undo()
    try await expectEqual(file.content(), before)
    _ = try await file.editor.redo()
    try await expectEqual(file.content(), after)
  }

  @Test func `A large import is made again after it was taken back`() async throws {
    let file = try EditingFile { realm in
      for key in 1...600 { realm.create(EditingFile.Item.self, value: ["key": key]) }
    }
    let lines = (1...600).map { "\($0),Bob,\($0),1.5" }.joined(separator: "\n")
    _ = try await file.importText("key,name,amount,price\n\(lines)") { $0.updates = true }
    // Each object has three changes.
    for _ in 0..<2 {
      _ = try await file.editor.undo()
      try expectEqual(file.folder.number("SELECT count(*) FROM Item WHERE name = 'Bob'"), 0)
      _ = try await file.editor.redo()
      try expectEqual(file.folder.number("SELECT sum(amount * price) FROM Item"), 270_450)
    }
  }

  // MARK: Mapping

  @Test func `Columns are for the properties that the user names`() async throws {
    let report = try await file.importText("key,Full name,amount\n2,Bob,x") {
      $0.mapping = ["Full name": "name", "amount": nil]
    }
    expectEqual(report.ready, 1)
    expectEqual(report.mapped, ["key": "key", "Full name": "name"])
  }

  // MARK: JSON

  @Test func `JSON has the types of its values`() async throws {
    let report = try await file.importText(
      """
      [{"key":2,"price":1,"note":{"$date":"2024-02-29 12:00:00.000000000"},"friend":1},
       {"key":3,"share":{"$numberDouble":"NaN"}},
       {"key":"4"},
       {"key":5,"note":{"$ref":"Item","$id":2},"friends":[1,2,1]},
       {"key":6,"note":[{"$ref":"Item","$id":99}]},
       {"key":7,"note":[{"$date":"yesterday"}]},
       {"key":8,"note":{"$uuid":"x"},"day":{"$date":"x"}}]
      """, .json)
    expectEqual(
      messages(report),
      [
        "2 share: 'NaN' is no Float.", "3 key: '4' is no Int.",
        "5 note: There is no object 99 of 'Item'.", "6 note: 'yesterday' is no Date.",
        "7 note: 'x' is no UUID.", "7 day: 'x' is no Date.",
      ])
    expectEqual(report.ready, 2)
    try await expectEqual(file.value("price", of: 2), .number(1))
    try await expectEqual(
      file.value("note", of: 2), ["type": "date", "value": "2024-02-29 12:00:00.000000000"])
    try await expectEqual(file.values("friends", of: 3).map { $0["id"] }, [1, 2, 1])
  }

  @Test func `Each line of NDJSON is an object`() async throws {
    let report = try await file.importText(
      "{\"key\":2}\r\n\n{\"key\":3,\"amount\":\"x\"}\n", .ndjson)
    expectEqual(report.ready, 1)
    expectEqual(messages(report), ["3 amount: 'x' is no Int."])
    for (text, format, message) in [
      (
        "{\"key\":}", .ndjson, "Line 1 of the file is no JSON: byte 7 should be a value. Repair it."
      ),
      ("5", .ndjson, "Number 1 in the file is no object. Write it as '{…}'."),
      ("{}", .json, "The file isn't an array of objects. Write it as '[{…},{…}]'."),
    ] as [(String, ObjectFormat, String)] {
      let failure = try await file.failure { _ = try await file.importText(text, format) }
      expectEqual(failure.message, message)
    }
  }
}
