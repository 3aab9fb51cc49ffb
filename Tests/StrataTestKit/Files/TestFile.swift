package import Foundation
package import Strata
import TestKit
package import Testing

/// The database file of one test, in a folder of its own that is removed when the test is over: see
/// ``TestFolder``.
package final class TestFile: Sendable {
  // The folder doesn't change after the initialiser.
  nonisolated(unsafe) private let owned: TestFolder

  package init(isDamaged: Bool = false) throws {
    owned = try TestFolder()
    owned.isDamaged = isDamaged
  }

  /// The file of the test that started this process: that test checks and removes it, however this
  /// process ends.
  package init(ofParent folder: String) {
    owned = TestFolder(ofParent: folder)
  }

  package var folder: URL { owned.url }
  package var url: URL { owned.file }

  /// The schema version of the file.
  package var version: UInt64 {
    get throws { try schemaVersionAtURL(url) }
  }

  package func configuration(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    owned.configuration(types, version: version, block)
  }

  /// Opens the file, runs a closure, and closes it.
  @discardableResult
  package func open<Result>(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Result
  ) throws -> Result {
    try owned.open(types, version: version, block, body)
  }

  /// Creates the file, or opens one that is there, writes in one transaction, and closes it.
  package func write(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Void
  ) throws {
    try owned.write(types, version: version, block, body)
  }

  /// Opens the file at a version, with a block or without one, and closes it.
  package func migrate(
    _ types: [ObjectBase.Type], to version: UInt64, _ block: MigrationBlock? = nil
  ) throws {
    _ = try Realm(configuration: configuration(types, version: version, block))
  }

  /// Works on the file as another program would.
  package func execute(_ sql: String) throws { try owned.execute(sql) }

  /// The definitions and rows of everything in the file, as text.
  package func dump() throws -> String { try owned.dump() }

  /// Expects that opening fails, and gives the error.
  package func failure(
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
  package func peek<Value: Sendable>(
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
  package func storedSchema() throws -> Schema {
    try peek { $0.oldSchema }
  }

  /// The values of a property in the order in which objects were added, as text.
  package func values(_ className: String, _ property: String) throws -> [String] {
    try peek { migration in
      var values: [String] = []
      migration.enumerateObjects(ofType: className) { old, _ in
        values.append(old?[property].map { "\($0)" } ?? "nil")
      }
      return values
    }
  }

  /// The same, with objects by their names, and collections by their elements.
  package func shown(_ className: String, _ property: String) throws -> [String] {
    try peek { migration in
      var values: [String] = []
      migration.enumerateObjects(ofType: className) { old, _ in
        values.append(StrataTestKit.shown(old?[property]))
      }
      return values
    }
  }
}

/// Records an issue where a body doesn't throw an error of the library with a message, parts of it,
/// or a code.
package func expectError<Value>(
  _ message: String? = nil, containing part: String? = nil, beginning start: String? = nil,
  ending end: String? = nil, code: Realm.Error.Code? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
  let thrown = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation, performing: body)
  guard let thrown else { return }
  let text = thrown.message
  expectEqual(text, message ?? text, sourceLocation: sourceLocation)
  expectTrue(text.contains(part ?? text), "\(text)", sourceLocation: sourceLocation)
  expectTrue(text.hasSuffix(end ?? text), "\(text)", sourceLocation: sourceLocation)
  expectTrue(text.hasPrefix(start ?? text), "\(text)", sourceLocation: sourceLocation)
  expectEqual(thrown.code, code ?? thrown.code, sourceLocation: sourceLocation)
}
