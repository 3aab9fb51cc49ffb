import Foundation
import Strata
import StrataTestKit
import Testing

/// Realms that are released while they write.
@Suite struct ReleasedRealmTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  /// Begins to write, and lets go of the realm.
  private func begin() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      realm.add(Observed.person(1))
    }
  }

  @Test func `The file of a realm that was released while it wrote can be deleted`() throws {
    try begin()
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
  }

  @Test func `The file of a realm that was released while it wrote is closed`() async throws {
    try begin()
    try await Realm.close(configuration, within: .seconds(600))
    #expect(try Realm(configuration: configuration).objects(Observed.Person.self).isEmpty)
  }

  @Test func `A realm that is kept while it writes keeps its file`() throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    realm.add(Observed.person(1))
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
    try realm.commitWrite()
    #expect(realm.objects(Observed.Person.self).count == 1)
  }
}
