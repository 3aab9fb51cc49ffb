import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Company = Offices.Company
private typealias Employee = Offices.Employee

/// References that pass objects and collections to other threads.
@Suite struct ThreadSafeReferenceTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Offices.types)
    realm = try Realm(configuration: configuration)
  }

  /// Adds a company with an employee in each of its collections.
  private func company() throws -> Company {
    try realm.write {
      let company = realm.create(Company.self, value: ["name": "Acme"])
      let ann = Offices.employee("Ann")
      company.employees.append(ann)
      company.partners.insert(ann)
      company.desks["1"] = ann
      company.head = ann
      return company
    }
  }

  private static let unmanaged =
    "Cannot construct reference to unmanaged object, which can be passed across threads directly"

  @Test func `There are no references to what is in no realm`() {
    let company = Company()
    func expectIssue<Thing: ThreadConfined>(_ thing: Thing) {
      TestKit.expectIssue(Self.unmanaged) {
        let reference = ThreadSafeReference(to: thing)
        expectTrue(reference.isInvalidated && realm.resolve(reference) == nil)
      }
    }
    expectIssue(company)
    expectIssue(company.employees)
    expectIssue(company.partners)
    expectIssue(company.desks)
  }

  @Test func `There are no references to what was deleted`() throws {
    let company = try company()
    let (list, set, map) = (company.employees, company.partners, company.desks)
    try realm.write { realm.deleteAll() }
    func expectIssue<Thing: ThreadConfined>(_ thing: Thing) {
      TestKit.expectIssue("Cannot construct reference to invalidated object") {
        _ = ThreadSafeReference(to: thing)
      }
    }
    expectIssue(list)
    expectIssue(set)
    expectIssue(map)
  }

  @Test func `Resolving twice is reported, and works`() throws {
    realm.beginWrite()
    let ann = realm.create(Employee.self, value: ["name": "Ann"])
    let uncommitted = ThreadSafeReference(to: ann)
    let own = ThreadSafeReference(to: ann)
    expectEqual(realm.resolve(own), ann)
    try inThread(configuration) { realm in
      expectNil(realm.resolve(uncommitted))
    }
    try realm.commitWrite()
    let first = ThreadSafeReference(to: ann)
    let second = ThreadSafeReference(to: ann)
    try inThread(configuration) { realm in
      expectFalse(first.isInvalidated)
      expectEqual(realm.resolve(first)?.name, "Ann")
      expectTrue(first.isInvalidated)
      expectEqual(realm.resolve(second)?.name, "Ann")
    }
    expectIssue("Can only resolve a thread safe reference once") {
      expectEqual(realm.resolve(first)?.name, "Ann")
    }
  }

  @Test func `A realm of another file resolves nothing`() throws {
    let other = try TestFile()
    let reference = ThreadSafeReference(to: try company())
    let realm = try Realm(configuration: other.configuration(Offices.types))
    expectNil(realm.resolve(reference))
  }

  @Test func `What is deleted on the way is nil`() throws {
    let company = try company()
    let (object, list) = (
      ThreadSafeReference(to: company), ThreadSafeReference(to: company.numbers)
    )
    try realm.write { realm.delete(company) }
    try inThread(configuration) { realm in
      expectNil(realm.resolve(object))
      expectNil(realm.resolve(list))
    }
  }

  @Test func `References of several objects are changed elsewhere`() throws {
    let company = try company()
    let ann = company.employees[0]
    let references = (ThreadSafeReference(to: company), ThreadSafeReference(to: ann))
    // Keeps its version, as a realm of RealmSwift does.
    realm.autorefresh = false
    try inThread(configuration) { realm in
      let company = try #require(realm.resolve(references.0))
      let ann = try #require(realm.resolve(references.1))
      try realm.write {
        company.name = "Apex"
        ann.age = 42
      }
    }
    expectTrue(company.name == "Acme" && ann.age == 0)
    realm.refresh()
    expectTrue(company.name == "Apex" && ann.age == 42)
  }

  @Test func `A list is changed elsewhere`() throws {
    let list = try company().employees
    let reference = ThreadSafeReference(to: list)
    try inThread(configuration) { realm in
      let list = try #require(realm.resolve(reference))
      expectEqual(list.map(\.name), ["Ann"])
      try realm.write {
        list.removeAll()
        list.append(objectsIn: [Offices.employee("Bob"), Offices.employee("Cy")])
      }
    }
    expectEqual(list.map(\.name), ["Bob", "Cy"])
  }

  @Test func `A set and a map are changed elsewhere`() throws {
    let company = try company()
    let references = (
      ThreadSafeReference(to: company.partners), ThreadSafeReference(to: company.desks)
    )
    try inThread(configuration) { realm in
      let partners = try #require(realm.resolve(references.0))
      let desks = try #require(realm.resolve(references.1))
      expectEqual(partners.map(\.name), ["Ann"])
      expectEqual(desks["1"]??.name, "Ann")
      try realm.write {
        partners.insert(Offices.employee("Bob"))
        desks["2"] = Offices.employee("Cy")
      }
    }
    expectEqual(Set(company.partners.map(\.name)), ["Ann", "Bob"])
    expectEqual(company.desks["2"]??.name, "Cy")
  }

  @Test func `Results with conditions and an order are the same query elsewhere`() throws {
    let all = realm.objects(Employee.self)
    let results = all.filter("name != 'C'").sorted(byKeyPath: "name", ascending: false)
    let reference = ThreadSafeReference(to: results)
    try realm.write { for name in ["A", "B", "C", "D"] { realm.add(Offices.employee(name)) } }
    try inThread(configuration) { realm in
      // No version was pinned: what was committed after the reference was made is there.
      let results = try #require(realm.resolve(reference))
      expectEqual(results.map(\.name), ["D", "B", "A"])
      try realm.write {
        realm.delete(results[2])
        realm.delete(results[0])
        realm.add(Offices.employee("E"))
      }
      expectEqual(results.map(\.name), ["E", "B"])
    }
    expectEqual(results.map(\.name), ["E", "B"])
  }

  @Test func `Linking objects are the same elsewhere`() throws {
    let ann = try #require(try company().head)
    let reference = ThreadSafeReference(to: ann.headed)
    try inThread(configuration) { realm in
      let headed = try #require(realm.resolve(reference))
      expectEqual(headed.map(\.name), ["Acme"])
      try realm.write { headed[0].head = Offices.employee("Bob") }
      expectTrue(headed.isEmpty)
    }
    expectTrue(ann.headed.isEmpty)
  }

  @Test func `Sorted values and sections are the same elsewhere`() throws {
    let company = try company()
    try realm.write { company.numbers.append(objectsIn: [2, 3, 1]) }
    let sorted = ThreadSafeReference(to: company.numbers.sorted())
    let sections = ThreadSafeReference(
      to: realm.objects(Employee.self).sectioned(by: \.name, ascending: true))
    try inThread(configuration) { realm in
      try expectEqual(#require(realm.resolve(sorted)).map { $0 }, [1, 2, 3])
      try expectEqual(#require(realm.resolve(sections)).allKeys, ["Ann"])
    }
  }

  @Test func `A realm that keeps a version moves to resolve`() throws {
    realm.autorefresh = false
    expectTrue(realm.isEmpty)
    let reference = Box<ThreadSafeReference<Employee>?>(nil)
    try inThread(configuration) { realm in
      let ann = try realm.write { realm.create(Employee.self, value: ["name": "Ann"]) }
      reference.value = ThreadSafeReference(to: ann)
    }
    expectTrue(realm.isEmpty)
    expectEqual(realm.resolve(try #require(reference.value))?.name, "Ann")
    expectFalse(realm.isEmpty)
  }
}
