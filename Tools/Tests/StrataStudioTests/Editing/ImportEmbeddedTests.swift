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

  private let object = """
    {"key":2,"box":{"label":"A","sizes":[1,2],"lid":{"colour":"red"},"owner":1},\
    "boxes":[{"label":"B"},{"Lid":null}],"drawers":{"x":{"label":"C"},"y":null}}

    """

  @Test func `They are objects inside of objects, with all that is in them`() async throws {
    let report = try await file.importText(object, .ndjson)
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

  @Test func `CSV has them as JSON in a cell`() async throws {
    let report = try await file.importText(
      "key,box,boxes\n2,\"{\"\"label\"\":\"\"A\"\"}\",\"[{\"\"sizes\"\":[3]}]\"\n3,,\n")
    expectEqual(report.problems, [])
    expectEqual(report.embedded, ["Box": 2])
    try await expectEqual(file.value("box", of: 3), .null)
    try await expectEqual(file.identities("Box").count, 2)
  }

  @Test func `Those of an object with the same key take the place of its own`() async throws {
    _ = try await file.importText(object, .ndjson)
    let report = try await file.importText(
      "{\"key\":2,\"box\":{\"label\":\"New\"},\"boxes\":[],\"drawers\":{\"z\":{\"label\":\"Z\"}}}",
      .ndjson
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
    let report = try await file.importText(text, .ndjson)
    expectEqual(report.ready, 0)
    expectEqual(report.embedded, [:])
    expectEqual(report.problems.map(\.message), [message])
    try await expectEqual(file.identities("Box"), [])
    await expectEqual(file.editor.state, FileEditor.State())
  }
}
