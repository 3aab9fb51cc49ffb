import CoreMetrics
import Foundation
import MetricsTestKit
import Strata
import Synchronization
import Testing

@Suite struct MetricsTests {
  private let space = [("db_namespace", "parcels.sqlite")]

  @Test func `Transactions, waiting and opening have counters and timers`() async throws {
    let folder = try Folder()
    let factory = TestMetrics()
    let realm = try await Realm.open(
      configuration: folder.configuration([.metrics(factory: factory)]))
    try await realm.asyncWrite { realm.add([Parcel(1, "Lima"), Parcel(2, "Lyon")]) }
    realm.beginWrite()
    realm.cancelWrite()
    #expect(try factory.expectCounter("strata_commits_total", space).totalValue == 1)
    #expect(try factory.expectCounter("strata_rollbacks_total", space).totalValue == 1)
    #expect(try factory.expectCounter("strata_rows_written_total", space).totalValue == 2)
    #expect(try factory.expectTimer("strata_commit_duration_seconds", space).values.count == 1)
    #expect(try factory.expectTimer("strata_writer_wait_seconds", space).values.count == 2)
    let opening = try factory.expectTimer("strata_open_duration_seconds", space)
    // In nanoseconds.
    #expect(try #require(opening.lastValue) > 10_000)
    #expect(factory.timers(label: "db.client.operation.duration").isEmpty)
  }

  @Test func `A transaction that can't begin is counted with its error`() async throws {
    let folder = try Folder()
    let factory = TestMetrics()
    let configuration = folder.configuration([.metrics(factory: factory)])
    let realm = try await Realm.open(configuration: configuration)
    try FileManager.default.removeItem(at: try #require(configuration.fileURL))
    await #expect(throws: Realm.Error.self) { try await realm.asyncWrite {} }
    let counter = try factory.expectCounter(
      "strata_rollbacks_total", space + [("error", "FileNotFound")])
    #expect(counter.totalValue == 1)
  }

  @Test func `Slow queries are counted by class, and conventions are followed where wanted`()
    async throws
  {
    let folder = try Folder()
    let factory = TestMetrics()
    let metrics = RealmMetrics(
      factory: factory, semanticConventions: true, slowQueryThreshold: .zero)
    let realm = try await Realm.open(configuration: folder.configuration([metrics]))
    #expect(realm.objects(Parcel.self).where { $0.city == "Oslo" }.isEmpty)
    let counter = try factory.expectCounter(
      "strata_slow_queries_total", space + [("class", "Parcel")])
    #expect(counter.totalValue >= 1)
    let timers = factory.timers(label: "db.client.operation.duration")
    let query = try #require(
      timers.first { $0.dimensions.contains { $0 == ("db.operation.name", "SELECT") } })
    #expect(query.dimensions.contains { $0 == ("db.collection.name", "Parcel") })
    #expect(query.dimensions.contains { $0 == ("db.namespace", "parcels.sqlite") })
    #expect(query.dimensions.contains { $0 == ("db.system.name", "sqlite") })
    #expect(timers.contains { $0.dimensions.contains { $0 == ("db.operation.name", "open") } })
  }

  @Test func `A file is sampled as gauges, under a name that the program gives`() async throws {
    let folder = try Folder()
    let factory = TestMetrics()
    var configuration = folder.configuration(
      [RealmMetrics(factory: factory) { _ in nil }])
    configuration.history = .init()
    let realm = try await Realm.open(configuration: configuration)
    try realm.consumeHistory(as: "index") { _ in }
    try await realm.asyncWrite { realm.add(Parcel(1, "Lima")) }
    let behind = [("consumer", "index")]
    while factory.recorders(label: "strata_history_behind", dimensions: behind).last?.lastValue != 1
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    for name in [
      "strata_writers_waiting", "strata_versions_kept", "strata_oldest_version_age_seconds",
      "strata_wal_bytes", "strata_file_bytes",
    ] {
      #expect(try factory.expectGauge(name).lastValue != nil)
    }
    #expect(try #require(factory.expectGauge("strata_file_bytes").lastValue) > 0)
  }

  @Test func `A factory may itself use realms that have the same metrics`() async throws {
    let folder = try Folder()
    let settings = try Folder()
    let factory = ReadingFactory()
    let metrics = RealmMetrics(factory: factory, semanticConventions: true)
    let reads = Mutex(0)
    factory.willMake.withLock {
      $0 = {
        reads.withLock { $0 += 1 }
        do {
          let realm = try Realm(configuration: settings.configuration([metrics]))
          try realm.write { realm.add(Parcel(1, "Lima"), update: .modified) }
        } catch {
          Issue.record(error)
        }
      }
    }
    let realm = try await Realm.open(configuration: folder.configuration([metrics]))
    try await realm.asyncWrite { realm.add(Parcel(1, "Lima")) }
    metrics.sample(RealmFileStatus(file: "parcels.sqlite"))
    #expect(reads.withLock { $0 } > 5)
    let commits = try factory.metrics.expectCounter("strata_commits_total", space)
    #expect(commits.totalValue > 5)
  }
}

/// A factory that calls a closure before it makes a metric, but never recursively.
private final class ReadingFactory: MetricsFactory {
  let metrics = TestMetrics()
  let willMake = Mutex<(@Sendable () -> Void)?>(nil)

  private func beforeMaking() {
    guard
      let work = willMake.withLock({ work in
        defer { work = nil }
        return work
      })
    else { return }
    work()
    willMake.withLock { $0 = work }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    beforeMaking()
    return metrics.makeCounter(label: label, dimensions: dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    beforeMaking()
    return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    beforeMaking()
    return metrics.makeTimer(label: label, dimensions: dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) { metrics.destroyCounter(handler) }
  func destroyRecorder(_ handler: any RecorderHandler) { metrics.destroyRecorder(handler) }
  func destroyTimer(_ handler: any TimerHandler) { metrics.destroyTimer(handler) }
}
