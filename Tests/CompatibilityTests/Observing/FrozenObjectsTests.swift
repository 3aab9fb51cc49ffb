import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Employee = Offices.Employee

/// Freezing and thawing of objects, as in RealmSwift.
@Suite struct FrozenObjectsTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Offices.types)
    realm = try Realm(configuration: configuration)
  }

  private func employee() throws -> Employee {
    try realm.write { realm.create(Employee.self, value: ["name": "Ann"]) }
  }

  @Test func `Only the copy is frozen, and thawed it is the object`() throws {
    let ann = Offices.employee("Ann")
    expectFalse(ann.isFrozen)
    try realm.write { realm.add(ann) }
    expectFalse(ann.isFrozen)
    let frozen = ann.freeze()
    expectTrue(!ann.isFrozen && frozen.isFrozen)
    expectTrue(realm.freeze(ann).isFrozen)
    try realm.write { ann.name = "Bob" }
    expectTrue(frozen.name == "Ann" && realm.thaw(frozen)?.name == "Bob")
    expectTrue(ann.thaw() === ann && frozen.thaw()?.isFrozen == false)
  }

  @Test func `Thawed in a realm that keeps a version, it has that version`() throws {
    let frozen = try employee().freeze()
    realm.autorefresh = false
    let thawed = try #require(frozen.thaw())
    let reference = ThreadSafeReference(to: thawed)
    try inThread(configuration) { realm in
      let ann = try #require(realm.resolve(reference))
      try realm.write { ann.name = "Bob" }
    }
    expectTrue(frozen.thaw()?.name == "Ann" && thawed.name == "Ann")
    realm.refresh()
    expectTrue(frozen.thaw()?.name == "Bob" && thawed.name == "Bob")
  }

  @Test func `A frozen realm is thawed, and a live one is itself`() throws {
    _ = try employee()
    let frozen = realm.freeze()
    expectTrue(frozen.isFrozen && frozen.freeze() == frozen)
    let thawed = frozen.thaw()
    expectTrue(!thawed.isFrozen && thawed == realm && realm.thaw() == realm)
    try thawed.write { _ = thawed.create(Employee.self) }
    expectEqual(realm.objects(Employee.self).count, 2)
    expectEqual(frozen.objects(Employee.self).count, 1)
  }
}
