public import Foundation
import Logging
import StrataStorage

/// A database of objects in one SQLite file.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Person(value: ["name": "Ada"])) }
/// for person in realm.objects(Person.self) { print(person.name) }
/// ```
///
/// The first opening of a file in a process creates the file or migrates it to the classes of the
/// program; later openings share the open file. A realm and its objects belong to the task or
/// thread that opened the realm, or to the main actor. Another task or thread opens its own realm;
/// using this one is the error "Realm accessed from incorrect thread." Opening an open file again
/// takes microseconds.
public struct Realm {
  private let holder: SessionHolder

  var session: Session { holder.session }

  /// The configuration with which this realm was opened.
  public let configuration: Configuration

  /// Opens the file of a configuration. Migrates the file if the program is at a higher schema
  /// version.
  ///
  /// - Throws: ``Realm/Error`` with code `schemaMismatch` if classes have changed without a higher
  ///   `schemaVersion`, `fail` for a lower version or an error in the models or the migration
  ///   block, and other codes for problems of the file; or the error of the migration block. The
  ///   file is unchanged then.
  public init(configuration: Configuration = .current) throws {
    try self.init(configuration: configuration, nil)
  }

  /// Opens a file with a cancellation, for ``open(configuration:downloadBeforeOpen:isolation:)``.
  package init(configuration: Configuration, _ cancellation: Cancellation?) throws {
    var resolved = try ResolvedConfiguration(configuration)
    resolved.cancellation = cancellation
    let store = try StoreRegistry.shared.open(resolved)
    holder = SessionHolder(store.session())
    self.configuration = configuration
  }

  /// Opens the file at a URL, with the other settings of the current configuration.
  public init(fileURL: URL) throws {
    var configuration = Configuration.current
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  init(session: Session, configuration: Configuration) {
    holder = SessionHolder(session)
    self.configuration = configuration
  }

  /// The classes of this realm.
  public var schema: Schema { session.store.discovered.schema }

  /// Whether the realm has no objects.
  public var isEmpty: Bool {
    session.store.tables.allSatisfy { ObjectResults(ObjectQuery($0), session).isEmpty }
  }

  /// Moves to the newest snapshot, and polls for commits of other processes at once. Without this
  /// call, they are noticed within a fifth of a second.
  ///
  /// Only a realm that is observed, or whose ``autorefresh`` is false, can show an older snapshot.
  /// - Returns: Whether there was anything new.
  @discardableResult
  public func refresh() -> Bool {
    session.reportPlace()
    do {
      return try session.refresh()
    } catch {
      session.report(error)
      return false
    }
  }

  /// Whether the realm shows commits of others without ``refresh()``. The default is true.
  ///
  /// ```swift
  /// realm.autorefresh = false  // the report is made of one state of the file
  /// ```
  /// If false, all objects and results of the realm stay at their snapshot until `refresh()` is
  /// called or the realm writes. Observers are notified of the realm's own writes, and of commits
  /// of others when the realm begins to write. Meanwhile the WAL can't be checkpointed, and grows
  /// with each commit. All realms of the file on the same isolation share this setting.
  public var autorefresh: Bool {
    get { session.refreshesByItself }
    nonmutating set {
      session.reportPlace()
      do {
        try session.setAutorefresh(newValue)
      } catch {
        session.report(error)
      }
    }
  }

  /// The settings of a realm: its location, its classes, and its migration.
  public typealias Configuration = RealmConfiguration

  /// The error of opening, writing and migrating.
  public typealias Error = RealmError
}

extension Realm: Equatable {
  /// Returns whether both are the same file on the same isolation.
  public static func == (first: Realm, second: Realm) -> Bool {
    first.session === second.session
  }
}

extension Realm.Configuration {
  init(openStore store: Store) {
    self.init(
      fileURL: store.file.url, inMemoryIdentifier: store.settings.memoryIdentifier,
      encryptionKey: store.file.key?.bytes, readOnly: store.settings.isReadOnly,
      schemaVersion: store.classes.dynamic == .all ? 0 : store.settings.schemaVersion,
      objectTypes: store.classes.objectTypes,
      logger: store.logger.flatMap { $0.handler is SharedLogHandler ? nil : $0 })
    dynamicClasses = store.classes.dynamic
    opensNewerVersions = store.settings.opensNewerVersions
    if let replica = store.replica {
      self.replica = Replica(folder: replica.folder.url, asOf: replica.fixedAt)
    }
  }
}

extension Realm {
  /// Returns all objects of a class, or projections of them, for code that is generic over both.
  ///
  /// A class that `objectTypes` doesn't list gives empty results: see `objects(_:)` of model
  /// classes.
  @_disfavoredOverload
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    results(of: Element._elementClass)
  }

  func results<Element: RealmCollectionValue>(of model: ObjectBase.Type?) -> Results<Element> {
    session.reportPlace()
    guard let model else { return Results(nothing: Element.self) }
    if let table = session.table(model) { return Results(ObjectQuery(table), session) }
    session.record(.notManaged(model))
    // A class without stored values has no table, not even an empty one.
    if ClassInfo.lacksValues(model) { return Results(nothing: Element.self) }
    return Results(ObjectQuery(Table(unmanaged: model)), session)
  }
}

extension Realm {
  /// Deletes the objects of a map, and empties the map. In other maps with these objects, the keys
  /// remain with nil.
  public func delete<Key, Element: ObjectBase>(_ objects: Map<Key, Element?>) {
    for object in objects.values.compactMap({ $0 }) where !object.isInvalidated {
      session.delete(object)
    }
    guard let owner = objects.realm?.session, session.sharesFile(with: owner),
      !objects.isInvalidated
    else { return }
    objects.removeAll()
  }
}

extension Results {
  /// Whether the realm was invalidated since the results were created. Otherwise results are valid
  /// as long as their realm.
  public var isInvalidated: Bool {
    switch source {
    case .objects(let objects): objects.isInvalidated
    case .values(let values): values.rows?.isInvalidated ?? false
    }
  }
}

extension LinkingObjects {
  /// Whether the realm was invalidated since the linking objects were read. A deleted object has no
  /// linking objects.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
}

extension Realm {
  /// Returns all objects of a class, without its subclasses, in the order in which they were added.
  ///
  /// A class that `objectTypes` doesn't list is an error, and the results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported through `IssueReporting`.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    results(of: type)
  }

  /// Returns the object with a primary key; nil if it doesn't exist.
  ///
  /// A class without a primary key, or a key of another type, is an error and gives nil. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported through `IssueReporting`.
  public func object<Element: Object, Key>(
    ofType type: Element.Type, forPrimaryKey key: Key
  ) -> Element? {
    do {
      return try session.object(type, forPrimaryKey: key).map { unsafeDowncast($0, to: type) }
    } catch {
      session.report(error)
      return nil
    }
  }
}

extension ObjectBase {
  /// The realm of the object; nil for an object that was not added, or was deleted.
  public var realm: Realm? {
    guard let session = _context as? Session else { return nil }
    return Realm(session: session, configuration: Realm.Configuration(openStore: session.store))
  }
}

extension Realm {
  /// Writes a compacted copy of the realm to a new file.
  ///
  /// ```swift
  /// try realm.writeCopy(toFile: folder.appendingPathComponent("people-copy.sqlite"))
  /// ```
  /// The copy is a single file, which is complete when the method returns. It has all commits up to
  /// one moment, including the WAL, while others continue to write. Inside of a write transaction,
  /// the copy has the changes made so far, and takes as much memory as the size of the file. Use
  /// this method to copy an open file: other means don't copy the WAL, and may lose commits of
  /// other processes (`docs/reliability.md`).
  /// - Parameters:
  ///   - fileURL: The URL of the copy.
  ///   - encryptionKey: The key of the copy, independent of the realm's key; nil for an unencrypted
  ///     copy.
  /// - Throws: ``Realm/Error`` with code `fileExists` when the copy already exists, `fileNotFound`
  ///   when its folder doesn't exist, `filePermissionDenied`, `fileAccess` when the copy can't be
  ///   written, or `fail` for an invalid key. No copy exists then.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey, nil)
  }

  /// Writes a compacted copy with a cancellation.
  package func writeCopy(
    toFile fileURL: URL, encryptionKey: Data?, _ cancellation: Cancellation?
  ) throws {
    var configuration = Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration, cancellation)
  }

  /// Writes a compacted copy of the realm to the file of a configuration: see
  /// ``writeCopy(toFile:encryptionKey:)``.
  public func writeCopy(configuration: Configuration) throws {
    try writeCopy(configuration: configuration, nil)
  }

  private func writeCopy(configuration: Configuration, _ cancellation: Cancellation?) throws {
    let resolved = try ResolvedConfiguration(configuration)
    if let replica = resolved.replica { throw replica.file.cannotBeChanged }
    guard case .file(let url) = resolved.location else {
      throw RealmError(
        .fail,
        "A realm can't be copied into memory: set `fileURL` instead of `inMemoryIdentifier`.")
    }
    try resolved.createDefaultFolder()
    try session.writeCopy(to: url, resolved.key, cancellation)
  }
}

extension Realm {
  /// Runs a closure in which `Realm()`, and every other call with a default configuration, uses the
  /// given configuration.
  ///
  /// ```swift
  /// let count = try Realm.withConfiguration(tenant.configuration) {
  ///   try Realm().objects(Order.self).count
  /// }
  /// ```
  /// The configuration applies to this thread until the closure returns or throws, and to tasks
  /// that the closure creates with `async let`, task groups and `Task { }`, for as long as they
  /// run. It doesn't apply to `Task.detached`, other threads and dispatch queues: read
  /// ``RealmConfiguration/current`` first, and pass the value to them. In nested calls, the
  /// innermost configuration applies. A configuration that is passed to a call is always used
  /// unchanged. Setting ``RealmConfiguration/defaultConfiguration`` has an effect only outside of
  /// the closure.
  ///
  /// This method neither opens nor creates a file. Realms keep the configuration with which they
  /// were opened.
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - operation: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func withConfiguration<Result>(
    _ configuration: Configuration, operation: () throws -> Result
  ) rethrows -> Result {
    try Configuration.$ofTask.withValue(configuration, operation: operation)
  }

  /// Runs an asynchronous closure in which `Realm()`, and every other call with a default
  /// configuration, uses the given configuration.
  ///
  /// ```swift
  /// try await Realm.withConfiguration(tenant.configuration) {
  ///   let realm = try await Realm.open()
  ///   try await realm.asyncWrite { _ = realm.create(Order.self) }
  /// }
  /// ```
  /// The closure runs on the caller's actor. As with ``withConfiguration(_:operation:)``, the
  /// configuration applies to this task and to tasks that the closure creates, whichever actors
  /// they run on, but not to `Task.detached`.
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - isolation: The actor of the caller.
  ///   - operation: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func withConfiguration<Result>(
    _ configuration: Configuration, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await Configuration.$ofTask.withValue(
      configuration, operation: operation, isolation: isolation)
  }
}

extension ThreadConfined {
  /// The realm of the value; nil for an unmanaged value.
  public var realm: Realm? {
    _confined().map {
      Realm(session: $0.session, configuration: Realm.Configuration(openStore: $0.session.store))
    }
  }
}
