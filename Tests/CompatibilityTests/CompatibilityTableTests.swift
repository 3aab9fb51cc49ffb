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
    var code = Data()
    for file in files where file.hasSuffix(".swift") {
      try code.append(Data(contentsOf: tests.appendingPathComponent(file)))
    }
    // Searches in its bytes are faster than those in five megabytes of text.
    func has(_ text: String) -> Bool { code.range(of: Data(text.utf8)) != nil }
    let names = table.matches(of: /`(?:FourWays\/)?(\w+Tests)\/([^`\/]+)`/)
    #expect(names.count > 200)
    for name in names {
      let hasSuite = has("struct \(name.1)")
      let hasTest = has("func `\(name.2)`(") || has("func \(name.2)(")
      #expect(hasSuite && hasTest, "\(name.0)")
    }
  }
}
