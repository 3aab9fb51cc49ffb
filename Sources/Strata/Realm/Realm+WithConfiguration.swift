extension Realm {
  /// Runs a closure in which `Realm()` and every other call that takes a configuration by default
  /// use this one.
  ///
  /// ```swift
  /// let count = try Realm.withConfiguration(tenant.configuration) {
  ///   try Realm().objects(Order.self).count
  /// }
  /// ```
  /// It holds for this thread until the closure returns or throws, and for tasks that are made in
  /// it: `async let`, the tasks of groups and `Task { }`, for as long as they run. It doesn't hold
  /// for `Task.detached`, other threads and dispatch queues: read ``RealmConfiguration/current``
  /// before, and give it to them. Inside of another one the inner one holds. A configuration that
  /// is given to a call is always used as it is, and setting
  /// ``RealmConfiguration/defaultConfiguration`` has an effect only outside.
  ///
  /// No file is opened or created by this, and realms keep the configuration with which they were
  /// opened.
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - operation: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withConfiguration<Result>(
    _ configuration: Configuration, operation: () throws -> Result
  ) rethrows -> Result {
    try Configuration.$ofTask.withValue(configuration, operation: operation)
  }

  /// Runs an asynchronous closure in which `Realm()` and every other call that takes a
  /// configuration by default use this one.
  ///
  /// ```swift
  /// try await Realm.withConfiguration(tenant.configuration) {
  ///   let realm = try await Realm.open()
  ///   try await realm.asyncWrite { _ = realm.create(Order.self) }
  /// }
  /// ```
  /// The closure runs where the caller does, on its actor. What it holds for is as with
  /// ``withConfiguration(_:operation:)``: for this task and for tasks that are made in the closure,
  /// whichever actors they run on, and not for `Task.detached`.
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - isolation: The actor of the caller.
  ///   - operation: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func withConfiguration<Result>(
    _ configuration: Configuration, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await Configuration.$ofTask.withValue(
      configuration, operation: operation, isolation: isolation)
  }
}
