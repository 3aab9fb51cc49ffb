import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Company = Offices.Company
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

  @Test func `Only the copy is frozen`() throws {
    let ann = Offices.employee("Ann")
    expectFalse(ann.isFrozen)
    try realm.write { realm.add(ann) }
    expectFalse(ann.isFrozen)
    let frozen = ann.freeze()
    expectTrue(!ann.isFrozen && frozen.isFrozen)
    expectTrue(realm.freeze(ann).isFrozen)
  }

  @Test func `What is in no realm is neither frozen nor thawed`() {
    let ann = Offices.employee("Ann")
    expectIssue("Unmanaged objects cannot be frozen.") { expectFalse(ann.freeze().isFrozen) }
    expectIssue("Unmanaged objects cannot be thawed.") { expectNil(ann.thaw()) }
  }

  @Test func `A frozen object isn't changed`() throws {
    let frozen = try employee().freeze()
    expectIssue(
      "Attempting to modify a frozen object - call thaw on the Object instance first."
    ) {
      frozen.name = "Bob"
    }
    expectEqual(frozen.name, "Ann")
  }

  @Test func `Frozen objects of one version are equal`() throws {
    let ann = try employee()
    expectEqual(ann.freeze(), realm.objects(Employee.self).first?.freeze())
    expectTrue(ann.freeze() != ann)
  }

  @Test func `All kinds of properties are frozen`() throws {
    let (company, ann) = try realm.write {
      let company = realm.create(Company.self, value: ["name": "Acme"])
      let ann = realm.create(Employee.self, value: ["name": "Ann"])
      company.employees.append(ann)
      company.partners.insert(ann)
      company.desks["1"] = ann
      company.head = ann
      company.numbers.append(objectsIn: [1, 2])
      company.tags.insert("new")
      company.rooms["a"] = 1
      company.any = .object(ann)
      return (company, ann)
    }
    let frozen = company.freeze()
    try realm.write { realm.deleteAll() }
    expectEqual(frozen.name, "Acme")
    expectTrue(frozen.employees.map(\.name) == ["Ann"] && frozen.employees[0].isFrozen)
    expectTrue(frozen.partners.map(\.name) == ["Ann"] && frozen.partners.isFrozen)
    expectTrue(frozen.desks["1"]??.isFrozen == true && frozen.desks.isFrozen)
    expectTrue(frozen.head?.name == "Ann" && frozen.head?.headed.first == frozen)
    expectEqual(Array(frozen.numbers), [1, 2])
    expectEqual(Array(frozen.tags), ["new"])
    expectEqual(frozen.rooms["a"], 1)
    expectEqual(frozen.any.object(Employee.self)?.name, "Ann")
    expectTrue(ann.isInvalidated)
  }

  @Test func `A thawed object is changed`() throws {
    let frozen = try employee().freeze()
    expectTrue(frozen.isFrozen)
    expectError("Can't perform transactions on a frozen Realm") { try frozen.realm?.write {} }
    let live = try #require(frozen.thaw())
    expectTrue(!live.isFrozen && live.name == frozen.name)
    try realm.write { live.name = "Bob" }
    expectTrue(live.name == "Bob" && frozen.name == "Ann")
    expectEqual(realm.thaw(frozen)?.name, "Bob")
    expectTrue(live.thaw() === live)
  }

  @Test func `A deleted object isn't thawed`() throws {
    let ann = try employee()
    let frozen = ann.freeze()
    try realm.write { realm.delete(ann) }
    expectEqual(frozen.name, "Ann")
    expectNil(frozen.thaw())
  }

  @Test func `Thawed in a realm that keeps a version, it has that version`() throws {
    let frozen = try employee().freeze()
    realm.autorefresh = false
    let thawed = try #require(frozen.thaw())
    let reference = ThreadSafeReference(to: thawed)
    let configuration = configuration
    try inThread {
      let realm = try Realm(configuration: configuration)
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

  @Test func `What was read before a realm is invalidated is invalid`() throws {
    let ann = try employee()
    expectFalse(ann.isInvalidated)
    realm.invalidate()
    expectTrue(ann.isInvalidated)
    try realm.write { _ = realm.create(Employee.self, value: ["name": "Bob"]) }
    expectEqual(realm.objects(Employee.self).count, 2)
    expectTrue(ann.isInvalidated)
  }
}
