import Hummingbird
import NIOCore
import Strata

/// The routes for the platform: whether the process is alive, whether it is ready for requests, and
/// its metrics.
struct HealthRoutes {
  let tenants: Tenants
  let metrics: Metrics
  let longestLag: Duration

  func add(to router: Router<ShopContext>) {
    // Uses no file: a process that waits for one must not be killed for it.
    router.get("live") { _, _ in try Answer(.ok, ["status": "alive"]) }
    router.get("ready") { _, _ in
      let problems = await problems()
      return try Answer(
        problems.isEmpty ? .ok : .serviceUnavailable,
        ["status": problems.isEmpty ? "ready" : problems.joined(separator: " ")])
    }
    router.get("metrics") { _, _ in
      var states: [(TenantName, ReplicaState?)] = []
      for tenant in await tenants.open { states.append((tenant.name, await tenant.replicaState)) }
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(states))))
    }
  }

  /// The reasons why this process should get no requests. Covers all open files, and files that
  /// were closed because another version has migrated them.
  private func problems() async -> [String] {
    var problems = await withTaskGroup(of: String?.self) { group in
      for tenant in await tenants.open { group.addTask { await problem(tenant) } }
      return await group.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
    }
    problems += await tenants.outdated.map { ShopError.outdated($0).message }
    return problems.sorted()
  }

  private func problem(_ tenant: Tenant) async -> String? {
    switch await Realm.health(of: tenant.configuration, longestLag: longestLag) {
    // One busy file is no reason to send all tenants elsewhere; and one may be closed meanwhile.
    case nil, .notOpen, .writerBusy: break
    case .otherSchemaVersion?:
      await tenants.setOutdated(tenant.name)
      return nil
    case let problem?: return "\(tenant.name): \(problem)"
    }
    guard let replica = await tenant.replicaState, replica.lag() == nil else { return nil }
    return "It isn't known how far the replica of '\(tenant.name)' is behind."
  }
}
