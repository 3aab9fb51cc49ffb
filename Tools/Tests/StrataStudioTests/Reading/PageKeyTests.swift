import Foundation
import StrataQuery
import StrataSchema
import TestKit
import Testing

@testable import StrataStudio

/// The key of a page, which the page sends back.
@Suite struct PageKeyTests {
  private let question = Question(
    "Person", where: "age > 3",
    sort: [.init("age", ascending: false), .init("name", ascending: true)])

  private static let values: [[StoredValue]] = [
    [], [.null, .integer(.min), .integer(.max), .integer(0)],
    [.real(0.1), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude), .real(1)],
    [.text(""), .text("ü\u{0}\"\\🐕"), .text("12"), .text("null")],
    [.blob([]), .blob([0, 255, 128]), .blob(Array(0...255))],
  ]

  private func key(_ values: [StoredValue], _ identity: Int64, position: Int = 3) -> PageKey {
    PageKey(QueryPage.Key(values: values, identity: identity), position: position)
  }

  @Test(arguments: values)
  func `Values are the same when they come back`(values: [StoredValue]) throws {
    for identity in [1, Int64.max, -5] {
      let key = key(values, identity)
      let text = key.text(of: question)
      expectTrue(text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
      let read = try PageKey(text, of: question)
      expectEqual(read, key)
      // Equal numbers may be different ones: 0 and -0, 1 and 1.0.
      expectEqual("\(read)", "\(key)")
    }
  }

  @Test func `A row with long values is found by its identity`() throws {
    let long = key([.integer(1), .text(String(repeating: "a", count: 100_000))], 7)
    expectNil(long.values)
    expectTrue(long.text(of: question).utf8.count < 200)
    try expectEqual(PageKey(long.text(of: question), of: question), long)
    let shorter = key([.text(String(repeating: "a", count: 1400))], 7)
    expectTrue(shorter.values != nil)
    try expectEqual(PageKey(shorter.text(of: question), of: question), shorter)
  }

  @Test func `A key of another question is refused`() throws {
    let text = key([], 7).text(of: question)
    for other in [
      Question("Dog", where: "age > 3", sort: question.sort),
      Question("Person", where: "age > 4", sort: question.sort),
      Question("Person", where: "age > 3", sort: question.sort.reversed()),
      Question("Person", where: "age > 3"), Question("Personage > 3", sort: question.sort),
    ] {
      #expect(throws: RequestFailure.otherKey) { try PageKey(text, of: other) }
    }
  }

  @Test func `What is no key is refused`() throws {
    let right = key([], 7).text(of: question)
    let data = try #require(
      Data(base64Encoded: right + String(repeating: "=", count: (4 - right.utf8.count % 4) % 4)))
    let json = String(decoding: data, as: UTF8.self).dropLast(",\"values\":[]}".count) + "}"
    func encoded(_ text: some StringProtocol) -> String {
      Data(text.utf8).base64EncodedString()
    }
    try expectEqual(PageKey(encoded(json), of: question).identity, 7)
    for wrong in [
      "", "a", "{}", "%%%", right + "x", String(right.dropFirst()), encoded("[]"), encoded("{}"),
      encoded(json.replacingOccurrences(of: "\"7\"", with: "\"x\"")),
      encoded(json.replacingOccurrences(of: "\"position\":3", with: "\"position\":-1")),
      encoded(json.dropLast() + #","values":1}"#), encoded(json.dropLast() + #","values":[1]}"#),
      encoded(json.dropLast() + #","values":[["integer","x"]]}"#),
      encoded(json.dropLast() + #","values":[["real"]]}"#),
      encoded(json.dropLast() + #","values":[["blob","%"]]}"#),
      encoded(json.dropLast() + #","values":[["other","1"]]}"#),
    ] {
      #expect(throws: RequestFailure.otherKey, "\(wrong)") { try PageKey(wrong, of: question) }
    }
  }
}
