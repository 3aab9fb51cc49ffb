import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private final class Old: Object {
  @Persisted var number = 0
}

private final class Renamed: Object {
  @Persisted var number = 0

  override class func className() -> String { "Old one" }
}

/// Tables named `OLD`, which are refused: triggers and foreign keys use this name for the old row.
@Suite struct ClassCalledOldTests {
  @Test func `A class called Old is refused before there is a file`() throws {
    let folder = try TestFolder()
    expectError(containing: "Type name 'Old' is reserved.") { try folder.open([Old.self]) { _ in } }
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
  }

  @Test func `A class called Old with another name for its table is allowed`() throws {
    let folder = try TestFolder()
    try folder.open([Renamed.self]) { realm in
      try realm.write { realm.create(Renamed.self, value: ["number": 1]) }
      expectEqual(realm.objects(Renamed.self).map(\.number), [1])
    }
  }
}
