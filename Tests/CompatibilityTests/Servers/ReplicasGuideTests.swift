import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/replicas.md: it equals `ReplicasGuide.swift`, and works as the text says.
@Suite struct ReplicasGuideTests {
  @Test func `The guide shows what is compiled`() throws {
    try CompiledGuide("replicas.md", "ReplicasGuide.swift").expectCompiled(atLeast: 5)
  }

  /// Publishes a file as any program could.
  private func publish(_ file: TestFile, as name: String, in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Realm.makeBackup(
      at: folder.appendingPathComponent("\(name).sqlite"),
      for: file.configuration([Order.self], version: 1))
    try Data("\(name)\n".utf8).write(
      to: folder.appendingPathComponent("current"), options: .atomic)
  }

  @Test func `Orders of another machine are told, and those of the past found`() async throws {
    let file = try TestFile()
    let folder = file.folder.appendingPathComponent("orders.replica")
    let id = UUID()
    try file.write([Order.self], version: 1) {
      $0.create(Order.self, value: ["id": id, "article": "tea"] as [String: Any])
    }
    try publish(file, as: "1", in: folder)
    let told = Heard<String>()
    let task = Task {
      let realm = try await openReplica(folder)
      expectFalse(isFresh(realm, within: .seconds(60)))
      told.add("open")
      try await follow(realm) { told.add($0) }
    }
    _ = try await told.arrival(of: 1)
    try await Task.sleep(for: .milliseconds(500))
    let before = Date()
    try await Task.sleep(for: .milliseconds(50))
    try file.write([Order.self], version: 1) { realm in
      realm.object(ofType: Order.self, forPrimaryKey: id)?.article = "coffee"
      realm.create(Order.self, value: ["article": "milk"])
    }
    try publish(file, as: "2", in: folder)
    try await expectEqual(told.arrival(of: 2), ["open", "milk"])
    task.cancel()
    _ = await task.result
    try expectEqual(order(id, asOf: before, in: folder), "tea")
    try expectEqual(order(id, asOf: Date(), in: folder), "coffee")
  }

  @Test(.needsHook) func `Who has ordered sees the order on the replica`() async throws {
    let file = try TestFile()
    let folder = file.folder.appendingPathComponent("orders.replica")
    var configuration = file.configuration([Order.self], version: 1)
    configuration.history = .init()
    let realm = try await Realm.open(configuration: configuration)
    try publish(file, as: "1", in: folder)
    let replica = try await openReplica(folder)
    for number in 2...5 {
      let cookie = try #require(try add("tea \(number)", to: realm))
      let error = await #expect(throws: Realm.Error.self) {
        try await replica.wait(for: #require(HistoryToken(cookie)), within: .zero)
      }
      expectEqual(error?.code, .replicaBehind)
      try publish(file, as: "\(number)", in: folder)
      try await expectEqual(orders(replica, after: cookie).count, number - 1)
    }
  }
}
