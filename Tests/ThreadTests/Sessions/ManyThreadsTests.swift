import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Threads that use one file independently, each with its own realm. This is the main test for the
/// thread sanitizer: `make test-threads`.
@Suite("Many threads", .serialized)
struct ManyThreadsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  static let isLong = ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all"
  static let threads = isLong ? 8 : 4
  static let rounds = isLong ? 400 : 25

  private func inThreads(_ body: @escaping @Sendable (_ number: Int) throws -> Void) throws {
    let running = (0..<Self.threads).map { number in startThread { try body(number) } }
    for thread in running { try thread.wait() }
  }

  @Test func `Threads lose no write, and see no half of one`() throws {
    let configuration = folder.configuration(Busy.types)
    let rounds = Self.rounds
    try inThreads { number in
      let realm = try Realm(configuration: configuration)
      var random = SplitMix64(seed: UInt64(number))
      for _ in 0..<rounds {
        try realm.write { Self.change(realm, &random) }
        try Self.read(realm)
      }
    }
    try folder.open(Busy.types) { realm in
      let counter = try #require(realm.object(ofType: Busy.Counter.self, forPrimaryKey: 1))
      expectEqual(counter.value, Self.threads * rounds)
    }
    try expectEqual(Realm.problems(for: configuration), [])
  }

  /// Counts, and changes everything that hangs on the counter.
  private static func change(_ realm: Realm, _ random: inout SplitMix64) {
    let counter =
      realm.object(ofType: Busy.Counter.self, forPrimaryKey: 1)
      ?? realm.create(Busy.Counter.self, value: ["id": 1])
    counter.value += 1
    counter.note = .int(counter.value)
    let item = realm.create(Busy.Item.self, value: ["name": "n\(counter.value)", "size": 1])
    counter.items.append(item)
    counter.byName["last"] = item
    counter.numbers.insert(Int.random(in: 0..<20, using: &random))
    counter.part = Busy.Part(value: ["words": ["\(counter.value)", "\(counter.value)"]])
    if counter.items.count > 10, let first = counter.items.first { realm.delete(first) }
  }

  private static func read(_ realm: Realm) throws {
    guard let counter = realm.object(ofType: Busy.Counter.self, forPrimaryKey: 1) else { return }
    expectTrue(counter.value > 0)
    for item in counter.items { _ = item.name + "\(item.counters.count)" }
    _ = counter.byName["last"]??.name
    _ = counter.numbers.map { $0 }
    // One is replaced together with the other.
    let words = counter.part.map { Array($0.words) } ?? []
    expectEqual(words.first, words.last)
    let items = realm.objects(Busy.Item.self).sorted(byKeyPath: "name")
    expectTrue(items.sum(ofProperty: "size") as Int >= 0)
    realm.refresh()
  }

  private static let accounts = 20

  @Test func `Threads read whole transactions while others write`() throws {
    try folder.write(Busy.types) { realm in
      let owner = realm.create(Busy.Owner.self, value: ["name": "Ada"])
      for number in 0..<Self.accounts {
        realm.create(
          Busy.Account.self, value: ["number": number, "amount": 100, "owner": owner])
      }
    }
    let configuration = folder.configuration(Busy.types)
    let rounds = Self.rounds
    try inThreads { number in
      let realm = try Realm(configuration: configuration)
      for round in 0..<rounds {
        if number % 2 == 0 { try Self.transfer(realm, number, round) } else { Self.look(realm) }
      }
    }
    let writers = (Self.threads + 1) / 2
    try folder.open(Busy.types) { realm in
      let accounts = realm.objects(Busy.Account.self)
      expectEqual(accounts.map(\.entries.count).reduce(0, +), writers * rounds)
      expectEqual(accounts.sum(of: \.amount) as Int, Self.accounts * 100)
    }
  }

  private static func transfer(_ realm: Realm, _ writer: Int, _ round: Int) throws {
    func account(_ number: Int) -> Busy.Account? {
      realm.object(ofType: Busy.Account.self, forPrimaryKey: number % accounts)
    }
    try realm.write {
      let to = account(writer * 7 + round * 3)
      account(writer + round)?.amount -= 5
      to?.amount += 5
      to?.entries.append(round)
    }
  }

  private static func look(_ realm: Realm) {
    let all = realm.objects(Busy.Account.self)
    expectEqual(all.sum(of: \.amount) as Int, accounts * 100)
    expectEqual(all.map(\.amount).count, accounts)
    expectTrue(all.allSatisfy { $0.owner?.name == "Ada" })
    expectEqual(all.first?.owner?.accounts.count, accounts)
  }

  @Test func `A file is migrated once when all threads open it at the same moment`() throws {
    for _ in 0..<(Self.isLong ? 20 : 3) {
      let folder = try TestFolder()
      try folder.write(Busy.types) { realm in realm.create(Busy.Owner.self, value: ["name": "Ada"])
      }
      // The block runs once, or there would be more than one exclamation mark.
      let configuration = folder.configuration(Busy.types, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Owner") { _, new in
          new!["name"] = "\(new!["name"]!)!"
        }
      }
      try inThreads { _ in
        let realm = try Realm(configuration: configuration)
        expectEqual(realm.objects(Busy.Owner.self).map(\.name), ["Ada!"])
      }
    }
  }

  @Test func `Threads open, migrate, check and delete a file that comes and goes`() throws {
    let file = folder.file
    let rounds = Self.rounds
    let expected: Set<Realm.Error.Code> = [
      .alreadyOpen, .fail, .fileNotFound, .invalidDatabase, .fileAccess,
    ]
    try inThreads { number in
      for round in 0..<rounds {
        var configuration = Realm.Configuration(fileURL: file, objectTypes: Busy.types)
        configuration.schemaVersion = UInt64(round / 5)
        configuration.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: "Item") { old, new in
            new!["size"] = (old!["size"] as? Int ?? 0) + 1
          }
        }
        do {
          switch (number + round) % 4 {
          case 0: try Realm.performMigration(for: configuration)
          case 1 where round % 7 == 0: try Realm.deleteFiles(for: configuration)
          case 2 where round % 3 == 0:
            _ = try Realm.problems(for: configuration)
            _ = try schemaVersionAtURL(file)
          default:
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Busy.Item.self, value: ["size": round]) }
            for item in realm.objects(Busy.Item.self) { _ = item.size }
          }
        } catch let error as Realm.Error {
          expectTrue(expected.contains(error.code), "\(error.message)")
        }
      }
    }
    if Realm.fileExists(for: Realm.Configuration(fileURL: file)) {
      try expectEqual(Realm.problems(for: Realm.Configuration(fileURL: file)), [])
    }
  }

  @Test func `Many tasks open the file`() async throws {
    let configuration = folder.configuration(Busy.types)
    let rounds = Self.rounds
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Self.threads {
        group.addTask {
          for _ in 0..<rounds {
            let realm =
              number.isMultiple(of: 2)
              ? try Realm(configuration: configuration)
              : try await Realm.open(configuration: configuration)
            var random = SplitMix64(seed: 1)
            try realm.write { Self.change(realm, &random) }
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    try folder.open(Busy.types) { realm in
      expectEqual(realm.objects(Busy.Counter.self).first?.value, Self.threads * rounds)
    }
  }
}
