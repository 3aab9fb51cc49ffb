import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Embedded objects from files of other programs.
@Suite struct ImportEmbeddedTests {
  private let file: EditingFile

  init() throws {
    file = try EditingFile { $0.create(EditingFile.Item.self, value: ["key": 1, "name": "Ada"]) }
  }

  private func run(
    _ text: String, _ format: ObjectFormat = .ndjson,
    _ change: (inout ImportWish) -> Void = { _ in }
  ) async throws -> ImportReport {
    var wish = ImportWish("Item", format)
    change(&wish)
    return try await file.editor.importFile(.bytes(Array(text.utf8)), wish)
  }

  private let object = """
    {"key":2,"box":{"label":"A","sizes":[1,2],"lid":{"colour":"red"},"owner":1},\
    "boxes":[{"label":"B"},{"Lid":null}],"drawers":{"x":{"label":"C"},"y":null}}

    """

  @Test func `They are objects inside of objects, with all that is in them`() async throws {
    let report = try await run(object)
    expectEqual(report.problems, [])
    expectEqual(report.ready, 1)
    expectEqual(report.embedded, ["Box": 4, "Lid": 1])
    let box = try await file.value("box", of: 2)?["object"]
    expectEqual(
      box?["values"]?.array?.prefix(2),
      [
        "A",
        [
          "count": 2,
          "first": [
            ["at": 0, "value": 1], ["at": 1, "value": 2],
          ],
        ],
      ])
    expectEqual(box?["values"]?.array?[2]["object"]?["values"], ["red"])
    expectEqual(box?["values"]?.array?[3]["label"], "Ada")
    try await expectEqual(
      file.elements("boxes", of: 2).map { $0["value"]?["object"]?["values"]?.array?[0] }, ["B", ""])
    try await expectEqual(
      file.elements("drawers", of: 2).map { $0["value"] == .null }, [false, true])
    try expectTrue(file.problems().isEmpty)
    // All of it is one step, with what is inside.
    _ = try await file.editor.undo()
    try await expectEqual(file.identities("Item"), [1])
    try await expectEqual(file.identities("Box"), [])
    try await expectEqual(file.identities("Lid"), [])
  }

  @Test func `A trial counts them and makes none`() async throws {
    let report = try await run(object + "{\"key\":\"x\",\"box\":{\"label\":\"D\"}}\n") {
      $0.isDry = true
    }
    expectEqual(report.rows, 2)
    expectEqual(report.ready, 1)
    expectEqual(report.embedded, ["Box": 4, "Lid": 1], "those of rows that are fine")
    try await expectEqual(file.identities("Box"), [])
  }

  @Test func `CSV has them as JSON in a cell`() async throws {
    let report = try await run(
      "key,box,boxes\n2,\"{\"\"label\"\":\"\"A\"\"}\",\"[{\"\"sizes\"\":[3]}]\"\n3,,\n", .csv)
    expectEqual(report.problems, [])
    expectEqual(report.embedded, ["Box": 2])
    try await expectEqual(file.value("box", of: 3), .null)
    try await expectEqual(file.identities("Box").count, 2)
  }

  @Test func `Those of an object with the same key take the place of its own`() async throws {
    _ = try await run(object)
    let report = try await run(
      "{\"key\":2,\"box\":{\"label\":\"New\"},\"boxes\":[],\"drawers\":{\"z\":{\"label\":\"Z\"}}}"
    ) { $0.updates = true }
    expectEqual(report.problems, [])
    expectEqual(report.embedded, ["Box": 2])
    try await expectEqual(file.value("box", of: 2)?["object"]?["values"]?.array?[0], "New")
    try await expectEqual(file.identities("Box").count, 2)
    try await expectEqual(file.identities("Lid"), [])
    try await expectEqual(file.elements("drawers", of: 2).map { $0["key"] }, ["z"])
    try expectTrue(file.problems().isEmpty)
    _ = try await file.editor.undo()
    try await expectEqual(file.identities("Box").count, 4)
  }

  @Test(arguments: [
    ("{\"key\":2,\"box\":1}", "'1' isn't a JSON object, which 'Box' is read from."),
    ("{\"key\":2,\"box\":{\"lable\":\"\"}}", "'Box' has no property 'lable'."),
    ("{\"key\":2,\"box\":{\"label\":5}}", "'label': '5' is no String."),
    (
      "{\"key\":2,\"box\":{\"lid\":{\"colour\":true}}}",
      "'lid': 'colour': 'true' is no String."
    ),
    (
      "{\"key\":2,\"box\":{\"owner\":99}}",
      "'owner': There is no Item with the key '99'."
    ),
    ("{\"key\":2,\"boxes\":[null]}", "It can't be nil."),
    ("{\"key\":2,\"friends\":[null]}", "It can't be nil."),
    ("{\"key\":2,\"peers\":[null]}", "It can't be nil."),
  ])
  func `A mistake in one leaves out its row`(text: String, message: String) async throws {
    let report = try await run(text)
    expectEqual(report.ready, 0)
    expectEqual(report.embedded, [:])
    expectEqual(report.problems.map(\.message), [message])
    try await expectEqual(file.identities("Box"), [])
  }

  @Test(arguments: ObjectFormat.allCases)
  func `What was exported is imported as it was`(format: ObjectFormat) async throws {
    _ = try await run(object)
    func export(_ file: EditingFile) async throws -> String {
      try await file.reader.read { db, schema in
        var text = ""
        try Exporter(Question("Item"), format, columns: ["key", "box", "boxes", "drawers"])
          .write(db, schema) { text += $0 }
        return text
      }
    }
    let text = try await export(file)
    expectTrue(text.contains("colour"))
    let empty = try EditingFile { _ in }
    let report = try await empty.editor.importFile(
      .bytes(Array(text.utf8)), ImportWish("Item", format))
    expectEqual(report.problems, [])
    expectEqual(report.embedded, ["Box": 4, "Lid": 1])
    try await expectEqual(export(empty), text)
    try expectTrue(empty.problems().isEmpty)
  }
}
