public import Dispatch
import StrataRealmImport
import StrataStorage

extension Realm {
  /// The progress of an opening.
  public enum OpeningState {
    /// The file is being checked, or waits for a write of another process.
    case connecting
    /// A Realm file is being converted: see `convertsRealmFile`.
    case converting(ConversionProgress)
    /// The file is being migrated.
    case migrating(MigrationProgress)
    /// The realm is open. The realm belongs to the task that receives this state.
    case open(Realm)
  }

  /// Opens a realm, and migrates its file on another thread, with progress.
  ///
  /// ```swift
  /// for try await state in Realm.opening(configuration: configuration) {
  ///   switch state {
  ///   case .connecting: break
  ///   case .converting(let progress): bar.show(progress.fractionCompleted)
  ///   case .migrating(let progress): bar.show(progress.fractionCompleted)
  ///   case .open(let realm): use(realm)
  ///   }
  /// }
  /// ```
  /// The opening begins with the loop, and ends with `open`. A slow consumer may miss old progress
  /// of a migration, but never the latest. Leaving the loop early, or canceling the task, stops a
  /// conversion, which leaves no file, and a migration. The migration is rolled back, and the file
  /// is unchanged, except for stages that commit on their own. A cancellation after the commit has
  /// no effect: the last element is `open`.
  ///
  /// The loop throws the errors of `Realm(configuration:)`, and `CancellationError`.
  public static func opening(
    configuration: Configuration = .current
  ) -> Opening {
    Opening(configuration: configuration)
  }

  /// The states of an opening: see ``Realm/opening(configuration:)``.
  public struct Opening: AsyncSequence, Sendable {
    public typealias Element = OpeningState
    public typealias Failure = any Swift.Error

    let configuration: Configuration

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(configuration) }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private let configuration: Configuration
      private let cancellation = Cancellation()
      private let events: AsyncStream<OpeningEvent>
      private var isOver = false

      fileprivate init(_ configuration: Configuration) {
        self.configuration = configuration
        events = Realm.events(of: configuration, cancellation)
      }

      public mutating func next() async throws -> OpeningState? {
        try await next(isolation: nil)
      }

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> OpeningState? {
        guard !isOver else { return nil }
        switch await Self.nextEvent(of: events, cancellation) {
        case .connecting: return .connecting
        case .converting(let progress): return .converting(progress)
        case .migrating(let progress): return .migrating(progress)
        case .opened(let store):
          isOver = true
          let session = try store.take().session(isolatedTo: actor)
          return .open(Realm(session: session, configuration: configuration))
        case nil:
          isOver = true
          return nil
        }
      }

      /// Waits in another task, which is never canceled: a stream ends at once when its waiting
      /// task is canceled, but the outcome of the migration is known only later.
      private static func nextEvent(
        of events: AsyncStream<OpeningEvent>, _ cancellation: Cancellation
      ) async -> OpeningEvent? {
        await withTaskCancellationHandler {
          await Task {
            var iterator = events.makeAsyncIterator()
            return await iterator.next()
          }.value
        } onCancel: {
          cancellation.cancel()
        }
      }
    }
  }

  /// The events from the opening thread to the task that waits for it.
  fileprivate enum OpeningEvent: Sendable {
    case connecting
    case converting(ConversionProgress)
    case migrating(MigrationProgress)
    case opened(OpenedStore)
  }

  /// The number of states that are buffered for a slow consumer.
  private static let keptEvents = 16

  private static func events(
    of configuration: Configuration, _ cancellation: Cancellation
  ) -> AsyncStream<OpeningEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(keptEvents)) { continuation in
      continuation.onTermination = { if case .cancelled = $0 { cancellation.cancel() } }
      continuation.yield(.connecting)
      var configuration = configuration
      let listener = configuration.migrationProgress
      configuration.migrationProgress = { progress in
        listener?(progress)
        continuation.yield(.migrating(progress))
      }
      let conversionListener = configuration.convertsRealmFile?.progress
      configuration.convertsRealmFile?.progress = { progress in
        conversionListener?(progress)
        continuation.yield(.converting(progress))
      }
      openInBackground(configuration, cancellation) { opened in
        continuation.yield(.opened(opened))
        continuation.finish()
      }
    }
  }
}

extension Realm {
  /// The RealmSwift setting for downloads before opening. It has no effect, because there is no
  /// server.
  ///
  /// This type is for programs that were written for RealmSwift.
  public enum OpenBehavior: Sendable {
    case never
    case once
    case always
  }

  /// Opens a realm, and migrates its file on another thread.
  ///
  /// The realm belongs to the caller's actor, or else to the task that awaits it. Canceling the
  /// task ends a migration: the migration is rolled back, and the file is unchanged, except for
  /// stages that commit on their own. A cancellation after the commit has no effect: the realm is
  /// returned.
  ///
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - downloadBeforeOpen: Has no effect.
  ///   - isolation: The actor to which the realm belongs; nil for the task.
  /// - Throws: The errors of `Realm(configuration:)`, and `CancellationError`.
  public static func open(
    configuration: Configuration = .current, downloadBeforeOpen: OpenBehavior = .never,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Realm {
    let cancellation = Cancellation()
    let opened = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        openInBackground(configuration, cancellation) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
    let session = try opened.take().session(isolatedTo: isolation)
    return Realm(session: session, configuration: configuration)
  }

  /// Opens a realm, and migrates its file, on a queue of the library. Then calls a closure on the
  /// callback queue.
  ///
  /// The realm belongs to the callback queue, which must be a serial queue. On a system queue, the
  /// realm belongs to the callback.
  public static func asyncOpen(
    configuration: Configuration = .current,
    callbackQueue: DispatchQueue = .main,
    callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
  ) {
    Place.remember(callbackQueue)
    openInBackground(configuration) { opened in
      callbackQueue.async {
        callback(
          Result {
            let session = try opened.take().session()
            return Realm(session: session, configuration: configuration)
          })
      }
    }
  }

  private static let openingQueue = DispatchQueue(
    label: "Strata.open", qos: .userInitiated, attributes: .concurrent)

  static func openInBackground(
    _ configuration: Configuration, _ cancellation: Cancellation? = nil,
    _ completion: @escaping @Sendable (OpenedStore) -> Void
  ) {
    let caller = configuration.observers.map { $0.callerContext() }
    openingQueue.async {
      completion(
        OpenedStore {
          var resolved = try ResolvedConfiguration(configuration)
          resolved.cancellation = cancellation
          resolved.caller = caller
          return try StoreRegistry.shared.open(resolved)
        })
    }
  }

  /// Runs a closure on a queue of the library, with a cancellation that follows the task's
  /// cancellation.
  static func inBackground<Result: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        openingQueue.async {
          continuation.resume(with: Swift.Result { try body(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
