import Foundation
import Strata
import StrataTestKit
import Testing

private typealias Company = Offices.Company
private typealias Employee = Offices.Employee

/// Objects are frozen and thawed as in RealmSwift.
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

  private func expectIssue(_ text: String, _ body: () -> Void) {
    withKnownIssue(
      nil, isIntermittent: false, body, matching: { $0.description.contains(text) })
  }

  @Test func `Only the copy is frozen`() throws {
    let ann = Offices.employee("Ann")
    #expect(!ann.isFrozen)
    try realm.write { realm.add(ann) }
    #expect(!ann.isFrozen)
    let frozen = ann.freeze()
    #expect(!ann.isFrozen && frozen.isFrozen)
    #expect(realm.freeze(ann).isFrozen)
  }

  @Test func `What is in no realm is neither frozen nor thawed`() {
    let ann = Offices.employee("Ann")
    expectIssue("Unmanaged objects cannot be frozen.") { #expect(!ann.freeze().isFrozen) }
    expectIssue("Unmanaged objects cannot be thawed.") { #expect(ann.thaw() == nil) }
  }

  @Test func `A frozen object isn't changed`() throws {
    let frozen = try employee().freeze()
    expectIssue(
      "Attempting to modify a frozen object - call thaw on the Object instance first."
    ) {
      frozen.name = "Bob"
    }
    #expect(frozen.name == "Ann")
  }

  @Test func `Frozen objects of one version are equal`() throws {
    let ann = try employee()
    #expect(ann.freeze() == realm.objects(Employee.self).first?.freeze())
    #expect(ann.freeze() != ann)
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
    #expect(frozen.name == "Acme")
    #expect(frozen.employees.map(\.name) == ["Ann"] && frozen.employees[0].isFrozen)
    #expect(frozen.partners.map(\.name) == ["Ann"] && frozen.partners.isFrozen)
    #expect(frozen.desks["1"]??.isFrozen == true && frozen.desks.isFrozen)
    #expect(frozen.head?.name == "Ann" && frozen.head?.headed.first == frozen)
    #expect(Array(frozen.numbers) == [1, 2])
    #expect(Array(frozen.tags) == ["new"])
    #expect(frozen.rooms["a"] == 1)
    #expect(frozen.any.object(Employee.self)?.name == "Ann")
    #expect(ann.isInvalidated)
  }

  @Test func `A thawed object is changed`() throws {
    let frozen = try employee().freeze()
    #expect(frozen.isFrozen)
    let error = #expect(throws: Realm.Error.self) { try frozen.realm?.write {} }
    #expect(error?.message == "Can't perform transactions on a frozen Realm")
    let live = try #require(frozen.thaw())
    #expect(!live.isFrozen && live.name == frozen.name)
    try realm.write { live.name = "Bob" }
    #expect(live.name == "Bob" && frozen.name == "Ann")
    #expect(realm.thaw(frozen)?.name == "Bob")
    #expect(live.thaw() === live)
  }

  @Test func `A deleted object isn't thawed`() throws {
    let ann = try employee()
    let frozen = ann.freeze()
    try realm.write { realm.delete(ann) }
    #expect(frozen.name == "Ann")
    #expect(frozen.thaw() == nil)
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
    #expect(frozen.thaw()?.name == "Ann" && thawed.name == "Ann")
    realm.refresh()
    #expect(frozen.thaw()?.name == "Bob" && thawed.name == "Bob")
  }

  @Test func `A frozen realm is thawed, and a live one is itself`() throws {
    _ = try employee()
    let frozen = realm.freeze()
    #expect(frozen.isFrozen && frozen.freeze() == frozen)
    let thawed = frozen.thaw()
    #expect(!thawed.isFrozen && thawed == realm && realm.thaw() == realm)
    try thawed.write { _ = thawed.create(Employee.self) }
    #expect(realm.objects(Employee.self).count == 2)
    #expect(frozen.objects(Employee.self).count == 1)
  }

  @Test func `What was read before a realm is invalidated is invalid`() throws {
    let ann = try employee()
    #expect(!ann.isInvalidated)
    realm.invalidate()
    #expect(ann.isInvalidated)
    try realm.write { _ = realm.create(Employee.self, value: ["name": "Bob"]) }
    #expect(realm.objects(Employee.self).count == 2)
    #expect(ann.isInvalidated)
  }
}
