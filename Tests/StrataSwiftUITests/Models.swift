import Foundation
import Strata

final class Pet: Object, ObjectKeyIdentifiable {
  @Persisted var name = ""
  @Persisted var isFed = false
  @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>

  var initial: String { String(name.prefix(1)) }
}

final class Home: EmbeddedObject {
  @Persisted var city = ""
}

final class Owner: Object, ObjectKeyIdentifiable {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var home: Home?
  @Persisted var favourite: Pet?
  @Persisted var pets: List<Pet>
  @Persisted var numbers: List<Int>
  @Persisted var notes: List<AnyRealmValue>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
}

final class Ticket: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var number: Int
}

final class OwnerCard: Projection<Owner>, ObjectKeyIdentifiable {
  @Projected(\Owner.name) var name
  @Projected(\Owner.home?.city) var city
}

/// A realm in memory of a test, kept open as long as this is there.
@MainActor
struct Store {
  let configuration: Realm.Configuration
  let realm: Realm

  init() throws {
    configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Owner.self, Pet.self, Home.self, Ticket.self])
    realm = try Realm(configuration: configuration)
  }

  @discardableResult
  func add(_ owner: Owner) throws -> Owner {
    try realm.write { realm.add(owner) }
    return owner
  }

  /// Changes the realm on another thread.
  func elsewhere(_ change: @escaping @Sendable (Realm) -> Void) async throws {
    let configuration = configuration
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { change(realm) }
    }.value
  }
}
