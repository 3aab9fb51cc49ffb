import Logging
import ServiceLifecycle
import Strata

/// The files of the tenants. A file is opened at its first use. It is closed when it is idle, when
/// another file needs its place, and at the end.
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
  /// The tenants whose file another program has migrated to another schema version.
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
  /// - Parameter isRequest: Whether this counts as a use: background work doesn't keep a file open.
  /// - Throws: ``ShopError`` if the tenant doesn't exist, if too many files are in use, or if the
  ///   file has another version; and the error of the closure.
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

  /// Runs a closure for each open file, as background work: an idle file stays idle.
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

  /// The tenants with open files.
  var open: [Tenant] {
    states.values.compactMap { if case .open(let tenant, _, _) = $0 { tenant } else { nil } }
  }

  /// Closes idle files until the server ends, and then all files. Requests have ended by then:
  /// services end in reverse order.
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

  /// Whether another file may be opened now. Returns false after waiting, since the state may have
  /// changed.
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

  /// The task changes the state before it ends, so that its waiters find the new state.
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

  /// The response to requests for a file that can't be opened. The error is only logged: a client
  /// needs no paths.
  private func explain(opening name: TenantName, _ error: any Error) -> ShopError {
    if isOfOtherVersion(name, error) {
      // A replica may reach the version of this program later, so it is retried.
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

  /// Checks whether an error was caused by another program's migration of the file.
  private func explain(_ error: any Error, _ name: TenantName) async -> any Error {
    guard case Realm.Error.fail = error else { return error }
    if !outdated.contains(name),
      case .otherSchemaVersion = await Realm.health(
        of: place.configuration(name), within: .seconds(10))
    {
      setOutdated(name)
    }
    // Another request may have found out meanwhile.
    return outdated.contains(name) ? ShopError.outdated(name) : error
  }

  /// Refuses further requests for a tenant whose file has another schema version, and closes the
  /// file.
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
