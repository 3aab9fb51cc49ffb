import Foundation
public import Strata

/// Opens a realm in a temporary file, calls a closure, and deletes the file.
///
/// ```swift
/// try withTemporaryRealm(configuration) { realm in
///   try realm.write { realm.add(Person(value: ["name": "Ada"])) }
///   #expect(realm.objects(Person.self).count == 1)
/// }
/// ```
/// Fails if the file is still open afterwards: a realm, an object or results that outlive the
/// closure would keep a program's file open as well. The file of the configuration is not used.
/// - Throws: The errors of `Realm(configuration:)` and of the closure.
@discardableResult
public func withTemporaryRealm<Result>(
  _ configuration: Realm.Configuration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: (Realm) throws -> Result
) throws -> Result {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let folder = try TemporaryFolder()
  let copy = configuration.moved(to: folder.file)
  let result = try body(Realm(configuration: copy))
  if Realm.isOpen(copy) {
    site.report(
      "The realm of the test is still open: a realm, an object, results or a collection that "
        + "outlives the closure keeps it open.")
  }
  return result
}

/// A folder for the files of one test, removed with the last reference.
final class TemporaryFolder {
  let url: URL

  var file: URL { url.appendingPathComponent("test.sqlite") }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      // The test removed the folder, or it stays with the other temporary files of the system.
    }
  }
}
