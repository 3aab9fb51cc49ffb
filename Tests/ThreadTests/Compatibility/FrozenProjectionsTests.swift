import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Houses.Person

/// Projections that are frozen, thawed and sent to other threads like their objects.
@Suite struct FrozenProjectionsTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let realm: Realm

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Houses.types)
    realm = try Realm(configuration: configuration)
  }

  private func projection() throws -> NameProjection {
    try realm.write {
      NameProjection(projecting: realm.create(Person.self, value: ["firstName": "Ann"]))
    }
  }

  @Test func `Only the copy is frozen`() throws {
    let ann = try projection()
    let frozen = ann.freeze()
    expectTrue(!ann.isFrozen && frozen.isFrozen && frozen.rootObject.isFrozen)
    expectTrue(frozen != ann && frozen == frozen.freeze() && frozen == ann.freeze())
    let other = try projection().freeze()
    expectTrue(other != frozen)
    expectTrue(frozen.realm?.isFrozen == true && realm.freeze(ann).isFrozen)
  }

  @Test func `What is deleted or in no realm isn't frozen`() throws {
    let ann = try projection()
    try realm.write { realm.delete(ann.rootObject) }
    expectTrue(ann.isInvalidated)
    expectIssue("Object has been deleted or invalidated.") { _ = ann.freeze() }
    let unmanaged = NameProjection(projecting: Person())
    expectIssue("Unmanaged objects cannot be frozen.") { expectFalse(unmanaged.freeze().isFrozen) }
  }

  @Test func `Another thread can't freeze`() throws {
    nonisolated(unsafe) let ann = try projection()
    let message = Box("")
    try inThread {
      do {
        _ = try ann.frozen()
      } catch let error as Realm.Error {
        message.value = error.message
      }
    }
    expectTrue(message.value.hasPrefix("Realm accessed from incorrect thread"))
  }

  @Test func `A frozen projection is read on another thread`() throws {
    let frozen = try projection().frozen()
    let name = Box("")
    try inThread { name.value = frozen.name }
    expectEqual(name.value, "Ann")
    let all = try realm.objects(NameProjection.self).frozen()
    let names = Box<[String]>([])
    try inThread { names.value = all.map(\.name) }
    expectEqual(names.value, ["Ann"])
  }

  @Test func `A frozen projection is neither changed nor observed`() throws {
    let frozen = try projection().freeze()
    #expect(throws: Realm.Error.self) { try frozen.realm?.write {} }
    expectIssue("Attempting to modify a frozen object") { frozen.name = "Bob" }
    expectEqual(frozen.name, "Ann")
    expectIssue("Frozen Realms do not change and do not have change notifications.") {
      expectFalse(frozen.observe { _ in }.invalidate())
    }
  }

  @Test func `Inside of a transaction a projection is frozen as it was before`() throws {
    try realm.write {
      let new = NameProjection(projecting: realm.create(Person.self))
      expectIssue(
        "Cannot freeze an object in the same write transaction as it was created in."
      ) {
        _ = new.freeze()
      }
    }
    let ann = try projection()
    try realm.write {
      ann.name = "Bob"
      expectEqual(ann.freeze().name, "Ann")
    }
  }

  @Test func `A thawed projection is live`() throws {
    let ann = try projection()
    let frozen = ann.freeze()
    try realm.write { ann.name = "Bob" }
    let live = try #require(frozen.thaw())
    expectTrue(!live.isFrozen && live.name == "Bob" && frozen.name == "Ann")
    try realm.write { live.name = "Cid" }
    expectEqual(ann.name, "Cid")
    try realm.write { realm.deleteAll() }
    expectTrue(frozen.thaw() == nil && frozen.name == "Ann")
  }

  @Test func `Thawed in a realm that keeps a version, it has that version`() throws {
    let ann = try projection()
    realm.autorefresh = false
    let reference = ThreadSafeReference(to: ann)
    let frozen = Box<NameProjection?>(nil)
    let (new, configuration) = (Box<NameProjection?>(nil), configuration)
    try inThread(configuration) { realm in
      let ann = try #require(realm.resolve(reference))
      let added = try realm.write {
        ann.name = "Bob"
        return NameProjection(projecting: realm.create(Person.self))
      }
      frozen.value = ann.freeze()
      new.value = added.freeze()
    }
    let thawed = try #require(frozen.value?.thaw())
    expectEqual(thawed.name, "Ann")
    expectTrue(new.value?.thaw() == nil && realm.objects(NameProjection.self).count == 1)
    realm.refresh()
    expectTrue(thawed.name == "Bob" && realm.objects(NameProjection.self).count == 2)
    expectTrue(new.value?.thaw() != nil)
  }

  @Test func `A variable for several threads holds a projection`() throws {
    @ThreadSafe var ann: NameProjection? = try projection()
    let shared = $ann
    let name = Box("")
    try inThread { name.value = shared.wrappedValue?.name ?? "" }
    expectEqual(name.value, "Ann")
  }
}
