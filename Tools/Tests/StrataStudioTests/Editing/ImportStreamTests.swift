import Foundation
import TestKit
import Testing

@testable import StrataStudio

/// Files that are read in pieces: the result doesn't depend on the ends of pieces.
@Suite struct ImportStreamTests {
  private let folder = FileManager.default.temporaryDirectory

  private func rows(
    _ input: ImportInput, _ format: ObjectFormat? = nil
  ) throws -> (format: ObjectFormat, columns: [String], rows: [String]) {
    var reader = try ImportReader(input, ImportWish("Item", format), ImportedKeys()) { _ in true }
    var rows: [String] = []
    while let row = try reader.next() { rows.append("\(row.line) \(row.cells)") }
    return (reader.format, reader.columns, rows)
  }

  /// Each piece ends somewhere else.
  @Test(arguments: [65_533, 65_534, 65_535, 65_536, 65_537, 131_071])
  func `A piece may end anywhere`(length: Int) throws {
    let filler = String(repeating: "x", count: length)
    let texts: [(String, ObjectFormat, Int)] = [
      ("\u{FEFF}a,b\r\n\(filler),\"ü\"\"\r\n1\"\r\n2,3\r\n", .csv, 2),
      ("\u{FEFF}[{\"a\":\"\(filler)\",\"b\":\"ü\\\"],\"}, {\"b\":[[],{}]}]\n", .json, 2),
      ("{\"a\":\"\(filler)\"}\r\n\n{\"b\":\"ü\"}", .ndjson, 2),
    ]
    for (text, format, count) in texts {
      let path = folder.appendingPathComponent(UUID().uuidString).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      defer { unlink(path) }
      let whole = try rows(.bytes(Array(text.utf8)))
      let pieces = try rows(.file(path: path))
      expectEqual(whole.format, format)
      expectEqual(whole.rows.count, count)
      expectTrue(pieces == whole)
      expectEqual(pieces.columns, ["a", "b"])
    }
  }

  @Test(arguments: [
    ("[]", 0), (" [ ] ", 0), ("[{}]", 1), ("[{\"a\":\"]\"},{\"a\":\"\\\\\"}]", 2),
  ])
  func `An array has its elements`(text: String, count: Int) throws {
    try expectEqual(rows(.bytes(Array(text.utf8)), .json).rows.count, count)
  }

  @Test(arguments: [
    ("", "byte 0 should be a value"), ("[", "byte 1 should be a value"),
    ("[{}", "byte 3 should be ',' or ']'"), ("[{},]", "byte 4 should be a value"),
    ("[,{}]", "byte 1 should be a value"), ("[{}]x", "byte 4 should be the end"),
    ("[{}] []", "byte 5 should be the end"), ("[{\"a\":1 2}]", "byte 8 should be ',' or '}'"),
    ("[{} {}]", "byte 4 should be the end"), ("[{\"a\":[1,2}]", "byte 10 should be ',' or ']'"),
    ("[},{}]", "byte 1 should be a value"), ("[{}},{}]", "byte 3 should be the end"),
    ("name", "byte 0 should be a value"),
  ])
  func `What is no array of JSON is refused at its byte`(text: String, problem: String) throws {
    let failure = #expect(throws: RequestFailure.self) {
      try rows(.bytes(Array(text.utf8)), .json)
    }
    expectEqual(failure?.message, "The file is no JSON: \(problem). Repair it.")
  }

  @Test func `A file that can't be read is said`() throws {
    for path in ["/nowhere/a.csv", folder.path] {
      let failure = #expect(throws: RequestFailure.self) { try rows(.file(path: path)) }
      expectEqual(failure?.code, "input")
    }
  }
}
