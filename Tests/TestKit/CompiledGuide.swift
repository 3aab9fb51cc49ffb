import Foundation
package import Testing

/// A page of the documents whose Swift code is quoted from compiled sources.
package struct CompiledGuide {
  private let blocks: [String]
  private let sources: String

  /// - Parameters:
  ///   - page: The name of the page in `docs`.
  ///   - sources: The names of sources beside the test, or paths from there.
  package init(_ page: String, _ sources: String..., test: String = #filePath) throws {
    let folder = URL(fileURLWithPath: test).deletingLastPathComponent()
    let document = folder.appendingPathComponent("../../../docs/\(page)")
    blocks = try String(contentsOf: document, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst().map { rest in
        rest.components(separatedBy: "```")[0]
      }
    self.sources = try sources.map { source in
      Self.words(try String(contentsOf: folder.appendingPathComponent(source), encoding: .utf8))
    }.joined(separator: "\n")
  }

  /// Expects that each block of code is in a source, line breaks aside.
  package func expectCompiled(atLeast count: Int, sourceLocation: SourceLocation = #_sourceLocation)
  {
    expectTrue(blocks.count >= count, sourceLocation: sourceLocation)
    for block in blocks {
      let isCompiled = sources.contains(Self.words(block))
      expectTrue(isCompiled, "\(block)", sourceLocation: sourceLocation)
    }
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
