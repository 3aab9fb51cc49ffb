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
/// Opening a file creates it, or migrates it to the classes of the program. The first open of a
/// file in a process does that; later ones share what is open. A realm and the objects from it
/// belong to the task or thread that opened it, or to the main actor; another one opens its own,
/// and gets "Realm accessed from incorrect thread." when it uses this one. Opening again costs
/// microseconds.
public struct Realm {
  private let holder: SessionHolder

  var session: Session { holder.session }

  /// The configuration that this realm was opened with.
  public let configuration: Configuration

  /// Opens the file of a configuration; migrates it if the program is at a higher schema version.
  ///
  /// - Throws: ``Realm/Error`` (`schemaMismatch` when classes changed and `schemaVersion` didn't,
  ///   `fail` for a lower version, a mistake in the models or in the migration block, and others
  ///   for the file), or the error of the migration block. The file is then unchanged.
  public init(configuration: Configuration = .current) throws {
    try self.init(configuration: configuration, nil)
  }

  /// The same with a cancellation, as ``open(configuration:downloadBeforeOpen:isolation:)`` has it.
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

  /// Whether there are no objects.
  public var isEmpty: Bool {
    session.store.tables.allSatisfy { ObjectResults(ObjectQuery($0), session).isEmpty }
  }

  /// Shows the newest committed state, and looks for changes by other processes now, instead of
  /// within the fifth of a second in which they are noticed anyway.
  ///
  /// Only a realm that is observed, or whose ``autorefresh`` is false, shows an older state.
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

  /// Whether the realm shows what others commit without ``refresh()``; true unless it is set.
  ///
  /// ```swift
  /// realm.autorefresh = false  // the report is made of one state of the file
  /// ```
  /// With false, all objects and results of the realm stay as they are until `refresh()`, or until
  /// the realm writes; observers hear of what it writes itself, and of what others have written
  /// when it begins to write. Meanwhile the WAL can't be checkpointed, and grows with each commit.
  /// It is a property of the place: all realms of the file there have the same.
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

  /// Where a realm is, which classes it has, and how it is migrated.
  public typealias Configuration = RealmConfiguration

  /// The error that opening, writing and migrating throw.
  public typealias Error = RealmError
}

extension Realm: Equatable {
  /// Whether both are the same file, on the same thread.
  public static func == (first: Realm, second: Realm) -> Bool {
    first.session === second.session
  }
}

extension Realm.Configuration {
  /// The configuration of a store that is open.
  init(openStore store: Store) {
    self.init(
      fileURL: store.file.url, inMemoryIdentifier: store.settings.memoryIdentifier,
      encryptionKey: store.file.key?.bytes, readOnly: store.settings.isReadOnly,
      schemaVersion: store.classes.dynamic == .all ? 0 : store.settings.schemaVersion,
      objectTypes: store.classes.objectTypes,
      logger: store.logger.flatMap { $0.handler is SharedLogHandler ? nil : $0 })
    dynamicClasses = store.classes.dynamic
    if let replica = store.replica {
      self.replica = Replica(folder: replica.folder.url, asOf: replica.fixedAt)
    }
  }
}

extension Realm {
  /// Everything that a class, or a projection of one, has in the realm: `objects(_:)` for code that
  /// is generic over both.
  ///
  /// For a class that `objectTypes` lacks there are none: see `objects(_:)` of model classes.
  @_disfavoredOverload
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    results(of: Element._elementClass)
  }

  /// Everything that a model class has in the realm, as elements.
  func results<Element: RealmCollectionValue>(of model: ObjectBase.Type?) -> Results<Element> {
    session.reportPlace()
    guard let model else { return Results(nothing: Element.self) }
    if let table = session.table(model) { return Results(ObjectQuery(table), session) }
    session.note(.notManaged(model))
    // Such a class has no table, not even an empty one.
    if ClassInfo.lacksValues(model) { return Results(nothing: Element.self) }
    return Results(ObjectQuery(Table(unmanaged: model)), session)
  }
}

extension Realm {
  /// Deletes the objects of a map, which is empty then. Where other maps lead to them, keys stay,
  /// with nil.
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
  /// Whether the realm was invalidated since; otherwise results can be used as long as their realm.
  public var isInvalidated: Bool {
    switch source {
    case .objects(let objects): objects.isInvalidated
    case .values(let values): values.rows?.isInvalidated ?? false
    }
  }
}

extension LinkingObjects {
  /// Whether the realm was invalidated since. Nothing links to a deleted object.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
}

extension Realm {
  /// All objects of a class, not of its subclasses, in the order in which they were added.
  ///
  /// For a class that `objectTypes` lacks there are none: inside of `write` that is the error which
  /// `write` throws, anywhere else it is reported through `IssueReporting`.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    results(of: type)
  }

  /// The object with a primary key; nil when there is none.
  ///
  /// For a class without a primary key, or a key of another type, there is none: inside of `write`
  /// that is the error which `write` throws, anywhere else it is reported through `IssueReporting`.
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
  /// The realm that the object belongs to; nil for one that was not added, or was deleted.
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
  /// The copy is one file that is whole when this returns: everything that is committed, from the
  /// log too, as of one moment, while others continue to write. Inside of a write transaction it
  /// has the changes made so far, and takes as much memory as the file is large. This is the way to
  /// copy a file that is open: copying it by other means leaves out its WAL, and may cost other
  /// processes what they commit (`docs/reliability.md`).
  /// - Parameters:
  ///   - fileURL: Where the copy will be.
  ///   - encryptionKey: The key of the copy, whatever that of the realm is; nil for a copy that
  ///     isn't encrypted.
  /// - Throws: ``Realm/Error`` with code `fileExists` when there is a file already, `fileNotFound`
  ///   when there is no folder for it, `filePermissionDenied`, `fileAccess` when it can't be
  ///   written, and `fail` for a key that no file can have. Then no copy exists.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey, nil)
  }

  /// The same with a cancellation.
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
