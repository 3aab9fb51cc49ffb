public import Dispatch

extension Realm {
  /// Opens a realm, and migrates its file away from the caller's thread.
  ///
  /// The realm belongs to the task that awaits it.
  /// - Throws: As `Realm(configuration:)` does.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Realm {
    let opened = await withCheckedContinuation { continuation in
      openInBackground(configuration) { continuation.resume(returning: $0) }
    }
    let session = SessionCache.session(of: try opened.take())
    return Realm(session: session, configuration: configuration)
  }

  /// Opens a realm, and migrates its file, on a queue of the library; then calls back on another.
  ///
  /// The realm belongs to the callback.
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration,
    callbackQueue: DispatchQueue = .main,
    callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
  ) {
    openInBackground(configuration) { opened in
      callbackQueue.async {
        callback(
          Result {
            let session = SessionCache.session(of: try opened.take())
            return Realm(session: session, configuration: configuration)
          })
      }
    }
  }

  private static let openingQueue = DispatchQueue(
    label: "Strata.open", qos: .userInitiated, attributes: .concurrent)

  private static func openInBackground(
    _ configuration: Configuration, _ completion: @escaping @Sendable (OpenedStore) -> Void
  ) {
    openingQueue.async {
      completion(
        OpenedStore { try StoreRegistry.shared.open(try configuration.request()) })
    }
  }
}
