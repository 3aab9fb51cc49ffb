import Strata

/// The file of a tenant that is open: it stays open as long as this keeps its realm.
///
/// Requests open realms of their own, which costs microseconds then: they read beside each other,
/// and only transactions wait for each other.
actor Tenant {
  nonisolated let name: TenantName
  nonisolated let configuration: Realm.Configuration
  private var realm: Realm?

  /// Opens the file, and migrates it, on a queue of the library.
  init(_ name: TenantName, _ configuration: Realm.Configuration) async throws {
    self.name = name
    self.configuration = configuration
    realm = try await Realm(configuration: configuration, actor: self)
  }

  /// How far a replica is behind; nil for a file of this machine.
  var replicaState: ReplicaState? { realm?.replicaState }

  /// Closes the file when the last realm of it is released.
  func close() async throws {
    realm = nil
    try await Realm.close(configuration)
  }
}
