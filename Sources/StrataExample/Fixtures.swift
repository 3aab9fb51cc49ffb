import Foundation

/// The files that older versions of a program wrote. They are never written again: a new version of
/// the library must migrate them like a user's files.
struct Fixtures {
  /// The prefix of the file names.
  let program: String
  /// The version of the first file.
  var first = 0
  /// A closure for each version, which writes a file and returns its description.
  let writers: [(_ file: URL) throws -> String]

  static var addressBook: Fixtures {
    Fixtures(
      program: "AddressBook",
      writers: versions.enumerated().map { version, book in
        { file in
          let isNewest = version == versions.count - 1
          try book.write(isNewest ? People.resolved : People.typed, to: file)
          return "\(try book.describe(file).count) people"
        }
      })
  }

  static var petOwners: Fixtures {
    Fixtures(
      program: "PetOwners",
      writers: petOwnersVersions.map { owners in
        { file in
          try owners.write(to: file)
          return "\(CardIndex.cards.count) people"
        }
      })
  }

  /// A file with everything that a release records for older ones.
  static var orders: Fixtures {
    Fixtures(
      program: "Orders", first: 3,
      writers: [
        { file in
          try OrderRelease3.write(to: file)
          return "3 purchases"
        }
      ])
  }

  /// The name of the file at a position.
  func name(_ position: Int) -> String { "\(program)-v\(first + position).sqlite" }

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
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (position, write) in writers.enumerated() {
      let name = name(position)
      let file = folder.appendingPathComponent(name)
      guard !FileManager.default.fileExists(atPath: file.path) else {
        throw Failure("\(name) is there already. Fixtures are frozen: use another folder.")
      }
      let content = try write(file)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let left = files.filter { $0.hasPrefix(name + "-") }
      guard left.isEmpty else { throw Failure("The file was not closed: \(left) are left.") }
      print("\(name): \(content)")
    }
  }

  /// Runs a closure with copies of all files, in a folder that is removed afterwards.
  func withCopies<Result>(_ body: (_ files: [URL]) throws -> Result) throws -> Result {
    let files = FileManager.default
    let source = try Self.folder()
    let copies = files.temporaryDirectory.appendingPathComponent("StrataExample-\(UUID())")
    try files.createDirectory(at: copies, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: copies) }
    let urls = try writers.indices.map { position in
      let name = name(position)
      let fixture = source.appendingPathComponent(name)
      guard files.fileExists(atPath: fixture.path) else {
        throw Failure("'\(name)' is missing in the folder 'Fixtures'.")
      }
      let copy = copies.appendingPathComponent(name)
      try files.copyItem(at: fixture, to: copy)
      return copy
    }
    return try body(urls)
  }
}

/// The reason why the example stops.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
