import GRDB
import StrataStorage
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

@Suite("Observations of the same") struct SharedStatesTests {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var friend: Person?
  }

  /// Counts how often its state is read.
  private struct Source: ObservationSource {
    final class Reads: Sendable {
      let count = Atomic(0)
    }

    let key: String
    let reads = Reads()

    var regions: [ChangedObjects] { [] }
    var classesWithProperties: Set<String> { [] }
    var list: CollectionKey? { nil }
    var tables: Set<String> { ["Person"] }

    func state(_ db: Database) throws -> SourceState {
      reads.count.add(1, ordering: .relaxed)
      return .rows(try Int64.fetchAll(db, sql: "SELECT _id FROM Person"))
    }

    func change(
      from state: SourceState, _ changes: CommitChanges, _ db: Database
    ) throws -> (state: SourceState, change: SourceChange?) {
      (try self.state(db), .elements(ChangeSet(insertions: [0])))
    }
  }

  private func count(_ source: Source) -> Int { source.reads.count.load(ordering: .relaxed) }

  @Test func `What many observe is read once, until it changes`() throws {
    try TestFolder().open([Person.self]) { realm in
      try realm.session.store.lookBeforeObserving()
      let center = realm.session.store.observationCenter
      let (source, other) = (Source(key: "persons"), Source(key: "others"))
      let mailboxes = (0..<3).map { _ in Mailbox(followsSnapshots: false) {} }
      var added: [(Observation, Mailbox)] = []
      func add(_ source: Source) throws {
        for mailbox in mailboxes {
          for hasInitial in [true, false] {
            let observation = Observation(source, hasInitial: hasInitial) { _, _ in }
            try center.add(observation, to: mailbox)
            added.append((observation, mailbox))
          }
        }
        center.finishPending()
      }
      try add(source)
      try add(other)
      expectTrue(count(source) == 1 && count(other) == 1)
      try realm.write { realm.add(Person()) }
      center.finishPending()
      // Two more reads: one from nothing, for observers that haven't received the first state, and
      // one from that state.
      expectTrue(count(source) == 3 && count(other) == 3)
      try add(source)
      expectEqual(count(source), 3)
      for (observation, mailbox) in added {
        let state = observation.state.withLock { $0.proposed ?? $0.delivered }
        if case .rows(let rows)? = state?.state { expectEqual(rows, [1]) } else { Issue.record() }
        center.remove(observation, from: mailbox)
      }
    }
  }

  @Test(arguments: [[nil, ["*"]], [["*"], nil], [[], nil], [nil, ["friend.name"]]])
  func `Observers of other key paths share nothing`(keyPaths: [[String]?]) throws {
    try TestFolder().open([Person.self]) { realm in
      let friend = try realm.write {
        let friend = realm.create(Person.self)
        realm.create(Person.self, value: ["friend": friend])
        return friend
      }
      let people = realm.objects(Person.self).where { $0.friend != nil }
      var heard: [[String]?] = []
      let tokens = keyPaths.map { keyPaths in
        people.observe(keyPaths: keyPaths) { change in
          if case .update = change { heard.append(keyPaths) }
        }
      }
      realm.refresh()
      try realm.write { friend.name = "Ada" }
      realm.refresh()
      // The object itself is unchanged.
      expectEqual(heard, keyPaths.filter { $0 == nil || $0 == ["friend.name"] })
      tokens.forEach { $0.invalidate() }
    }
  }
}
