import Foundation
import TestKit
import Testing

/// Checks of the page's sources for mistakes that a browser would report too late.
@Suite struct SourceTests {
  /// The folder of the package.
  static let package: URL = {
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    while folder.lastPathComponent != "Tests" { folder.deleteLastPathComponent() }
    return folder.deletingLastPathComponent()
  }()

  private static let folder = package.appendingPathComponent("Sources/CStudioPage/Page")

  private func files() throws -> [(name: String, text: String)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    expectTrue(names.count > 20)
    return try names.map { name in
      let file = Self.folder.appendingPathComponent(name)
      return (name, try String(contentsOf: file, encoding: .utf8))
    }
  }

  @Test func `Texts become elements nowhere`() throws {
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setHTML", "eval(",
      "new Function", "createContextualFragment", "srcdoc",
    ]
    for (name, text) in try files() {
      for word in forbidden { expectFalse(text.contains(word), "\(name) has '\(word)'") }
    }
  }

  @Test func `Nothing is styled or run inside of the HTML`() throws {
    for (name, text) in try files() where name.hasSuffix(".html") || name.hasSuffix(".svg") {
      expectFalse(text.contains("style="), "\(name)")
      expectFalse(text.contains("<style"), "\(name)")
      try expectNil(#/\son\w+=/#.firstMatch(in: text), "\(name)")
      try expectNil(#/<script(?![^>]*\ssrc=)/#.firstMatch(in: text), "\(name)")
    }
  }

  @Test func `No other host has an address`() throws {
    let names = ["http://www.w3.org/2000/svg"]
    for (name, text) in try files() {
      let addresses = text.matches(of: #/(?:https?:|wss?:)?\/\/[\w.-]+\.\w+[^\s'"`)]*/#)
        .map { String($0.output) }
      let others = addresses.filter { address in
        address.contains(":") && !names.contains(address)
      }
      expectEqual(others, [], "\(name)")
    }
  }

  @Test func `The page is small, and so is each of its files`() throws {
    let files = try files()
    let size = files.map(\.text.utf8.count).reduce(0, +)
    expectTrue(size < 250_000)
    for (name, text) in files {
      expectTrue(
        text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(name)")
    }
  }
}
