import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/servers.md: it equals `ServersGuide.swift`, and works as the text says. The
/// code of the whole server is from the example, which has its own tests.
@Suite struct ServersGuideTests {
  @Test func `The guide shows what is compiled`() throws {
    let shop = "../../../Examples/Server/Sources/Shop"
    try CompiledGuide(
      "servers.md", "ServersGuide.swift", "\(shop)/Tenants/Tenants.swift",
      "\(shop)/Routes/Tenants+Requests.swift", "\(shop)/Running/Outbox.swift",
      "\(shop)/Running/HealthRoutes.swift"
    ).expectCompiled(atLeast: 10)
  }

  @Test func `An actor takes orders for all requests at once`() async throws {
    let file = try TestFile()
    let orders = try await openForServing(file.configuration([Order.self]))
    try await withThrowingTaskGroup(of: UUID.self) { group in
      for _ in 0..<20 { group.addTask { try await orders.place("tea") } }
      var ids: Set<UUID> = []
      for try await id in group { ids.insert(id) }
      expectEqual(ids.count, 20)
    }
    await expectEqual(orders.count(of: "tea"), 20)
  }

  @Test func `A server is ready while its file is open`() async throws {
    let file = try TestFile()
    let configuration = file.configuration([Order.self])
    await expectTrue(readiness(configuration) == (false, "The file is not open."))
    let orders = try await openForServing(configuration)
    await expectTrue(readiness(configuration) == (true, "ready"))
    withExtendedLifetime(orders) {}
  }

  @Test func `Each tenant has its own file`() async throws {
    let file = try TestFile()
    let tenants = Tenants(folder: file.folder)
    let ids = [UUID(), UUID()]
    for (number, id) in ids.enumerated() {
      try await tenants.serve(id) {
        let realm = try await Realm.open()
        try realm.write {
          for _ in 0...number { realm.create(Order.self, value: ["article": "tea"]) }
        }
      }
    }
    for (number, id) in ids.enumerated() {
      let count = try await tenants.serve(id) { try await Realm.open().objects(Order.self).count }
      expectEqual(count, number + 1)
    }
  }

  @Test func `A backup is a sound file with its history`() throws {
    let file = try TestFile()
    var configuration = file.configuration([Order.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Order.self, value: ["article": "tea"]) }
    configuration.fileURL = try backUp(configuration, to: file.folder)
    try checkRestored(configuration)
    try expectTrue(Realm.problems(for: configuration).isEmpty)
    try expectEqual(Realm(configuration: configuration).objects(Order.self).count, 1)
  }
}
