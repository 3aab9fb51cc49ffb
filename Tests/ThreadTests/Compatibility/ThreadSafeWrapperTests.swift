import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Company = Offices.Company
private typealias Employee = Offices.Employee

/// `@ThreadSafe` variables, which are read in each isolation.
@Suite struct ThreadSafeWrapperTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm

  private struct Wrapped: Sendable {
    @ThreadSafe var employee: Employee?
    @ThreadSafe var company: Company?
    @ThreadSafe var list: List<Employee>?
    @ThreadSafe var set: MutableSet<Employee>?
    @ThreadSafe var map: Map<String, Employee?>?
    @ThreadSafe var results: Results<Employee>?
    @ThreadSafe var headed: LinkingObjects<Company>?
  }

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Offices.types)
    realm = try Realm(configuration: configuration)
  }

  private func employee(_ name: String) throws -> Employee {
    try realm.write { realm.create(Employee.self, value: ["name": name]) }
  }

  /// Writes on another thread.
  private func write(_ body: @escaping @Sendable (Realm) -> Void) throws {
    try inThread(configuration) { realm in
      try realm.write { body(realm) }
    }
  }

  private func expectRefusal(_ body: () -> Void) {
    withKnownIssue(
      nil, isIntermittent: false, body,
      matching: {
        $0.description.contains("Only managed objects may be wrapped as thread safe.")
      })
  }

  @Test func `What is in no realm is refused`() throws {
    expectRefusal { expectNil(Wrapped(employee: Offices.employee("Ann")).employee) }
    let wrapped = Wrapped(employee: try employee("Ann"))
    expectRefusal { wrapped.employee = Offices.employee("Bob") }
    expectEqual(wrapped.employee?.name, "Ann")
  }

  @Test func `An object is read and changed at each place, as often as wanted`() throws {
    let wrapped = Wrapped(employee: try employee("Ann"))
    for name in ["Bob", "Cy"] {
      try write { _ in wrapped.employee?.name = name }
      expectEqual(wrapped.employee?.name, name)
    }
  }

  @Test func `A deleted object is nil`() throws {
    let wrapped = Wrapped(employee: try employee("Ann"))
    try write { realm in
      if let employee = wrapped.employee { realm.delete(employee) }
    }
    expectNil(wrapped.employee)
  }

  @Test func `Another object is set elsewhere, and nil`() throws {
    let wrapped = Wrapped(employee: try employee("Ann"))
    try write { realm in
      wrapped.employee = realm.create(Employee.self, value: ["name": "Bob"])
    }
    expectEqual(wrapped.employee?.name, "Bob")
    try write { _ in wrapped.employee = nil }
    expectNil(wrapped.employee)
    try write { realm in
      wrapped.employee = realm.create(Employee.self, value: ["name": "Cy"])
    }
    expectEqual(wrapped.employee?.name, "Cy")
  }

  @Test func `An object of another file is set elsewhere`() throws {
    let other = try TestFile()
    let wrapped = Wrapped(employee: try employee("Ann"))
    let configuration = other.configuration(Offices.types)
    try inThread(configuration) { realm in
      try realm.write {
        wrapped.employee = realm.create(Employee.self, value: ["name": "Bob"])
      }
    }
    expectEqual(wrapped.employee?.name, "Bob")
    expectEqual(wrapped.employee?.realm?.configuration.fileURL, other.url)
    wrapped.employee = nil
  }

  @Test func `Collections, results and linking objects are read and changed elsewhere`() throws {
    let company = try realm.write { realm.create(Company.self) }
    let ann = try employee("Ann")
    try realm.write {
      company.head = ann
      company.employees.append(ann)
      company.partners.insert(ann)
      company.desks["1"] = ann
    }
    let results = realm.objects(Employee.self).filter("name != 'C'")
      .sorted(byKeyPath: "name", ascending: false)
    let wrapped = Wrapped(
      company: company, list: company.employees, set: company.partners, map: company.desks,
      results: results, headed: ann.headed)
    try write { _ in
      expectTrue(wrapped.list?.count == 1 && wrapped.set?.count == 1 && wrapped.map?.count == 1)
      expectTrue(wrapped.results?.map(\.name) == ["Ann"] && wrapped.headed?.count == 1)
      wrapped.list?.append(Offices.employee("Bob"))
      wrapped.set?.insert(Offices.employee("Cy"))
      wrapped.map?["2"] = Offices.employee("C")
      wrapped.headed?[0].name = "Apex"
    }
    expectEqual(wrapped.list?.map(\.name), ["Ann", "Bob"])
    expectEqual(wrapped.set?.count, 2)
    expectEqual(wrapped.map?["2"]??.name, "C")
    expectEqual(wrapped.results?.map(\.name), ["Cy", "Bob", "Ann"])
    expectEqual(wrapped.headed?.first?.name, "Apex")
  }

  @Test func `A local variable goes elsewhere`() throws {
    _ = try employee("Ann")
    @ThreadSafe var results = realm.objects(Employee.self)
    @ThreadSafe var ann = results?.first
    let (sentResults, sentAnn) = ($results, $ann)
    try inThread {
      expectEqual(sentResults.wrappedValue?.map(\.name), ["Ann"])
      expectEqual(sentAnn.wrappedValue?.name, "Ann")
    }
  }

  private func rename(@ThreadSafe _ employee: Employee?) throws {
    let sent = $employee
    try write { _ in sent.wrappedValue?.name = "renamed" }
  }

  @Test func `An argument of a function goes elsewhere`() throws {
    let ann = try employee("Ann")
    try rename(ann)
    expectEqual(ann.name, "renamed")
    expectRefusal { #expect(throws: Never.self) { try rename(Offices.employee("Bob")) } }
  }

  @Test func `Many threads read and write one variable`() throws {
    @ThreadSafe var ann = try employee("Ann")
    let sent = $ann
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      #expect(throws: Never.self) {
        try sent.wrappedValue?.realm?.write { sent.wrappedValue?.age += 1 }
      }
    }
    expectEqual(ann?.age, 40)
  }
}
