import CStrataRuntime
import Foundation
import Logging
import StrataStorage
import Synchronization

/// The open files of the process: each is opened, and migrated, once, and shared from then on.
final class StoreRegistry: Sendable {
  static let shared = StoreRegistry()

  /// One place for a path: it holds the lock under which the path is opened.
  private final class Entry: Sendable {
    private let turn = OpeningTurn()
    private let state = Mutex(State())

    /// The state of a path, which may be asked for at any time, also beside an opening.
    private struct State {
      weak var store: Store?
      /// The threads that look at the classes which the file is to be opened with.
      var discoverers: Set<UInt64> = []
      var closings = 0
    }

    /// Runs a closure while no other thread opens or removes the file.
    @inline(never) func locked<Result>(
      _ name: String, _ cancellation: Cancellation? = nil,
      _ body: (inout Store?) throws -> Result
    ) throws -> Result {
      try turn.taken(name, cancellation) {
        var current = openStore
        defer { state.withLock { $0.store = current } }
        return try body(&current)
      }
    }

    /// Looks at classes before it is this thread's turn: their initializers may run on one thread
    /// at a time, and one of them may be waiting for the file.
    @inline(never) func discover(_ types: [ObjectBase.Type]?, for name: String) throws {
      let thread = strata_current_thread()
      guard state.withLock({ $0.discoverers.insert(thread).inserted }) else {
        throw OpeningTurn.openedHere(name)
      }
      defer { _ = state.withLock { $0.discoverers.remove(thread) } }
      _ = try DiscoveredSchema.of(types)
    }

    /// Whether the file is being opened or removed.
    var isOpening: Bool { turn.isTaken }

    /// Whether `Realm.close` waits for the file: then it can't be opened.
    @inline(never) var isClosing: Bool { state.withLock { $0.closings > 0 } }

    @inline(never) func noteClosing(_ change: Int) { state.withLock { $0.closings += change } }

    @inline(never) var openStore: Store? { state.withLock { $0.store } }
  }

  private let entries = Mutex(Entries())

  /// The place by which an open file is found.
  enum Key: Hashable {
    case file(PathKey)
    case memory(identifier: String)
    /// Each fixed version is one of its own.
    case replica(PathKey, PublicationName?)
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The number of paths at which unused ones are forgotten.
    var mostBeforeSweep = StoreRegistry.fewest

    /// Forgets the paths that are not open, and that no thread is about to open, close or remove:
    /// a server may use a new one for each of its tasks.
    ///
    /// - Returns: The open stores, to be released outside of the lock: to close one takes its time.
    mutating func sweep() -> [Store] {
      var stores: [Store] = []
      for key in Array(byKey.keys) {
        guard var entry = byKey.removeValue(forKey: key) else { continue }
        let store = entry.openStore
        if let store { stores.append(store) }
        let isNeeded = !isKnownUniquelyReferenced(&entry) || store != nil
        if isNeeded { byKey[key] = entry }
      }
      mostBeforeSweep = max(StoreRegistry.fewest, 2 * byKey.count)
      return stores
    }
  }

  private static let fewest = 64

  /// How many paths are remembered.
  @inline(never) var count: Int { entries.withLock { $0.byKey.count } }

  @inline(never) private func entry(_ key: Key) -> Entry {
    let (entry, stores) = entries.withLock { entries -> (Entry, [Store]) in
      if let entry = entries.byKey[key] { return (entry, []) }
      let isFull = entries.byKey.count >= entries.mostBeforeSweep
      let stores = isFull ? entries.sweep() : []
      let entry = Entry()
      entries.byKey[key] = entry
      return (entry, stores)
    }
    withExtendedLifetime(stores) {}
    return entry
  }

  private func entry(_ configuration: ResolvedConfiguration) -> Entry {
    entry(Self.key(configuration.location, configuration.name))
  }

  private static func key(_ location: ResolvedConfiguration.Location, _ name: String) -> Key {
    switch location {
    case .file: .file(StoreFile.key(forPath: name))
    case .memory(let identifier): .memory(identifier: identifier)
    case .replica(let replica):
      .replica(StoreFile.key(for: replica.folder.url), replica.fixed)
    }
  }

  /// The store for a configuration: the open one, or one that is opened, and migrated if needed.
  ///
  /// - Throws: ``RealmError``, or what the migration block threw.
  func open(_ configuration: ResolvedConfiguration) throws -> Store {
    let entry = entry(configuration)
    guard !entry.isClosing else {
      throw RealmError(
        .fail,
        "Realm at path '\(configuration.name)' is being closed with 'Realm.close': open it again after "
          + "that.")
    }
    if entry.openStore == nil { try entry.discover(configuration.types, for: configuration.name) }
    return try entry.locked(configuration.name, configuration.cancellation) { store in
      if let store {
        try configuration.checkFits(store)
        return store
      }
      try configuration.createDefaultFolder()
      waitForClosing(configuration)
      let opened = try StoreOpener(configuration).open()
      try translatingErrors(at: opened.file.url) { try opened.readers.keepOne() }
      store = opened
      return opened
    }
  }

  /// The open store of a path, if there is one.
  func openStore(_ location: ResolvedConfiguration.Location) -> Store? {
    entry(Self.key(location, location.name)).openStore
  }

  /// Waits until the file is closed. Opening it is an error until then.
  ///
  /// - Returns: What still holds it when the time is over; nil when it is closed.
  /// - Throws: `CancellationError`.
  func close(_ configuration: ResolvedConfiguration, within patience: Duration) async throws
    -> String?
  {
    let entry = entry(configuration)
    entry.noteClosing(1)
    defer { entry.noteClosing(-1) }
    let end = ContinuousClock.now + patience
    while !isClosed(entry, configuration) {
      guard ContinuousClock.now < end else { return holders(of: entry) }
      try await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }

  private func holders(of entry: Entry) -> String {
    let places = entry.openStore?.sessions.places ?? []
    guard places.isEmpty else { return places.map { "\($0)" }.sorted().joined(separator: ", ") }
    return entry.isOpening ? "somebody who opens it" : "observations or frozen objects"
  }

  private func isClosed(_ entry: Entry, _ configuration: ResolvedConfiguration) -> Bool {
    guard !entry.isOpening, entry.openStore == nil else { return false }
    guard case .file(let url) = configuration.location else { return true }
    // The connections of a store are closed after it, perhaps on another thread.
    return OpenConnections.shared.waitUntilClosed(url, [.store], atMost: 0)
  }

  /// A store whose last realm has gone may still be closing its connections on another thread.
  private func waitForClosing(_ configuration: ResolvedConfiguration) {
    guard case .file(let url) = configuration.location else { return }
    if OpenConnections.shared.waitUntilClosed(url, [.store], atMost: Self.longestClosing) { return }
    // SQLite itself keeps connections of one process to one file apart.
    configuration.logger.notice(
      "Connections of an earlier realm at '\(url.path)' are still open.")
  }

  /// In seconds.
  private static let longestClosing: TimeInterval = 10

  /// Runs a closure while the path can't be opened, and the process has no connection to it that
  /// is for one of these purposes.
  ///
  /// - Throws: ``RealmError`` with code `alreadyOpen` and the message when it is open.
  func whileClosed<Result>(
    _ configuration: ResolvedConfiguration,
    noneFor purposes: Set<OpenConnections.Purpose> = [.store, .look],
    _ message: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    func isClosed(atMost seconds: TimeInterval) -> Bool {
      guard case .file(let url) = configuration.location else { return true }
      return OpenConnections.shared.waitUntilClosed(url, purposes, atMost: seconds)
    }
    try configuration.createDefaultFolder()
    let end = Date(timeIntervalSinceNow: Self.longestClosing)
    repeat {
      let result = try entry(configuration).locked(
        configuration.name, configuration.cancellation
      ) { store -> Result? in
        guard store == nil else { throw RealmError(.alreadyOpen, message()) }
        return isClosed(atMost: 0) ? try body() : nil
      }
      if let result { return result }
      // While it waits, others may open the file.
    } while isClosed(atMost: max(0, end.timeIntervalSinceNow))
    throw RealmError(.alreadyOpen, message())
  }
}

extension ResolvedConfiguration {
  /// A file that is open keeps its schema: opening it with another one is an error, not a surprise.
  func checkFits(_ store: Store) throws(RealmError) {
    func mismatch(_ what: String) -> RealmError {
      RealmError(
        .fail,
        "Realm at path '\(name)' already opened with different \(what). Use one configuration for a "
          + "file, or close the realm first.",
        fileURL: store.file.url)
    }
    if store.settings.isReadOnly != isReadOnly { throw mismatch("read permissions") }
    if store.file.key != key { throw mismatch("encryption key") }
    let dynamic = settings.dynamicClasses
    if store.classes.dynamic != dynamic { throw mismatch("set of classes") }
    if dynamic == .all { return }
    if store.settings.schemaVersion != schemaVersion {
      throw mismatch("schema version (\(store.settings.schemaVersion), now \(schemaVersion))")
    }
    // A library with more models may have been loaded since; they are not asked for here.
    if types == nil && store.classes.includesAllDeclared { return }
    let declared = try DiscoveredSchema.of(types)
    if !declared.hasSameClasses(as: store.classes.declared) { throw mismatch("set of classes") }
  }
}
