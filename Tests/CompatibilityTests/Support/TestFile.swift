import Foundation
import Strata
import Testing

/// The database file of one test, in a folder of its own that is removed when the test is over.
///
/// Then SQLite must find nothing wrong with it, and no row may refer to one that is not there.
final class TestFile: Sendable {
  let folder: URL
  /// Whether the test damages the file on purpose.
  private let isDamaged: Bool
  /// Whether this object removes the folder.
  private let isOwner: Bool

  init(isDamaged: Bool = false) throws {
    self.isDamaged = isDamaged
    isOwner = true
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-compatibility-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The file of the test that started this process: that test checks and removes it, however this
  /// process ends.
  init(ofParent folder: String) {
    isDamaged = false
    isOwner = false
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
  }

  deinit {
    guard isOwner else { return }
    do {
      if !isDamaged {
        for problem in try FileCheck.problems(in: folder) { Issue.record("\(problem)") }
      }
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("The folder of the test can't be checked and removed: \(error)")
    }
  }

  var url: URL { folder.appendingPathComponent("test.sqlite", isDirectory: false) }

  /// The schema version of the file.
  var version: UInt64 {
    get throws { try schemaVersionAtURL(url) }
  }

  func configuration(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url, schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  /// Opens the file, runs a closure, and closes it.
  @discardableResult
  func open<Result>(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Result
  ) throws -> Result {
    try body(Realm(configuration: configuration(types, version: version, block)))
  }

  /// Creates the file, or opens one that is there, and adds objects.
  func fill(_ types: [ObjectBase.Type], version: UInt64 = 0, _ add: (Realm) -> Void) throws {
    try open(types, version: version) { realm in try realm.write { add(realm) } }
  }

  /// Opens the file at a version, with a block or without one, and closes it.
  func migrate(
    _ types: [ObjectBase.Type], to version: UInt64, _ block: MigrationBlock? = nil
  ) throws {
    _ = try Realm(configuration: configuration(types, version: version, block))
  }

  /// Expects that opening fails, and gives the error.
  func failure(
    _ types: [ObjectBase.Type], to version: UInt64,
    sourceLocation: SourceLocation = #_sourceLocation, _ block: MigrationBlock? = nil
  ) throws -> Realm.Error {
    try #require(throws: Realm.Error.self, sourceLocation: sourceLocation) {
      try migrate(types, to: version, block)
    }
  }
}

extension TestFile {
  private struct Seen: Error {}

  /// Looks into the file as it is, without classes for anything in it, and leaves it so: a
  /// migration to the next version sees everything, and is then given up.
  func peek<Value: Sendable>(
    _ body: @escaping @Sendable (Migration) throws -> Value
  ) throws -> Value {
    let result = Box<Value?>(nil)
    do {
      try migrate([], to: version + 1) { migration, _ in
        result.value = try body(migration)
        throw Seen()
      }
    } catch is Seen {}
    return try #require(result.value)
  }

  /// The schema that the file itself has.
  func storedSchema() throws -> Schema {
    try peek { $0.oldSchema }
  }

  /// The values of a property in the order in which objects were added, as text.
  func values(_ className: String, _ property: String) throws -> [String] {
    try peek { migration in
      var values: [String] = []
      migration.enumerateObjects(ofType: className) { old, _ in
        values.append(old?[property].map { "\($0)" } ?? "nil")
      }
      return values
    }
  }

  /// The same, with objects by their names, and collections by their elements.
  func shown(_ className: String, _ property: String) throws -> [String] {
    try peek { migration in
      var values: [String] = []
      migration.enumerateObjects(ofType: className) { old, _ in
        values.append(CompatibilityTests.shown(old?[property]))
      }
      return values
    }
  }
}
