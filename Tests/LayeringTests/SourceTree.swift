import Foundation

/// A file of the package.
struct SourceFile {
  /// The path from the root of the package, such as `Sources/Strata/Values/RowSet.swift`.
  let path: String
  let text: String
  let code: SwiftCode
  let lineCount: Int

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = SwiftCode(path.hasSuffix(".swift") ? text : "")
    lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  func isInside(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

  /// Whether the file has one of some texts. The lines of a file without them need no search.
  func hasAny(of texts: [String]) -> Bool {
    text.withCString { text in texts.contains { strstr(text, $0) != nil } }
  }

  /// Whether the file is a source of the library, the tools or the benchmarks.
  var isSource: Bool { SourceTree.sources.contains { isInside($0) } }

  /// `path:line: message`, as compilers write it.
  func violation(_ message: String, line: Int? = nil) -> String {
    path + (line.map { ":\($0)" } ?? "") + ": " + message
  }
}

/// The sources and tests of the package.
struct SourceTree {
  let files: [SourceFile]

  init(_ files: [SourceFile]) { self.files = files }

  /// The folders of the modules. In `Tools` the library's are links, which aren't followed.
  static let sources = ["Sources", "Tools/Sources", "Benchmarks/Sources"]

  static func read() throws -> SourceTree { try cached.get() }

  /// The text of a file beside the sources.
  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root(above: #filePath) + "/" + path, encoding: .utf8)
  }

  private static let cached = Result { try SourceTree(readingAbove: #filePath) }

  private struct NoPackage: Error, CustomStringConvertible {
    let start: String
    var description: String { "no folder above \(start) holds the package 'Strata'" }
  }

  private init(readingAbove file: String) throws {
    let root = try Self.root(above: file)
    let folders =
      Self.sources + ["Tests", "Tools/Tests"]
      + ["Sources", "Tests"].map { "Examples/Server/\($0)" }
    files = try folders.flatMap { top in
      try FileManager.default.subpathsOfDirectory(atPath: root + "/" + top)
        .filter { path in [".swift", ".c", ".h"].contains { path.hasSuffix($0) } }
        .sorted()
        .map { path in
          let text = try String(contentsOfFile: "\(root)/\(top)/\(path)", encoding: .utf8)
          return SourceFile(path: "\(top)/\(path)", text: text)
        }
    }
  }

  private static func root(above file: String) throws -> String {
    var folder = URL(fileURLWithPath: file).resolvingSymlinksInPath()
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      let manifest = folder.appendingPathComponent("Package.swift").path
      if let text = try? String(contentsOfFile: manifest, encoding: .utf8),
        text.contains("name: \"Strata\",")
      {
        return folder.path
      }
    }
    throw NoPackage(start: file)
  }
}
