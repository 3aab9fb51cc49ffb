import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Active versions: they can be listed, limited, and released.
@Suite struct ActiveVersionsTests {
  private let folder: TestFolder
  private var configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  private func commit(_ realm: Realm) throws {
    try realm.write { realm.create(Observed.Dog.self, value: ["name": "Rex"]) }
  }

  @Test func `It is known where a version was frozen, and how much was written since`() throws {
    let realm = try Realm(configuration: configuration)
    try commit(realm)
    expectTrue(realm.activeVersions.isEmpty)
    let start = Date()
    let first = realm.freeze()
    let line = #line - 1
    let dog = realm.objects(Observed.Dog.self)[0].freeze()
    try commit(realm)
    realm.autorefresh = false
    let versions = realm.activeVersions
    expectEqual(versions.count, 2)
    let file = "\(#fileID)"
    expectEqual(
      versions[0].keepers, ["frozen at \(file):\(line)", "frozen at \(file):\(line + 2)"])
    expectTrue(versions[0].version < versions[1].version)
    expectTrue(versions[0].walBytes >= 4_096)
    expectTrue(abs(versions[0].since.timeIntervalSince(start)) < 10)
    expectEqual(versions[1].walBytes, 0)
    expectEqual(versions[1].keepers.count, 1)
    expectTrue(versions[0].description.contains("frozen at \(file):\(line)"))
    withExtendedLifetime((first, dog)) {}
    realm.autorefresh = true
  }

  @Test func `What is released is active no longer`() throws {
    let realm = try Realm(configuration: configuration)
    try commit(realm)
    do {
      let frozen = realm.objects(Observed.Dog.self).freeze()
      expectEqual(realm.activeVersions.count, 1)
      expectEqual(frozen.count, 1)
    }
    expectTrue(realm.activeVersions.isEmpty)
  }

  @Test func `Beyond the limit nothing is written`() throws {
    var configuration = configuration
    configuration.maximumNumberOfActiveVersions = 2
    let realm = try Realm(configuration: configuration)
    var frozen: [Realm] = []
    for _ in 0..<3 {
      try commit(realm)
      frozen.append(realm.freeze())
    }
    let error = #expect(throws: Realm.Error.self) { try commit(realm) }
    expectEqual(
      error?.message.hasPrefix(
        "Number of active versions (3) in the Realm exceeded the limit of 2. The oldest are kept by "
          + "version "), true)
    expectEqual(error?.message.contains("frozen at \(#fileID):"), true)
    expectFalse(realm.isInWriteTransaction)
    frozen.removeFirst()
    try commit(realm)
    expectEqual(realm.objects(Observed.Dog.self).count, 4)
  }

  @Test func `Invalidating lets go of everything that was read`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let ada = Observed.person(1, "Ada")
      ada.dogs.append(Observed.Dog(value: ["name": "Rex"]))
      ada.numbers.append(1)
      realm.add(ada)
    }
    realm.autorefresh = false
    let people = realm.objects(Observed.Person.self)
    let ada = try #require(people.first)
    let (dogs, numbers, dog) = (ada.dogs, ada.numbers, ada.dogs[0])
    let other = try #require(realm.objects(Observed.Person.self).first)
    expectEqual(realm.activeVersions.count, 1)
    realm.invalidate()
    expectTrue(realm.activeVersions.isEmpty)
    expectTrue(ada.isInvalidated && dog.isInvalidated && other.isInvalidated)
    expectTrue(people.isInvalidated && people.isEmpty && people.map(\.id).isEmpty)
    expectTrue(people.first == nil && people.count == 0)
    expectTrue(dogs.isInvalidated && dogs.count == 0 && dogs.map(\.name).isEmpty)
    expectTrue(numbers.isInvalidated && numbers.first == nil)
    expectEqual(other.dogs.count, 0)
    expectEqual(dog.owners.count, 0)
    // The realm goes on.
    let now = try #require(realm.objects(Observed.Person.self).first)
    expectTrue(now.name == "Ada" && now.dogs.count == 1)
    expectEqual(realm.activeVersions.count, 1)
    realm.autorefresh = true
    #expect(throws: Realm.Error.self) { try realm.write { ada.name = "Eve" } }
    #expect(throws: Realm.Error.self) { try realm.write { realm.delete(ada) } }
    #expect(throws: Realm.Error.self) { try realm.write { numbers.append(2) } }
    expectEqual(realm.objects(Observed.Person.self).count, 1)
    expectEqual(now.name, "Ada")
  }

  @Test func `Invalidating takes a transaction back`() throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let dog = realm.create(Observed.Dog.self, value: ["name": "Rex"])
    realm.invalidate()
    expectTrue(!realm.isInWriteTransaction && dog.isInvalidated && realm.isEmpty)
    try commit(realm)
    expectEqual(realm.objects(Observed.Dog.self).count, 1)
  }

  @Test func `Observers go on after their realm was invalidated`() throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "test.invalidating")
    let heard = Heard<Change>()
    let realm = try Realm(configuration: configuration)
    let token = realm.objects(Observed.Dog.self).observe(on: queue) { heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(0)])
    try commit(realm)
    expectEqual(heard.wait(for: 2).last, .update(1, [], [0], []))
    try queue.sync { try Realm(configuration: configuration).invalidate() }
    try commit(realm)
    expectEqual(heard.wait(for: 3).last, .update(2, [], [1], []))
    token.invalidate()
  }

  @Test func `Objects of an invalidated realm are used in a transaction of another one`()
    async throws
  {
    let keeper = Keeper(try await Realm.open(configuration: configuration))
    try await expectEqual(keeper.writesThroughTask(configuration), ["Max"])
  }

  /// An actor with a realm of its own, whose tasks have others.
  private actor Keeper {
    private let realm: Realm

    init(_ realm: sending Realm) {
      self.realm = realm
    }

    func writesThroughTask(_ configuration: Realm.Configuration) throws -> [String] {
      let other = try Realm(configuration: configuration)
      try other.write { _ = other.create(Observed.Dog.self, value: ["name": "Rex"]) }
      other.invalidate()
      let dog = other.objects(Observed.Dog.self)[0]
      try realm.write { dog.name = "Max" }
      return realm.objects(Observed.Dog.self).map(\.name)
    }
  }

  @Test func `A frozen realm isn't invalidated`() throws {
    let realm = try Realm(configuration: configuration)
    try commit(realm)
    let frozen = realm.freeze()
    let dog = frozen.objects(Observed.Dog.self)[0]
    expectIssue("A frozen Realm can't be invalidated") { frozen.invalidate() }
    realm.invalidate()
    expectTrue(!dog.isInvalidated && dog.name == "Rex")
  }
}
