import Foundation
import Strata

/// Shared by the versions of the second example: people, their pets, and where they live.
///
/// Each version is in an enum of its own, as those of the address book are. But only the newest has
/// a migration block: that is all a program ships.
protocol PetOwners {
  /// What a program of this version opens its file with.
  static func configuration(_ file: URL) -> Realm.Configuration

  /// Adds what is on the cards, as far as this version has a place for it.
  static func addAll(to realm: Realm)
}

extension PetOwners {
  /// Creates a file of this version with everything in it.
  static func write(to file: URL) throws {
    let realm = try Realm(configuration: configuration(file))
    try realm.write { addAll(to: realm) }
  }
}

/// All versions, oldest first. The position is the schema version.
var petOwnersVersions: [any PetOwners.Type] {
  [
    PetOwnersV0.self, PetOwnersV1.self, PetOwnersV2.self,
    PetOwnersV3.self, PetOwnersV4.self, PetOwnersV5.self,
  ]
}
