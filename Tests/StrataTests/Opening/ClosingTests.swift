import Foundation
import InMemoryLogging
import Logging
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The release of the last realm of a file.
struct ClosingTests {
  /// The last holder of the file.
  enum Holder: CaseIterable {
    case realm, kept, frozen, frozenObject, observed
  }

  /// Uses a file, and returns its holder.
  private func use(_ configuration: Realm.Configuration, _ holder: Holder) throws -> Any {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Pets.Dog.self, value: ["name": "Rex"]) }
    let objects = realm.objects(Pets.Dog.self)
    switch holder {
    case .realm: return realm
    case .kept:
      realm.autorefresh = false
      expectEqual(objects.count, 1)
      return realm
    case .frozen: return realm.freeze()
    case .frozenObject: return try #require(objects.first).freeze()
    case .observed: return (realm, objects.observe { _ in })
    }
  }

  // Where something was observed, another thread may be at work for a moment.
  @Test(arguments: Holder.allCases.filter { $0 != .observed })
  func `Nothing is left beside the file`(holder: Holder) throws {
    let folder = try TestFolder()
    var held: Any? = try use(folder.configuration([Pets.Dog.self]), holder)
    expectTrue(held != nil)
    held = nil
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectEqual(names, [folder.file.lastPathComponent])
  }

  @Test(arguments: Holder.allCases)
  func `The WAL of a file that was moved is emptied at once`(holder: Holder) throws {
    let folder = try TestFolder()
    let log = InMemoryLogHandler()
    var configuration = folder.configuration([Pets.Dog.self])
    configuration.logger = Logger(label: "closing") { _ in log }
    var held: Any? = try use(configuration, holder)
    expectTrue(held != nil)
    let moved = folder.url.appendingPathComponent("moved.sqlite")
    try FileManager.default.moveItem(at: folder.file, to: moved)
    held = nil
    expectEqual(log.entries.map { "\($0.message)" }.filter { $0.contains("emptied") }, [])
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: moved, objectTypes: [Pets.Dog.self]))
    expectEqual(realm.objects(Pets.Dog.self).count, 1)
  }
}
