import Foundation
import TestKit
import Testing

/// The table in README.md that names the test for each of Realm's tests.
@Suite struct CompatibilityTableTests {
  @Test func `Each test that the table names exists`() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let tests = package.appendingPathComponent("Tests")
    let table = try String(
      contentsOf: tests.appendingPathComponent("CompatibilityTests/README.md"), encoding: .utf8)
    let files = try #require(FileManager.default.subpaths(atPath: tests.path))
    var (suites, functions): (Set<Substring>, Set<Substring>) = ([], [])
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
      for part in text.components(separatedBy: "struct ").dropFirst() {
        suites.insert(part.prefix { $0.isLetter || $0.isNumber })
      }
      for part in text.components(separatedBy: "func ").dropFirst() {
        functions.insert(
          part.first == "`" ? part.dropFirst().prefix { $0 != "`" } : part.prefix { $0 != "(" })
      }
    }
    let names = table.matches(of: /`(?:FourWays\/)?(\w+Tests)\/([^`\/]+)`/)
    expectTrue(names.count > 200)
    for name in names {
      expectTrue(suites.contains(name.1) && functions.contains(name.2), "\(name.0)")
    }
  }
}
