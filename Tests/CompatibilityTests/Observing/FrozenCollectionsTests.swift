import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Company = Offices.Company
private typealias Employee = Offices.Employee

/// Freezing and thawing of each kind of collection, as in RealmSwift.
@Suite struct FrozenCollectionsTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm
  private let company: Company

  /// Each test takes all kinds one after the other, each with the employees 1 and 2.
  private enum Kind: CaseIterable {
    case results, condition, list, set
  }

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Offices.types)
    let realm = try Realm(configuration: configuration)
    company = try realm.write {
      let company = realm.create(Company.self)
      for name in ["1", "2"] {
        let employee = realm.create(Employee.self, value: ["name": name])
        company.employees.append(employee)
        company.partners.insert(employee)
        company.desks[name] = employee
      }
      return company
    }
    self.realm = realm
  }

  /// Runs a test with a collection of a kind, behind a common protocol.
  private func withCollection(_ kind: Kind, _ body: (any CollectionTrial) throws -> Void) throws {
    switch kind {
    case .results: try body(Trial(realm.objects(Employee.self)))
    case .condition: try body(Trial(company.employees.where { $0.name != "3" }))
    case .list: try body(Trial(company.employees))
    case .set: try body(Trial(company.partners))
    }
  }

  private static let frozenRealm = "Can't perform transactions on a frozen Realm"

  @Test func `A collection is frozen, and read on another thread`() throws {
    for kind in Kind.allCases {
      try withCollection(kind) { trial in
        expectFalse(trial.isFrozen)
        let frozen = trial.frozen
        expectTrue(frozen.isFrozen)
        nonisolated(unsafe) let sent = frozen
        try inThread { expectEqual(sent.names, ["1", "2"]) }
      }
    }
  }

  @Test func `A frozen collection is filtered, and isn't observed`() throws {
    for kind in Kind.allCases {
      try withCollection(kind) { trial in
        let frozen = trial.frozen
        for name in ["1", "2", "3"] {
          let filtered = frozen.filtered(name)
          expectTrue(filtered.count == (name == "3" ? 0 : 1) && filtered.isFrozen)
        }
        expectIssue("Frozen Realms do not change and do not have change notifications.") {
          expectFalse(frozen.observe().invalidate())
        }
      }
    }
  }

  @Test func `Another thread can't freeze`() throws {
    for kind in Kind.allCases {
      try withCollection(kind) { trial in
        nonisolated(unsafe) let sent = trial
        let wasThrown = Box(false)
        try inThread {
          do {
            try sent.throwIfNotFrozen()
          } catch let error as Realm.Error {
            wasThrown.value = error.message.hasPrefix("Realm accessed from incorrect thread")
          }
        }
        expectTrue(wasThrown.value)
      }
    }
  }

  @Test func `A thawed collection is live, and the frozen one stays`() throws {
    let frozen = try Kind.allCases.map { kind in
      var frozen: (any CollectionTrial)?
      try withCollection(kind) { frozen = $0.frozen }
      return try #require(frozen)
    }
    for frozen in frozen {
      expectError(Self.frozenRealm) { try frozen.realm?.write {} }
      expectTrue(frozen.thawed?.names == ["1", "2"] && frozen.thawed?.isFrozen == false)
    }
    try realm.write { realm.delete(realm.objects(Employee.self)) }
    for frozen in frozen {
      expectEqual(frozen.names, ["1", "2"])
      expectEqual(frozen.thawed?.names.isEmpty, true)
    }
  }

  @Test func `A collection is thawed on another thread, and changed there`() throws {
    let list = company.employees.freeze()
    nonisolated(unsafe) let sent = list
    try inThread {
      let live = try #require(sent.thaw())
      expectFalse(live.isFrozen)
      try live.realm?.write { live.realm?.delete(live) }
      expectTrue(live.isEmpty && sent.count == 2)
    }
    expectTrue(company.employees.isEmpty)
  }

  @Test func `A collection that was changed elsewhere is thawed in the version of its place`()
    throws
  {
    realm.autorefresh = false
    let reference = ThreadSafeReference(to: company.employees)
    let found = Box<(List<Employee>, Results<Employee>)?>(nil)
    try inThread(configuration) { realm in
      let list = try #require(realm.resolve(reference))
      try realm.write {
        list[0].name = "3"
        realm.delete(list[1])
      }
      found.value = (list.freeze(), list.filter("name == %@", "1").freeze())
    }
    let (frozen, query) = try #require(found.value)
    expectTrue(frozen.map(\.name) == ["3"] && query.isEmpty)
    let thawed = try #require(frozen.thaw())
    let thawedQuery = try #require(query.thaw())
    expectTrue(thawed.map(\.name) == ["1", "2"] && thawedQuery.map(\.name) == ["1"])
    realm.refresh()
    expectTrue(thawed.map(\.name) == ["3"] && thawedQuery.isEmpty)
  }

  @Test func `An element of a deleted collection isn't thawed`() throws {
    let frozen = company.employees[0].freeze()
    let map = company.desks.freeze()
    let list = company.employees.freeze()
    try realm.write {
      realm.delete(company.employees)
      realm.delete(company)
    }
    expectTrue(frozen.name == "1" && frozen.thaw() == nil)
    expectTrue(map["1"]??.name == "1" && map.thaw() == nil)
    expectTrue(list.count == 2 && list.thaw() == nil)
  }

  @Test func `A map is frozen and thawed`() throws {
    let frozen = company.desks.freeze()
    expectTrue(frozen.isFrozen && !company.desks.isFrozen)
    nonisolated(unsafe) let sent = frozen
    try inThread { expectEqual(sent.keys, ["1", "2"]) }
    try realm.write { company.desks["1"] = .some(nil) }
    expectEqual(frozen["1"]??.name, "1")
    expectEqual(frozen.thaw()?["1"], .some(nil))
  }

  @Test func `Collections are invalid after their realm was invalidated`() throws {
    var trials: [any CollectionTrial] = []
    for kind in Kind.allCases { try withCollection(kind) { trials.append($0) } }
    expectTrue(trials.allSatisfy { !$0.isInvalidated })
    let names = Set(trials.flatMap(\.names))
    expectTrue(names.contains { name in trials.contains { !$0.filtered(name).isEmpty } })
    realm.invalidate()
    expectTrue(trials.allSatisfy { $0.isInvalidated && $0.names.isEmpty })
    expectTrue(names.allSatisfy { name in trials.allSatisfy { $0.filtered(name).isEmpty } })
  }
}

/// The operations of the tests on a collection of employees, independent of its type.
private protocol CollectionTrial {
  var names: [String] { get }
  var isFrozen: Bool { get }
  var isInvalidated: Bool { get }
  var realm: Realm? { get }
  var frozen: any CollectionTrial { get }
  var thawed: (any CollectionTrial)? { get }
  func filtered(_ name: String) -> Results<Offices.Employee>
  func observe() -> NotificationToken
  func throwIfNotFrozen() throws
}

private struct Trial<Collection: RealmCollection>: CollectionTrial
where Collection.Element == Offices.Employee {
  private let collection: Collection

  init(_ collection: Collection) {
    self.collection = collection
  }

  var names: [String] { collection.map(\.name).sorted() }
  var isFrozen: Bool { collection.isFrozen }
  var isInvalidated: Bool { collection.isInvalidated }
  var realm: Realm? { collection.realm }
  var frozen: any CollectionTrial { Trial(collection.freeze()) }
  var thawed: (any CollectionTrial)? { collection.thaw().map { Trial($0) } }
  func filtered(_ name: String) -> Results<Offices.Employee> {
    collection.filter("name = %@", name)
  }
  func observe() -> NotificationToken { collection.observe { _ in } }
  func throwIfNotFrozen() throws { _ = try collection.frozen() }
}
