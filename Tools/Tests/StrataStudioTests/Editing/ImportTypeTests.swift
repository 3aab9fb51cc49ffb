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

  private func run(
    _ text: String, _ format: ObjectFormat? = .csv,
    _ change: (inout ImportWish) -> Void = { _ in }
  ) async throws -> ImportReport {
    var wish = ImportWish("Item", format)
    change(&wish)
    return try await file.editor.importFile(.bytes(Array(text.utf8)), wish)
  }

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

  @Test(arguments: ObjectFormat.allCases)
  func `Each value keeps its type, its bytes and nil`(format: ObjectFormat) async throws {
    let source = try EditingFile { realm in
      for (index, value) in Self.values.enumerated() {
        let item = realm.create(EditingFile.Item.self, value: ["key": index])
        item.note = value
        item.bytes = [nil, Data(), Data([1])][index % 3]
      }
    }
    func export(_ file: EditingFile) async throws -> String {
      try await file.reader.read { db, schema in
        var text = ""
        try Exporter(Question("Item"), format).write(db, schema) { text += $0 }
        return text
      }
    }
    let text = try await export(source)
    let report = try await run(text, format)
    expectEqual(report.problems, [])
    expectEqual(report.ready, Self.values.count)
    try await expectEqual(export(file), text)
    for identity in 1...Int64(Self.values.count) {
      let before = try await source.value("note", of: identity)
      try await expectEqual(file.value("note", of: identity), before, "\(identity)")
      let bytes = try await source.value("bytes", of: identity)
      try await expectEqual(file.value("bytes", of: identity), bytes)
    }
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
    let report = try await run(
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
      let report = try await run(text, nil)
      expectEqual(report.rows, 0)
      expectEqual(report.problems, [])
    }
    try await expectEqual(run("[\n]\n", nil).rows, 0)
    try await expectEqual(run("key,name\n", nil).rows, 0)
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
    let report = try await run(text)
    expectEqual(report.problems, [])
    expectEqual(report.columns, ["Key", "name", "other"])
    try await expectEqual(file.value("name", of: 1), .text("a\(separator)b"))
    try await expectEqual(file.value("name", of: 2), "c;d,e|f")
  }

  @Test func `The separator that is given is used`() async throws {
    let report = try await run("key:name\n1:a") { $0.separator = UInt8(ascii: ":") }
    expectEqual(report.ready, 1)
    try await expectEqual(file.value("name"), "a")
  }

  @Test(arguments: [
    ("a:b\nx:y", ObjectFormat.csv), ("{\"a\":1}\n{}", .ndjson), ("[{\"a\":1}]", .json),
  ])
  func `An input without any property makes no empty objects`(
    text: String, format: ObjectFormat
  ) async throws {
    let class_ = "Plain"
    let folder = try TestFolder()
    final class Plain: Object {
      @Persisted var name = ""
      override class func _realmObjectName() -> String? { "Plain" }
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    try folder.open([Plain.self]) { _ in }
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    let editor = FileEditor(configuration, makesBackup: false)
    var wish = ImportWish(class_, format)
    for isDry in [true, false] {
      wish.isDry = isDry
      let report = try await editor.importFile(.bytes(Array(text.utf8)), wish)
      expectEqual(report.ready, 0)
      expectEqual(
        report.problems.map(\.message),
        [
          "No column has the name of a property of 'Plain': 'name'. Choose the properties of the "
            + "columns, or another separator."
        ])
    }
    await expectEqual(editor.state.undo, 0)
    await editor.close()
    try folder.open([Plain.self]) { expectTrue($0.objects(Plain.self).isEmpty) }
  }
}
