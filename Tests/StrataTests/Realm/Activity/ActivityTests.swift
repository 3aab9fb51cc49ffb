import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct ActivityTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private typealias Item = Items.V1.Item

  private func item(_ number: Int) -> Item {
    let item = Item()
    item.number = number
    return item
  }

  // MARK: Transactions

  @Test func `A transaction is told from asking for it to its commit`() throws {
    let observer = RecordingObserver()
    let realm = try Realm(configuration: folder.observed(by: observer))
    try realm.write(author: "import") {
      realm.add(item(1))
      realm.add(item(2))
    }
    expectEqual(
      observer.texts.filter { !$0.hasPrefix("open") },
      [
        "write 2 began", "waitForWriter in 2 ended", "write 2 ended by import, 2 written",
      ])
    let result = try #require(observer.lines(.write).last?.result)
    expectTrue(result.duration >= result.waited)
    expectTrue(result.duration > .zero)
    expectEqual(observer.lines(.write).last?.activity.file, "test.sqlite")
  }

  @Test func `A transaction that is taken back is told with its error`() throws {
    struct Refused: Error {}
    let observer = RecordingObserver()
    let realm = try Realm(configuration: folder.observed(by: observer))
    #expect(throws: Refused.self) {
      try realm.write {
        realm.add(item(1))
        throw Refused()
      }
    }
    realm.beginWrite()
    realm.cancelWrite()
    expectEqual(
      observer.texts.filter { $0.hasPrefix("write") },
      [
        "write 2 began", "write 2 ended, incomplete", "write 3 began", "write 3 ended, incomplete",
      ])
    // Another process has deleted the file: no transaction can begin.
    try FileManager.default.removeItem(at: folder.file)
    #expect(throws: Realm.Error.self) { try realm.write {} }
    expectEqual(observer.texts.last, "write 4 ended, incomplete, FileNotFound")
  }

  @Test func `Waiting for another writer is a part of a transaction`() throws {
    let observer = RecordingObserver()
    let configuration = folder.observed(by: observer)
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let thread = startThread(configuration) { other in
      try other.write { other.add(Item()) }
    }
    expectTrue(blockUntil { observer.lines(.write).count { $0.result == nil } == 2 })
    // The time that is measured.
    Thread.sleep(forTimeInterval: 0.01)
    try realm.commitWrite()
    try thread.wait()
    let waits = observer.lines(.waitForWriter).compactMap { $0.result?.duration }
    let longest = try #require(waits.max())
    expectTrue(longest > .milliseconds(1))
    let writes = observer.lines(.write).compactMap(\.result)
    expectEqual(writes.map(\.waited).max(), longest)
  }

  @Test func `A task that waits to write is told of, and so is one that gives up`() async throws {
    let observer = RecordingObserver()
    let configuration = folder.observed(by: observer)
    let realm = try await Realm.open(configuration: configuration)
    try await realm.asyncWrite { realm.add(item(1)) }
    expectEqual(observer.texts.last, "write 2 ended, 1 written")
    realm.beginWrite()
    let task = Task {
      let other = try await Realm.open(configuration: configuration)
      try await other.asyncWrite {}
    }
    await expectTrue(eventually { observer.lines(.write).count { $0.result == nil } >= 3 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    realm.cancelWrite()
    let ends = observer.lines(.write).filter { $0.result != nil }.map(\.text)
    expectTrue(ends.contains("write 4 ended, incomplete"))
    expectTrue(ends.contains("write 3 ended, incomplete"))
    try FileManager.default.removeItem(at: folder.file)
    await #expect(throws: Realm.Error.self) { try await realm.asyncWrite {} }
    expectEqual(observer.texts.last, "write 5 ended, incomplete, FileNotFound")
  }

  // MARK: Queries

  @Test func `A query is told with its statement, its class and its rows`() throws {
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let realm = try Realm(configuration: folder.observed(by: observer))
    try realm.write { for number in 0..<300 { realm.add(item(number)) } }
    let items = realm.objects(Item.self)
    expectTrue(items.where { $0.number > 123_456 }.isEmpty)
    var sum = 0
    for item in items.where({ $0.number < 200 }) { sum += item.number }
    expectEqual(sum, 19_900)
    expectEqual(items.sum(of: \.number), 44_850)
    let texts = observer.lines(.query).map(\.text)
    expectTrue(texts.contains("query ended of Item"))
    expectTrue(texts.contains("query ended of Item, 200 returned"))
    for line in observer.lines(.query) {
      let sql = try #require(line.result?.statement?.sql)
      expectFalse(sql.contains("123456"))
      expectFalse(sql.contains("200"))
    }
  }

  @Test func `A query in a transaction is a part of it`() throws {
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let realm = try Realm(configuration: folder.observed(by: observer))
    try realm.write {
      realm.add(item(7))
      expectEqual(realm.objects(Item.self).where { $0.number == 7 }.count, 1)
    }
    expectTrue(observer.texts.contains("query in 2 ended of Item"))
  }

  @Test func `A query beside a transaction is no part of it`() throws {
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let configuration = folder.observed(by: observer)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      try inThread(configuration) { other in
        expectTrue(other.objects(Item.self).where { $0.number == 7 }.isEmpty)
      }
    }
    expectFalse(observer.lines(.query).isEmpty)
    expectTrue(observer.lines(.query).allSatisfy { $0.activity.outer == nil })
  }

  @Test func `Reading properties is no query`() throws {
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let realm = try Realm(configuration: folder.observed(by: observer))
    try realm.write { realm.add(item(1)) }
    let first = try #require(realm.objects(Item.self).first)
    let before = observer.lines(.query).count
    try realm.write { first.number += 1 }
    expectEqual(first.number, 2)
    expectEqual(observer.lines(.query).count, before)
  }

  @Test func `Each observer hears of the queries that are slow for it`() throws {
    let (all, slow) = (RecordingObserver(queriesLongerThan: .zero), RecordingObserver())
    let realm = try Realm(configuration: folder.observed(by: all, slow))
    try realm.write { realm.add(item(1)) }
    expectEqual(realm.objects(Item.self).count, 1)
    expectFalse(all.lines(.query).isEmpty)
    expectTrue(slow.lines(.query).isEmpty)
    expectEqual(slow.lines(.write).count, all.lines(.write).count)
  }

  @Test func `The plan of a statement says how rows are found`() throws {
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let realm = try Realm(configuration: folder.observed(by: observer))
    expectTrue(realm.objects(Item.self).where { $0.number == 7 }.isEmpty)
    let statement = try #require(observer.lines(.query).last?.result?.statement)
    expectTrue(statement.plan.contains { $0.hasPrefix("SCAN t") })
    expectTrue(RealmStatement(sql: "SELECT 1").plan.isEmpty)
  }

  // MARK: Files

  @Test func `Opening, migrating and its backup are told, one within the other`() throws {
    try folder.open([Items.V0.Item.self]) { _ in }
    let observer = RecordingObserver()
    var configuration = folder.observed(by: observer, version: 1)
    configuration.migrationBackup = MigrationBackup()
    let realm = try Realm(configuration: configuration)
    expectEqual(
      observer.texts,
      [
        "open 1 began", "migrate 2 in 1 began", "backup 3 in 1 began", "backup 3 in 1 ended",
        "migrate 2 in 1 ended", "open 1 ended",
      ])
    // It is open: that is no opening.
    _ = try Realm(configuration: configuration)
    expectEqual(observer.lines(.open).count, 2)
    try Realm.makeBackup(
      at: folder.url.appendingPathComponent("copy.sqlite"), for: configuration)
    expectEqual(observer.texts.last, "backup 4 ended")
    try FileManager.default.removeItem(
      at: try #require(Realm.backups(for: configuration).first).url)
    withExtendedLifetime(realm) {}
  }

  @Test func `A file that can't be opened is told with the code of its error`() throws {
    try folder.open([Items.V0.Item.self], version: 3) { _ in }
    let observer = RecordingObserver()
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.observed(by: observer, version: 1))
    }
    expectEqual(observer.texts, ["open 1 began", "open 1 ended, incomplete, Fail"])
  }

  @Test func `The observers of the first opening hear of all realms`() throws {
    let (first, second) = (RecordingObserver(), RecordingObserver())
    let realm = try Realm(configuration: folder.observed(by: first))
    let other = try Realm(configuration: folder.observed(by: second))
    try other.write { other.add(item(1)) }
    expectEqual(first.lines(.write).count, 2)
    expectTrue(second.lines.isEmpty)
    withExtendedLifetime(realm) {}
  }

  @Test func `Refreshing and checkpoints are told`() throws {
    let observer = RecordingObserver()
    let realm = try Realm(configuration: folder.observed(by: observer))
    realm.refresh()
    expectEqual(observer.texts.last, "refresh 2 ended")
    try realm.write {
      for number in 0..<4_000 {
        let item = item(number)
        item.text = String(repeating: "a", count: 2_000)
        realm.add(item)
      }
    }
    expectTrue(observer.texts.contains { $0.hasPrefix("checkpoint") && $0.hasSuffix("ended") })
  }
}
