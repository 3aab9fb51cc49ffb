import Foundation

/// The files that older versions of the program left behind. They are never written again: what a
/// new version of the library makes of them is what a user's files go through.
enum Fixtures {
  static func name(_ version: Int) -> String { "AddressBook-v\(version).sqlite" }

  /// The folder `Fixtures` of the package that this source file belongs to.
  static func folder(sourceFile: String = #filePath) throws -> URL {
    let source = URL(fileURLWithPath: sourceFile)
    for start in [source, source.resolvingSymlinksInPath()] {
      var folder = start.deletingLastPathComponent()
      while folder.path != "/" {
        let fixtures = folder.appendingPathComponent("Fixtures", isDirectory: true)
        if FileManager.default.fileExists(atPath: fixtures.path) { return fixtures }
        folder.deleteLastPathComponent()
      }
    }
    throw Failure("There is no folder 'Fixtures' beside 'Sources' or above it.")
  }

  /// Writes one file for each version, with the classes of that version.
  static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (version, book) in versions.enumerated() {
      let file = folder.appendingPathComponent(name(version))
      guard !FileManager.default.fileExists(atPath: file.path) else {
        throw Failure("\(name(version)) is there already. Fixtures are frozen: use another folder.")
      }
      let isNewest = version == versions.count - 1
      try book.write(isNewest ? People.resolved : People.typed, to: file)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let left = files.filter { $0.hasPrefix(name(version) + "-") }
      guard left.isEmpty else { throw Failure("The file was not closed: \(left) are left.") }
      print("\(name(version)): \(try book.describe(file).count) people")
    }
  }

  /// Runs a closure with copies of all fixtures, in a folder that is removed afterwards.
  static func withCopies<Result>(_ body: (_ files: [URL]) throws -> Result) throws -> Result {
    let files = FileManager.default
    let source = try folder()
    let copies = files.temporaryDirectory.appendingPathComponent("StrataExample-\(UUID())")
    try files.createDirectory(at: copies, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: copies) }
    let urls = try versions.indices.map { version in
      let fixture = source.appendingPathComponent(name(version))
      guard files.fileExists(atPath: fixture.path) else {
        throw Failure("'\(name(version))' is missing in the folder 'Fixtures'.")
      }
      let copy = copies.appendingPathComponent(name(version))
      try files.copyItem(at: fixture, to: copy)
      return copy
    }
    return try body(urls)
  }
}

/// Why the example stops.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
