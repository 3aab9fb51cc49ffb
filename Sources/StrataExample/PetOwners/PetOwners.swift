import Foundation
import Strata

/// The common protocol of the versions of the second example: people, their pets, and where they
/// live.
///
/// Each version is in an enum of its own, as in the address book. But only the newest version has a
/// migration block, because a program ships only one version.
protocol PetOwners {
  /// The configuration that opens a file of this version.
  static func configuration(_ file: URL) -> Realm.Configuration

  /// Adds the contents of the cards, as far as this version can store them.
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
