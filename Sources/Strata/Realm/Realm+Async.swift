public import Dispatch
import StrataStorage

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
