#if ServiceLifecycle
  public import ServiceLifecycle
  import StrataStorage

  /// A service that opens a file when the services of a program start, holds it, and closes it when
  /// all that came after it in the group has ended. It needs the package trait `ServiceLifecycle`.
  ///
  /// ```swift
  /// let orders = RealmService(configuration)
  /// let group = ServiceGroup(
  ///   services: [orders, server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  /// A group starts its services in their order without waiting, and ends them in the reverse one.
  /// What needs the file at once awaits ``waitUntilOpen()``.
  public actor RealmService: Service {
    private let configuration: Realm.Configuration
    private let patience: Duration
    private var realm: Realm?
    private var state = State.notOpen

    private enum State {
      case notOpen
      case open
      case failed(any Error)
      /// It was open, and is closed.
      case ended
    }

    private var waiting: [Signal] = []

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - configuration: The file, its classes and its migration.
    ///   - patience: How long others may hold the file when the service ends.
    public init(
      _ configuration: Realm.Configuration, closesWithin patience: Duration = .seconds(10)
    ) {
      self.configuration = configuration
      self.patience = patience
    }

    /// Opens the file, migrates it, and waits for the graceful shutdown. Then no realm of the file
    /// can be opened, transactions and versions are waited for, the WAL is emptied, and the file is
    /// closed.
    ///
    /// - Throws: As `Realm.open` and `Realm.close` do. When the task is cancelled it is closed all
    ///   the same.
    public func run() async throws {
      state = .notOpen
      do {
        realm = try await Realm.open(configuration: configuration)
        move(to: .open)
      } catch {
        move(to: .failed(error))
        throw error
      }
      let ended: Result<Void, any Error>
      do {
        try await gracefulShutdown()
        ended = .success(())
      } catch {
        ended = .failure(error)
      }
      realm = nil
      move(to: .ended)
      // A task that was cancelled could not wait for the end of transactions.
      let (configuration, patience) = (configuration, patience)
      try await Task { try await Realm.close(configuration, within: patience) }.value
      try ended.get()
    }

    /// Suspends until the file is open.
    ///
    /// - Throws: The reason why it can't be opened; `Realm.Error` with code `fileAccess` when the
    ///   service has ended; and `CancellationError`.
    public func waitUntilOpen() async throws {
      while case .notOpen = state {
        let signal = Signal()
        waiting.append(signal)
        guard await signal.wait() else { throw CancellationError() }
      }
      switch state {
      case .failed(let error): throw error
      case .ended: throw try errorOfEndedService()
      case .notOpen, .open: break
      }
    }

    private func errorOfEndedService() throws -> RealmError {
      RealmError(
        .fileAccess,
        "The service of the realm at path '\(try ResolvedConfiguration(configuration).name)' has ended, and "
          + "the file is closed. Wait for it only in services that come after it in their group.",
        fileURL: configuration.fileURL)
    }

    private func move(to new: State) {
      state = new
      let ready = waiting
      waiting.removeAll()
      for signal in ready { signal.send() }
    }
  }
#endif
