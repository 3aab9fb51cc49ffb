import StrataRealmImport
import StrataStorage

extension Realm {
  /// The progress of an opening.
  public enum OpeningState {
    /// The file is looked at, and perhaps waited for while another process writes to it.
    case connecting
    /// The file is being made of one that Realm wrote: see `convertsRealmFile`.
    case converting(ConversionProgress)
    /// The file is being migrated.
    case migrating(MigrationProgress)
    /// It is open. The realm belongs to the task that gets it.
    case open(Realm)
  }

  /// Opens a realm, and migrates its file away from the caller's thread, telling how far it is.
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
  /// The opening begins with the loop, and ends with `open`. A slow consumer misses old progress of
  /// a migration, never the latest. Leaving the loop before its end, or cancelling the task, ends a
  /// conversion, which leaves no file, and a migration: it is rolled back, and the file is as it
  /// was, except for stages that commit on their own. A cancellation after the commit has no
  /// effect: the last element is `open`.
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

      /// A stream ends at once when a task that waits for it is cancelled. Whether the file is
      /// migrated is known later: so another task waits, which is never cancelled.
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

  /// The messages of the opening thread to the task that waits for it.
  fileprivate enum OpeningEvent: Sendable {
    case connecting
    case converting(ConversionProgress)
    case migrating(MigrationProgress)
    case opened(OpenedStore)
  }

  /// How many states wait for a slow reader.
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
