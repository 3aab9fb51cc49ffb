import Foundation
import Logging
import ServiceLifecycle
import Strata

/// A service that deletes stored responses after their keys have expired.
struct OldAnswers: Service {
  let tenants: Tenants
  let logger: Logger

  private static let age: TimeInterval = 24 * 3_600

  func run() async throws {
    while !isEnding {
      do {
        try await tenants.forEachOpen { try await Self.delete(before: Date() - Self.age, $0) }
      } catch {
        logger.warning("Old answers stay.", metadata: ["error": "\(error)"])
      }
      await pause(.seconds(60))
    }
  }

  /// Deletes in batches, so that no request waits long.
  private static func delete(before date: Date, _ tenant: Tenant) async throws {
    let realm = try Realm(configuration: tenant.configuration)
    let old = realm.objects(StoredAnswer.self).where { $0.answeredAt < date }
    while !old.isEmpty, !isEnding {
      try await realm.asyncWrite { realm.delete(old.limit(500)) }
    }
  }
}
