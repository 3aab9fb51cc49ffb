import Foundation
import StrataRealmFile
import TestKit
import Testing

/// A file with some bytes, removed when the test is over.
final class TemporaryFile {
  private let folder: ScratchFolder
  let url: URL

  init(_ bytes: [UInt8]) throws {
    folder = try ScratchFolder()
    url = folder.url.appendingPathComponent("test.realm")
    try Data(bytes).write(to: url)
  }

  /// Replaces bytes in place, as another program would.
  func write(_ bytes: [UInt8], at offset: UInt64) throws {
    let handle = try FileHandle(forUpdating: url)
    defer { handle.closeFile() }
    handle.seek(toFileOffset: offset)
    handle.write(Data(bytes))
  }
}

/// The error that a closure throws.
func expectError(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> RealmFileError? {
  do {
    try body()
    Issue.record("An error should be thrown", sourceLocation: sourceLocation)
  } catch let error as RealmFileError {
    return error
  } catch {
    Issue.record("Another error is thrown: \(error)", sourceLocation: sourceLocation)
  }
  return nil
}
