import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The registry of the files that a process has opened.
struct StoreRegistryTests {
  class Cat: Object {
    @Persisted var name = ""
  }

  private func configuration(_ name: String) throws -> ResolvedConfiguration {
    try ResolvedConfiguration(
      Realm.Configuration(inMemoryIdentifier: "\(name) \(UUID())", objectTypes: [Cat.self]))
  }

  @Test func `Paths that are not open any more are forgotten, and those that are stay`() throws {
    let registry = StoreRegistry()
    let configuration = try configuration("kept")
    let kept = try registry.open(configuration)
    for number in 0..<300 { _ = try registry.open(self.configuration("\(number)")) }
    expectTrue(registry.count < 80)
    expectTrue(registry.openStore(configuration.location) === kept)
    try expectTrue(registry.open(configuration) === kept)
  }
}
