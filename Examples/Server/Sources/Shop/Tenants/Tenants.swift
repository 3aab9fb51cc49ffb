import Logging
import ServiceLifecycle
import Strata

/// The files of the tenants: each is opened when it is first asked for, and closed when nobody has
/// used it for a while, when others need its place, and at the end.
actor Tenants: Service {
  private enum State {
    case opening(Task<Void, any Error>)
    case open(Tenant, users: Int, lastUse: ContinuousClock.Instant)
    case closing(Task<Void, Never>)
  }

  nonisolated let place: TenantPlace
  private let observers: [any RealmActivityObserver]
  private let limit: Int
  private let idleTime: Duration
  private let logger: Logger
  private var states: [TenantName: State] = [:]
  /// Those whose file another program has brought to another schema version.
  private(set) var outdated: Set<TenantName> = []
  private var hasEnded = false

  init(
    _ place: TenantPlace, observers: [any RealmActivityObserver], limit: Int, idleTime: Duration,
    logger: Logger
  ) {
    self.place = place
    self.observers = observers
    self.limit = limit
    self.idleTime = idleTime
    self.logger = logger
  }

  /// Runs a closure while the file of a tenant is open.
  ///
  /// - Parameter isRequest: Whether the file counts as used: work that isn't a request doesn't keep
  ///   it open.
  /// - Throws: ``ShopError`` when there is no such tenant, when too many are in use, and when the
  ///   file is of another version; and the error of the closure.
  nonisolated func use<Result>(
    _ name: TenantName, creating: Bool = false, isRequest: Bool = true,
    _ body: (Tenant) async throws -> Result
  ) async throws -> Result {
    let tenant = try await enter(name, creating: creating, isRequest: isRequest)
    do {
      let result = try await body(tenant)
      await leave(name, isRequest: isRequest)
      return result
    } catch {
      await leave(name, isRequest: isRequest)
      throw await explain(error, name)
    }
  }

  /// Runs a closure for each file that is open now, for work that isn't a request: a file that is
  /// idle stays so.
  ///
  /// - Throws: One of the errors of the closure, after all files.
  nonisolated func forEachOpen(_ body: (Tenant) async throws -> Void) async throws {
    var failure: (any Error)?
    for tenant in await open where await enterIfOpen(tenant.name) {
      do {
        try await body(tenant)
      } catch {
        failure = await explain(error, tenant.name)
      }
      await leave(tenant.name, isRequest: false)
    }
    if let failure { throw failure }
  }

  /// The tenants whose files are open now.
  var open: [Tenant] {
    states.values.compactMap { if case .open(let tenant, _, _) = $0 { tenant } else { nil } }
  }

  /// Closes files that nobody uses, until the server ends; then all of them. Requests have ended by
  /// then: services end in the opposite order.
  func run() async throws {
    while !isEnding {
      await pause(min(idleTime / 4, .seconds(5)))
      let now = ContinuousClock.now
      for (name, state) in states {
        guard case .open(_, users: 0, let lastUse) = state, now - lastUse > idleTime
        else { continue }
        _ = close(name)
      }
    }
    hasEnded = true
    for name in states.keys { await finish(name) }
  }

  // MARK: - Opening

  private func enter(
    _ name: TenantName, creating: Bool, isRequest: Bool
  ) async throws -> Tenant {
    while true {
      guard !hasEnded else {
        throw ShopError(.serviceUnavailable, "ending", "The server is about to end.")
      }
      if outdated.contains(name) { throw ShopError.outdated(name) }
      switch states[name] {
      case .open(let tenant, let users, let lastUse):
        states[name] = .open(tenant, users: users + 1, lastUse: isRequest ? .now : lastUse)
        return tenant
      case .opening(let task): try await task.value
      case .closing(let task): await task.value
      case nil:
        guard creating || place.has(name) else {
          throw ShopError(.notFound, "no_tenant", "There is no tenant '\(name)'.")
        }
        if try await hasRoom() { open(name) }
      }
    }
  }

  private func enterIfOpen(_ name: TenantName) -> Bool {
    guard case .open(let tenant, let users, let lastUse) = states[name],
      !outdated.contains(name)
    else { return false }
    states[name] = .open(tenant, users: users + 1, lastUse: lastUse)
    return true
  }

  private func leave(_ name: TenantName, isRequest: Bool) {
    guard case .open(let tenant, let users, let lastUse) = states[name] else { return }
    states[name] = .open(tenant, users: users - 1, lastUse: isRequest ? .now : lastUse)
    if users == 1, outdated.contains(name) { _ = close(name) }
  }

  /// Whether another file may be opened now; false after waiting, when everything may have changed.
  private func hasRoom() async throws -> Bool {
    guard states.count >= limit else { return true }
    let idle = states.compactMap { name, state in
      if case .open(_, users: 0, let lastUse) = state { (name, lastUse) } else { nil }
    }
    guard let oldest = idle.min(by: { $0.1 < $1.1 })?.0 else {
      throw ShopError(
        .serviceUnavailable, "too_many_tenants",
        "All \(limit) files that may be open at once are in use. Try again.", retryAfter: 1)
    }
    await close(oldest).value
    return false
  }

  /// The state changes within the task: who waits for it finds the new one.
  private func open(_ name: TenantName) {
    states[name] = .opening(
      Task {
        do {
          var configuration = place.configuration(name)
          configuration.observers = observers
          let tenant = try await Tenant(name, configuration)
          states[name] = .open(tenant, users: 0, lastUse: .now)
        } catch {
          states[name] = nil
          throw explain(opening: name, error)
        }
      })
  }

  // MARK: - Closing

  private func close(_ name: TenantName) -> Task<Void, Never> {
    guard case .open(let tenant, _, _) = states[name] else { return Task {} }
    let task = Task {
      do {
        try await tenant.close()
      } catch {
        logger.error("The file of a tenant is still in use.", metadata: metadata(name, error))
      }
      states[name] = nil
    }
    states[name] = .closing(task)
    return task
  }

  private func finish(_ name: TenantName) async {
    switch states[name] {
    case .opening(let task):
      _ = await task.result
      await close(name).value
    case .open: await close(name).value
    case .closing(let task): await task.value
    case nil: break
    }
  }

  // MARK: - Other versions

  /// The answer to requests for a file that can't be opened. Its error is logged only: a client
  /// needs no paths.
  private func explain(opening name: TenantName, _ error: any Error) -> ShopError {
    if isOfOtherVersion(name, error) {
      // A replica may come to the version of this program: it is tried again.
      if !place.isReadOnly { setOutdated(name) }
      return .outdated(name)
    }
    if place.isReadOnly, case Realm.Error.fileNotFound = error {
      return ShopError(
        .serviceUnavailable, "no_version", "The replica of '\(name)' has no version yet.",
        retryAfter: 1)
    }
    logger.error("The file of a tenant can't be opened.", metadata: metadata(name, error))
    return ShopError(error)
  }

  private func isOfOtherVersion(_ name: TenantName, _ error: any Error) -> Bool {
    guard case Realm.Error.fail = error else { return false }
    if place.isReadOnly { return true }
    return (try? schemaVersionAtURL(place.url(name))).map { $0 > ShopFile.schemaVersion } ?? false
  }

  /// Finds out whether an error came because another program has migrated the file.
  private func explain(_ error: any Error, _ name: TenantName) async -> any Error {
    guard case Realm.Error.fail = error else { return error }
    if !outdated.contains(name),
      case .otherSchemaVersion = await Realm.health(
        of: place.configuration(name), within: .seconds(10))
    {
      setOutdated(name)
    }
    // Others may have found out meanwhile.
    return outdated.contains(name) ? ShopError.outdated(name) : error
  }

  /// Refuses further requests of a tenant whose file is at another schema version, and closes it.
  func setOutdated(_ name: TenantName) {
    guard outdated.insert(name).inserted else { return }
    logger.warning(
      "Another version of the program has migrated a file: this one must be replaced.",
      metadata: ["tenant": "\(name)"])
    if case .open(_, users: 0, _) = states[name] { _ = close(name) }
  }

  private func metadata(_ name: TenantName, _ error: any Error) -> Logger.Metadata {
    ["tenant": "\(name)", "error": "\(error)"]
  }
}
