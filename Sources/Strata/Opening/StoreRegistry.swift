import CStrataRuntime
import Foundation
import Logging
import StrataStorage
import Synchronization

/// The open files of the process. Each file is opened and migrated once, and then shared.
final class StoreRegistry: Sendable {
  static let shared = StoreRegistry()

  /// The entry of a path, with the lock under which the path is opened.
  private final class Entry: Sendable {
    private let turn = OpeningTurn()
    private let state = Mutex(State())

    /// The state of a path, which may be read at any time, also during an opening.
    private struct State {
      weak var store: Store?
      /// The threads that read the classes with which the file is to be opened.
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

    /// Reads the classes before waiting for the turn: their initializers may run on only one thread
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

    /// Whether `Realm.close` waits for the file. Then the file can't be opened.
    @inline(never) var isClosing: Bool { state.withLock { $0.closings > 0 } }

    @inline(never) func recordClosing(_ change: Int) { state.withLock { $0.closings += change } }

    @inline(never) var openStore: Store? { state.withLock { $0.store } }
  }

  private let entries = Mutex(Entries())

  enum Key: Hashable {
    case file(PathKey)
    case memory(identifier: String)
    /// Each fixed version has a key of its own.
    case replica(PathKey, PublicationName?)
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The number of paths at which unused entries are removed.
    var maxBeforeSweep = StoreRegistry.minCount

    /// Removes the entries that are not open, and that no thread is about to open, close or remove:
    /// a server may use a new path for each of its tasks.
    ///
    /// - Returns: The open stores, to be released outside of the lock, because closing a store
    ///   takes time.
    mutating func sweep() -> [Store] {
      var stores: [Store] = []
      for key in Array(byKey.keys) {
        guard var entry = byKey.removeValue(forKey: key) else { continue }
        let store = entry.openStore
        if let store { stores.append(store) }
        let isNeeded = !isKnownUniquelyReferenced(&entry) || store != nil
        if isNeeded { byKey[key] = entry }
      }
      maxBeforeSweep = max(StoreRegistry.minCount, 2 * byKey.count)
      return stores
    }
  }

  private static let minCount = 64

  @inline(never) var count: Int { entries.withLock { $0.byKey.count } }

  @inline(never) private func entry(_ key: Key) -> Entry {
    let (entry, stores) = entries.withLock { entries -> (Entry, [Store]) in
      if let entry = entries.byKey[key] { return (entry, []) }
      let isFull = entries.byKey.count >= entries.maxBeforeSweep
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

  /// Returns the store of a configuration: the open one, or one that is opened and, if necessary,
  /// migrated.
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

  func openStore(_ location: ResolvedConfiguration.Location) -> Store? {
    entry(Self.key(location, location.name)).openStore
  }

  /// Waits until the file is closed. Until then, opening the file is an error.
  ///
  /// - Returns: A description of what still keeps the file open after the time limit; nil if the
  ///   file is closed.
  func close(_ configuration: ResolvedConfiguration, within patience: Duration) async throws
    -> String?
  {
    let entry = entry(configuration)
    entry.recordClosing(1)
    defer { entry.recordClosing(-1) }
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
    return entry.isOpening ? "another thread that is opening it" : "observations or frozen objects"
  }

  private func isClosed(_ entry: Entry, _ configuration: ResolvedConfiguration) -> Bool {
    guard !entry.isOpening, entry.openStore == nil else { return false }
    guard case .file(let url) = configuration.location else { return true }
    // The connections of a store are closed after the store, perhaps on another thread.
    return OpenConnections.shared.waitUntilClosed(url, [.store], atMost: 0)
  }

  /// Waits for a store whose last realm was released. Such a store may still be closing its
  /// connections on another thread.
  private func waitForClosing(_ configuration: ResolvedConfiguration) {
    guard case .file(let url) = configuration.location else { return }
    if OpenConnections.shared.waitUntilClosed(url, [.store], atMost: Self.longestClosing) { return }
    // Continuing is safe: SQLite isolates several connections of a process to one file.
    configuration.logger.notice(
      "Connections of an earlier realm at '\(url.path)' are still open.")
  }

  /// The longest wait, in seconds.
  private static let longestClosing: TimeInterval = 10

  /// Runs a closure while the path can't be opened and the process has no connection to it for one
  /// of the given purposes.
  ///
  /// - Throws: ``RealmError`` with code `alreadyOpen` and the message if the file is open.
  func whileClosed<Result>(
    _ configuration: ResolvedConfiguration,
    noneFor purposes: Set<OpenConnections.Purpose> = [.store, .inspection],
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
      // Others may open the file during the wait.
    } while isClosed(atMost: max(0, end.timeIntervalSinceNow))
    throw RealmError(.alreadyOpen, message())
  }
}

extension ResolvedConfiguration {
  /// Checks that a configuration fits an open file. The file keeps its schema, so that opening it
  /// with another one is an error.
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
    // A library with more models may have been loaded since; these classes don't count here.
    if types == nil && store.classes.includesAllDeclared { return }
    let declared = try DiscoveredSchema.of(types)
    if !declared.hasSameClasses(as: store.classes.declared) { throw mismatch("set of classes") }
  }
}
