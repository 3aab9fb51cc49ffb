import Dispatch
import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Tests that run in each of the four ways to open a realm.
///
/// They are serialized: the default configuration is shared by the whole process, and no other test
/// may use it.
@Suite("In four ways", .serialized) enum FourWays {}

/// A way to open, and thereby to migrate, a realm.
enum Way: CaseIterable, Sendable {
  case configuration, performMigration, defaultConfiguration, asyncOpen

  /// Opens the realm and closes it.
  func migrate(_ configuration: Realm.Configuration) async throws {
    switch self {
    case .configuration:
      _ = try Realm(configuration: configuration)
    case .performMigration:
      try Realm.performMigration(for: configuration)
    case .defaultConfiguration:
      try withDefault(configuration) { _ = try Realm() }
    case .asyncOpen:
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        Realm.asyncOpen(configuration: configuration, callbackQueue: .global()) { result in
          continuation.resume(with: result.map { _ in })
        }
      }
      try await waitUntilClosed(configuration)
    }
  }

  /// The queue that called back may hold the realm a moment longer.
  private func waitUntilClosed(_ configuration: Realm.Configuration) async throws {
    for _ in 0..<100_000 {
      do {
        return try Realm.performMigration(for: configuration)
      } catch Realm.Error.alreadyOpen {
        await Task.yield()
      }
    }
    Issue.record("The realm that was opened is never closed.")
  }

  func migrate(
    _ file: TestFile, _ types: [ObjectBase.Type], to version: UInt64, _ block: MigrationBlock? = nil
  ) async throws {
    try await migrate(file.configuration(types, version: version, block))
    try expectEqual(file.version, version)
  }

  /// Expects that opening fails, and gives the error.
  func failure(_ configuration: Realm.Configuration) async throws -> Realm.Error {
    try await #require(throws: Realm.Error.self) { try await migrate(configuration) }
  }
}

/// Runs a closure with another default configuration.
func withDefault<Result>(
  _ configuration: Realm.Configuration, _ body: () throws -> Result
) rethrows -> Result {
  let before = Realm.Configuration.defaultConfiguration
  defer { Realm.Configuration.defaultConfiguration = before }
  Realm.Configuration.defaultConfiguration = configuration
  return try body()
}
