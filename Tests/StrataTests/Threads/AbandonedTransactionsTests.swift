import Foundation
import Testing

@testable import Strata

private final class Person: Object {
  @Persisted var name = ""
}

/// Transactions whose realm isn't kept, or that are never ended.
@Suite("Transactions that are begun by hand", .timeLimit(.minutes(5)))
struct AbandonedTransactionsTests {
  let folder: TestFolder
  let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration([Person.self])
  }

  @Test func `A transaction continues in another realm of its place when its own isn't kept`()
    throws
  {
    try Realm(configuration: configuration).beginWrite()
    #expect(try Realm(configuration: configuration).isInWriteTransaction)
    try Realm(configuration: configuration).create(Person.self, value: ["Ada"])
    try Realm(configuration: configuration).commitWrite()
    #expect(try !Realm(configuration: configuration).isInWriteTransaction)
    #expect(try Realm(configuration: configuration).objects(Person.self).map(\.name) == ["Ada"])
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).deleteAll()
    try Realm(configuration: configuration).cancelWrite()
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
  }

  @Test func `A transaction is rolled back when its thread has ended and others wait`() throws {
    let configuration = configuration
    try inThread {
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      // Not yet written: who waits for it must not keep the transaction.
      realm.create(Person.self, value: ["lost"])
    }
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
    #expect(realm.objects(Person.self).map(\.name) == ["Ada"])
  }

  @Test func `A transaction is rolled back when its task has ended and others wait`() async throws {
    let configuration = configuration
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      realm.create(Person.self, value: ["lost"])
    }.value
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
    #expect(realm.objects(Person.self).map(\.name) == ["Ada"])
  }

  @Test func `An idle transaction is rolled back, and says so at its end`() throws {
    let realm = try Realm(configuration: configuration)
    let store = realm.session.store
    let atOnce = Gate.Limits(kept: .zero, lost: .zero)
    for end in ["commit", "cancel", "write"] {
      realm.beginWrite()
      let lost = realm.create(Person.self, value: ["lost"])
      // The waiting test sees first that nothing changes, and then that it still doesn't.
      for _ in 0..<2 { store.gate.takeFromAbandoned(atOnce) }
      try inThread { [configuration] in
        let other = try Realm(configuration: configuration)
        try other.write { _ = other.create(Person.self, value: [end]) }
      }
      switch end {
      case "cancel": realm.cancelWrite()
      case "write":
        _ = realm.objects(Person.self).count
        fallthrough
      default:
        let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        #expect(error?.code == .fail)
        #expect(
          error?.message.hasPrefix("A write transaction was rolled back, because others") == true)
      }
      #expect(!realm.isInWriteTransaction && lost.isInvalidated)
    }
    #expect(realm.objects(Person.self).map(\.name) == ["commit", "cancel", "write"])
  }

  @Test func `A transaction of a closure, or a busy one, is not rolled back`() throws {
    let realm = try Realm(configuration: configuration)
    let gate = realm.session.store.gate
    let atOnce = Gate.Limits(kept: .zero, lost: .zero)
    try realm.write {
      for _ in 0..<3 { gate.takeFromAbandoned(atOnce) }
      realm.create(Person.self, value: ["a"])
    }
    realm.beginWrite()
    for name in ["b", "c", "d"] {
      gate.takeFromAbandoned(atOnce)
      realm.create(Person.self, value: [name])
    }
    for _ in 0..<3 { gate.takeFromAbandoned(Gate.Limits(kept: .seconds(60), lost: .zero)) }
    try realm.commitWrite()
    #expect(realm.objects(Person.self).count == 4)
  }

  @Test func `Rolled back transactions leave nothing in their session`() throws {
    let realm = try Realm(configuration: configuration)
    var last: Person?
    for number in 0..<500 {
      realm.beginWrite()
      last = realm.create(Person.self, value: ["\(number)"])
      realm.cancelWrite()
    }
    #expect(realm.session.rolledBack.count <= 64)
    #expect(last?.isInvalidated == true)
  }

  @Test func `Sessions of places that have ended are forgotten`() async throws {
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    for _ in 0..<200 {
      try await Task.detached {
        _ = try Realm(configuration: configuration).objects(Person.self).count
      }
      .value
    }
    #expect(realm.session.store.sessions.count == 1)
  }
}
