import Strata

/// The open file of a tenant; the realm in this actor keeps it open.
///
/// Requests open their own realms, which then takes microseconds. They read concurrently; only
/// write transactions wait for each other.
actor Tenant {
  nonisolated let name: TenantName
  nonisolated let configuration: Realm.Configuration
  private var realm: Realm?

  /// Opens and migrates the file on a queue of the library.
  init(_ name: TenantName, _ configuration: Realm.Configuration) async throws {
    self.name = name
    self.configuration = configuration
    realm = try await Realm(configuration: configuration, actor: self)
  }

  /// The state of a replica; nil for a file that this machine writes.
  var replicaState: ReplicaState? { realm?.replicaState }

  /// Closes the file after its last realm is released.
  func close() async throws {
    realm = nil
    try await Realm.close(configuration)
  }
}
