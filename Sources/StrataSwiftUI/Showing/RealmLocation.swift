import Foundation
import Strata

/// The location of the realm of a configuration: what tells a view that it is another one.
struct RealmLocation: Equatable {
  private var fileURL: URL?
  private var inMemoryIdentifier: String?
  private var replica: Realm.Configuration.Replica?

  init(_ configuration: Realm.Configuration) {
    fileURL = configuration.fileURL
    inMemoryIdentifier = configuration.inMemoryIdentifier
    replica = configuration.replica
  }
}
