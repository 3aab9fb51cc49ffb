extension Realm {
  /// Opens a realm for an actor, and migrates its file away from the actor's thread.
  ///
  /// All tasks on the actor share what it shows, its transactions and its observations. The
  /// compiler keeps the realm and its objects inside of the actor.
  ///
  /// ```swift
  /// actor Library {
  ///   private var realm: Realm!
  ///   init() async throws { realm = try await Realm(actor: self) }
  ///   func add(_ title: String) async throws {
  ///     try await realm.asyncWrite { _ = realm.create(Book.self, value: ["title": title]) }
  ///   }
  /// }
  /// ```
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - actor: The actor that will use the realm; the caller is on it.
  ///   - downloadBeforeOpen: Has no effect.
  /// - Throws: As ``open(configuration:downloadBeforeOpen:isolation:)`` does.
  public init<A: Actor>(
    configuration: Configuration = .current, actor: isolated A,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    self = try await Realm.open(configuration: configuration, isolation: actor)
  }

  /// Opens a realm for the main actor, and migrates its file away from the main thread.
  ///
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - downloadBeforeOpen: Has no effect. It has no default, or `try Realm()` in an asynchronous
  ///     function would need an `await`.
  /// - Throws: As ``open(configuration:downloadBeforeOpen:isolation:)`` does.
  @MainActor
  public init(
    configuration: Configuration = .current, downloadBeforeOpen: OpenBehavior
  ) async throws {
    self = try await Realm.open(configuration: configuration, isolation: MainActor.shared)
  }
}
