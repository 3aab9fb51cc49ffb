import Foundation
import Testing

/// README.md names the test for each of Realm's.
@Suite struct CompatibilityTableTests {
  @Test func `Each test that the table names exists`() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let tests = package.appendingPathComponent("Tests")
    let table = try String(
      contentsOf: tests.appendingPathComponent("CompatibilityTests/README.md"), encoding: .utf8)
    let files = try #require(FileManager.default.subpaths(atPath: tests.path))
    let code = try files.filter { $0.hasSuffix(".swift") }.map { file in
      try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
    }
    .joined()
    let names = table.matches(of: /`(?:FourWays\/)?(\w+Tests)\/([^`\/]+)`/)
    #expect(names.count > 200)
    for name in names {
      let hasSuite = code.contains("struct \(name.1)")
      let hasTest = code.contains("func `\(name.2)`(") || code.contains("func \(name.2)(")
      #expect(hasSuite && hasTest, "\(name.0)")
    }
  }
}
