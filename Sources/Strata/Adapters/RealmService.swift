#if ServiceLifecycle
  public import ServiceLifecycle
  import StrataStorage

  /// A service that opens a file when a program's services start, holds it, and closes it after all
  /// later services of the group have ended. Needs the package trait `ServiceLifecycle`.
  ///
  /// ```swift
  /// let orders = RealmService(configuration)
  /// let group = ServiceGroup(
  ///   services: [orders, server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  /// A group starts its services in order without waiting, and ends them in reverse order. A
  /// service that needs the file at once awaits ``waitUntilOpen()``.
  public actor RealmService: Service {
    private let configuration: Realm.Configuration
    private let patience: Duration
    private var realm: Realm?
    private var state = State.notOpen

    private enum State {
      case notOpen
      case open
      case failed(any Error)
      /// The file was open, and is closed.
      case ended
    }

    private var waiting: [Signal] = []

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - configuration: The file, its classes and its migration.
    ///   - patience: How long to wait at the end for other users of the file.
    public init(
      _ configuration: Realm.Configuration, closesWithin patience: Duration = .seconds(10)
    ) {
      self.configuration = configuration
      self.patience = patience
    }

    /// Opens the file, migrates it, and waits for the graceful shutdown. After that, no realm of
    /// the file can be opened. The service waits for transactions and versions, empties the WAL,
    /// and closes the file.
    ///
    /// - Throws: The errors of `Realm.open` and `Realm.close`. If the task is cancelled, the file
    ///   is closed all the same.
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
      // A cancelled task could not wait for the end of transactions.
      let (configuration, patience) = (configuration, patience)
      try await Task { try await Realm.close(configuration, within: patience) }.value
      try ended.get()
    }

    /// Suspends until the file is open.
    ///
    /// - Throws: The reason why the file can't be opened; `Realm.Error` with code `fileAccess` if
    ///   the service has ended; and `CancellationError`.
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
