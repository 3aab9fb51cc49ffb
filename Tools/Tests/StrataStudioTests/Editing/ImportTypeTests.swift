import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Types and separators in imported files, and the maximum nesting.
@Suite struct ImportTypeTests {
  private let file: EditingFile

  init() throws { file = try EditingFile { _ in } }

  // MARK: Types

  /// Values of which each has to keep its type.
  private static var values: [AnyRealmValue] {
    [
      .none, .string(""), .string("5"), .string("-1.5"), .string("1e5"), .string("true"),
      .string("null"), .string("[1,2]"), .string("{\"$date\":\"x\"}"), .string("\"a\""),
      .string(" 5"), .string("007"), .string("5 apples"), .string("a,\"b\"\n"), .string("=1"),
      .string("inf"), .string("nan"), .string("0x10"), .string("-"), .int(5), .int(.min),
      .bool(true), .double(1.5), .double(100_000), .double(1e300), .double(.infinity),
      .double(-0.0), .float(1.5), .float(0.1), .decimal128("1.50"),
      .date(Date(timeIntervalSince1970: 0.5)), .uuid(Zoo.uuid),
      .objectId(ObjectId("6058f12b957ba06156586a7c")), .data(Data()), .data(Data([0, 255])),
      .fromArray([.string("5"), .int(5)]), .fromDictionary(["$a": .float(1)]),
    ]
  }

  /// An item for each value, and two of them with everything else that an item may have.
  private static func fill(_ realm: Realm) {
    let items = values.enumerated().map { index, value in
      let item = realm.create(EditingFile.Item.self, value: ["key": index])
      item.note = value
      item.bytes = [nil, Data(), Data([1])][index % 3]
      return item
    }
    let (ada, bob) = (items[0], items[1])
    ada.name = "Ada, \"A\"\n"
    ada.friend = bob
    ada.box = EditingFile.Box(value: ["label": "A", "sizes": [1, 2], "lid": ["colour": "red"]])
    ada.box?.owner = ada
    ada.boxes.append(objectsIn: [EditingFile.Box(value: ["label": "B"]), EditingFile.Box()])
    ada.drawers["x"] = EditingFile.Box(value: ["label": "C"])
    ada.drawers["y"] = .some(nil)
    bob.amount = .min
    bob.price = -0.1
    bob.share = 1e-10
    bob.isOpen = true
    bob.day = Date(timeIntervalSince1970: 0.5)
    bob.badge = Zoo.uuid
    bob.code = ObjectId("6058f12b957ba06156586a7c")
    bob.cost = "1E+3"
    bob.bytes = Data([0, 255])
    bob.friend = ada
    bob.names.append(objectsIn: ["a", ""])
    bob.numbers.append(objectsIn: [1, nil])
    bob.friends.append(objectsIn: [ada, bob, ada])
    bob.notes.append(objectsIn: [.int(1), .float(1.5), .none, .fromArray([.string("x")])])
    bob.tags.insert(objectsIn: ["", "x,y"])
    bob.peers.insert(ada)
    bob.marks.insert(objectsIn: [.int(7), .object(ada)])
    bob.scores["$go"] = .max
    bob.roles["best"] = ada
    bob.roles["none"] = .some(nil)
    bob.facts["$a"] = .object(bob)
  }

  @Test(arguments: ObjectFormat.allCases)
  func `What was exported is imported as it was`(format: ObjectFormat) async throws {
    let source = try EditingFile { Self.fill($0) }
    let text = try await source.export(format)
    expectTrue(text.contains("colour"))
    let report = try await file.importText(text, format)
    expectEqual(report.problems, [])
    expectEqual(report.ready, Self.values.count)
    expectEqual(report.embedded, ["Box": 4, "Lid": 1])
    try await expectEqual(file.export(format), text)
    try await expectEqual(file.content(), source.content())
    try expectTrue(file.problems().isEmpty)
  }

  @Test func `A text is written with marks in CSV only where it would be read as something else`() {
    func text(_ text: String) -> String {
      CSVCell.text(.value(.text(text), .string)) { $0.text }
    }
    for plain in ["", "a", "007", "5 apples", "2024-02-29", "-", "inf", "{x", "[", "True"] {
      expectEqual(text(plain), plain)
    }
    for marked in ["5", "-1", "1.50", "1e5", "true", "null", "[1]", "{}", " 5"] {
      expectEqual(text(marked), "\"\(marked)\"")
    }
  }

  @Test func `A value may be as deep as a file has it, and no deeper`() async throws {
    func lists(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    let deepest = lists(100)
    let tooDeep = lists(101)
    let report = try await file.importText(
      """
      {"key":1,"note":\(deepest),"notes":[\(deepest)]}
      {"key":2,"note":\(tooDeep)}
      {"key":3,"notes":[\(tooDeep)]}
      """, .ndjson)
    expectEqual(report.ready, 1)
    expectEqual(
      report.problems.map(\.message),
      Array(
        repeating: "It has more than 100 collections inside of each other.", count: 2))
    try await expectEqual(file.value("note")?["value"], .text(deepest))
  }

  @Test func `A file without anything has no objects`() async throws {
    for text in ["", "\n"] {
      let report = try await file.importText(text, nil)
      expectEqual(report.rows, 0)
      expectEqual(report.problems, [])
    }
    try await expectEqual(file.importText("[\n]\n", nil).rows, 0)
    try await expectEqual(file.importText("key,name\n", nil).rows, 0)
  }

  // MARK: Separators

  @Test(arguments: [
    (";", ";"), ("\t", "\t"), ("|", "|"), (",", ","),
  ])
  func `The separator is found out`(separator: String, shown: String) async throws {
    let lines = [
      ["Key", "name", "other"], ["1", "\"a\(separator)b\"", "x"], ["2", "c;d,e|f", ""],
    ]
    let text = lines.map { line in
      line.map { $0.contains(separator) && !$0.hasPrefix("\"") ? "\"\($0)\"" : $0 }
        .joined(separator: separator)
    }.joined(separator: "\r\n")
    let report = try await file.importText(text)
    expectEqual(report.problems, [])
    expectEqual(report.columns, ["Key", "name", "other"])
    try await expectEqual(file.value("name", of: 1), .text("a\(separator)b"))
    try await expectEqual(file.value("name", of: 2), "c;d,e|f")
  }
}
