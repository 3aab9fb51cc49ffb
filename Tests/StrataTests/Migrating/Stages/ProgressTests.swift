import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

@Suite struct ProgressTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let count = 5_000

  /// A file at version 1 with many persons.
  private func makeMany(_ folder: TestFolder) throws {
    try folder.write(V1.self) { realm in
      for number in 0..<Self.count {
        realm.create(V1.Person.self, value: ["First", "Last \(number)", number])
      }
    }
  }

  @Test func `Each stage tells how far it is`() throws {
    try makeMany(folder)
    let news = Mutex<[MigrationProgress]>([])
    var configuration = folder.plan(.all)
    configuration.migrationProgress = { progress in news.withLock { $0.append(progress) } }
    _ = try Realm(configuration: configuration)
    let heard = news.withLock { $0 }
    expectTrue(heard.allSatisfy { $0.stages == 3 && $0.completedRows <= $0.totalRows })
    expectEqual(Array(Set(heard.map(\.stage))).sorted(), [1, 2, 3])
    let first = heard.filter { $0.stage == 1 }
    expectEqual(first.first?.description, "Version 1 to 2 (stage 1 of 3)")
    let person = first.filter { $0.className == "Person" }
    expectEqual(person.first?.completedRows, 0)
    expectEqual(
      person.last?.description, "Version 1 to 2 (stage 1 of 3), Person: 5000 of 5000 rows")
    expectEqual(person.last?.fractionCompleted, 1)
  }

  @Test func `An opening has states`() async throws {
    try makeMany(folder)
    var states: [String] = []
    for try await state in Realm.opening(configuration: folder.plan(.all)) {
      switch state {
      case .connecting: states.append("connecting")
      case .converting(let progress): states.append("\(progress)")
      case .migrating(let progress):
        if states.last != "stage \(progress.stage)" { states.append("stage \(progress.stage)") }
      case .open(let realm):
        states.append("open")
        expectEqual(realm.objects(V4.Person.self).count, Self.count)
      }
    }
    expectEqual(states, ["connecting", "stage 1", "stage 2", "stage 3", "open"])
  }

  @Test func `A new file is not migrated`() async throws {
    var states: [String] = []
    for try await state in Realm.opening(configuration: folder.plan(.all)) {
      switch state {
      case .connecting: states.append("connecting")
      case .converting(let progress): states.append("\(progress)")
      case .migrating(let progress): states.append("\(progress)")
      case .open: states.append("open")
      }
    }
    expectEqual(states, ["connecting", "open"])
  }

  @Test func `An opening throws what opening throws`() async throws {
    struct Refusal: Error {}
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [.version(V1.self), .version(V2.self) { _ in throw Refusal() }]
    await #expect(throws: Refusal.self) {
      for try await _ in Realm.opening(configuration: folder.plan(plan)) {}
    }
  }

  @Test func `Cancelling the task leaves the file as it was`() async throws {
    try makeMany(folder)
    let before = try folder.dump()
    let (inside, continuation) = AsyncStream<Void>.makeStream()
    let isReleased = Flag()
    let plan = SchemaMigrationPlan([
      .version(V1.self),
      .version(V2.self) { migration in
        var count = 0
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
          count += 1
          if count == 10 {
            continuation.finish()
            isReleased.wait()
          }
        }
      },
    ])
    let configuration = folder.plan(plan)
    let task = Task { _ = try await Realm.open(configuration: configuration) }
    for await _ in inside {}
    task.cancel()
    isReleased.set()
    await #expect(throws: CancellationError.self) { try await task.value }
    try expectEqual(folder.dump(), before)
    // The next opening does it.
    try await expectEqual(
      Realm.open(configuration: configuration).objects(V2.Person.self).count, 5_000)
  }

  @Test(arguments: [true, false])
  func `A cancellation after the commit has no effect`(inStates: Bool) async throws {
    try folder.makeV1()
    let (inside, continuation) = AsyncStream<Void>.makeStream()
    let isReleased = Flag()
    var configuration = folder.plan(.all)
    configuration.didMigrate = { _ in
      continuation.finish()
      isReleased.wait()
    }
    let task = Task { [configuration] in
      guard inStates else {
        return try await Realm.open(configuration: configuration).objects(V4.Person.self).count
      }
      for try await case .open(let realm) in Realm.opening(configuration: configuration) {
        return realm.objects(V4.Person.self).count
      }
      return 0
    }
    for await _ in inside {}
    task.cancel()
    isReleased.set()
    try await expectEqual(task.value, 2)
  }

  @Test func `Leaving the loop leaves the file as it was`() async throws {
    try makeMany(folder)
    let before = try folder.dump()
    let isReleased = Flag()
    let plan = SchemaMigrationPlan([
      .version(V1.self),
      .version(V2.self) { migration in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
          isReleased.wait()
        }
      },
    ])
    for try await state in Realm.opening(configuration: folder.plan(plan)) {
      if case .migrating = state { break }
    }
    isReleased.set()
    // The file is free when the migration is rolled back.
    let realm = try Realm(configuration: folder.plan([.version(V1.self)]))
    expectEqual(realm.objects(V1.Person.self).count, Self.count)
    try expectEqual(folder.dump(), before)
  }
}
