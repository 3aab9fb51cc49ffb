import Foundation
import GRDB
import Logging
import StrataStorage

/// An attempt to open one file, in steps: each step reads the state of the file, and makes the next
/// necessary change.
struct OpeningAttempt {
  private var configuration: ResolvedConfiguration
  private let discovered: DiscoveredSchema
  private let url: URL
  private let temporaryFolder: TemporaryFolder?
  private let busyTimeout: BusyTimeout
  private let readers: Readers
  /// The connection that reads the file's state, until it becomes the writer; nil for a read-only
  /// file.
  private var looking: FileConnection?
  /// The writing connection, from its first use on.
  private var openedWriter: DatabaseQueue?
  /// The state in which this process has just left the file.
  private var knownState: FileState?
  private var content: StoreFile.Content
  /// The backup before a migration; nil for none, and after the first migration.
  private var backup: MigrationBackup?
  private var hasRepaired = false
  /// The version of the file when its state was last read.
  private(set) var seenVersion: UInt64?

  /// An error for a file that another program replaced during the opening.
  struct FileExchanged: Error {}

  /// - Parameters:
  ///   - temporaryFolder: The folder of the file, for a realm in memory.
  ///   - published: The file, for a replica.
  init(
    _ configuration: ResolvedConfiguration, _ discovered: DiscoveredSchema, _ url: URL,
    _ temporaryFolder: TemporaryFolder?, published: PublishedFile? = nil
  ) throws {
    self.configuration = configuration
    self.discovered = discovered
    self.url = url
    self.temporaryFolder = temporaryFolder
    content = try StoreFile.inspect(url, forWriting: !configuration.isReadOnly)
    busyTimeout = BusyTimeout(
      ofWrites: configuration.settings.writeTimeout, configuration.cancellation)
    readers =
      published.map { Readers(showing: $0, configuration.key) }
      ?? Readers(url, configuration.key, for: .store)
    backup = temporaryFolder == nil ? configuration.settings.migrationBackup : nil
    let needsFile = configuration.settings.dynamicClasses == .all && content == .nothing
    if configuration.isReadOnly || needsFile { try StoreFile.requireDatabase(url) }
    if content == .database, published == nil { readers.recordFile() }
    if content == .database, !configuration.isReadOnly {
      looking = try Connections.openChangeable(url, configuration.key, busyTimeout: busyTimeout)
    }
    if content == .database { try compact() }
  }

  /// Opens the file, or changes the file and returns nil: then another step follows.
  mutating func step() throws -> Store? {
    let state = try knownState ?? state()
    knownState = nil
    seenVersion = state.version
    let isDynamic = configuration.settings.dynamicClasses == .all
    do {
      if !isDynamic, let store = try newerStore(state) { return store }
      let target =
        try isDynamic
        ? classes(of: state)
        : discovered.named(besides: state.schema, readOnly: configuration.isReadOnly)
      let decision =
        try isDynamic
        ? .nothing
        : OpenDecision.decide(
          current: state.version.map { ($0, state.schema) }, target: target.schema,
          configuration: configuration)
      switch decision {
      case .nothing where needsRepair(state): try repair(target, state)
      case .nothing where wantsOtherHistory(state, target): try keepHistory(target, state)
      case .nothing where try !isDynamic && wantsOlderWrites(state):
        try adoptOlderWrites(target, state)
      case .nothing: return try store(target, state)
      case .create, .startOver:
        try migrate(
          configuration.stages(from: .missing, to: target), state,
          startsOver: decision == .startOver)
      case .migrate: try migrate(configuration.stages(from: state, to: target), state)
      case .applyFreeChanges: try applyFreeChanges(target, state)
      }
    } catch is Migrator.FileMoved {
      // Another process was faster.
    }
    content = .database
    return nil
  }

  /// Returns the file's own classes, whose version the configuration takes over.
  private mutating func classes(of state: FileState) throws -> DiscoveredSchema {
    guard let version = state.version else {
      throw RealmError(.invalidDatabase, ErrorText.notInitialized(configuration.name))
    }
    configuration.schemaVersion = version
    return try DiscoveredSchema.dynamic(state.schema)
  }

  /// Opens a file of a newer version, whose schema an older program never changes: missing classes,
  /// indexes and triggers are not created, and the history keeps its settings. Returns nil for
  /// other files, and for a file that is emptied instead.
  private mutating func newerStore(_ state: FileState) throws -> Store? {
    guard configuration.settings.opensNewerVersions, let version = state.version,
      version > configuration.schemaVersion
    else { return nil }
    let recorded = try look { try VersionTable.recorded($0, at: url) }
    let compatibility = Compatibility.of(
      program: discovered.schema, version: configuration.schemaVersion, with: recorded)
    if configuration.settings.deleteRealmIfMigrationNeeded,
      !compatibility.obstacles(to: .changing).isEmpty
    {
      return nil
    }
    try compatibility.check(
      readOnly: configuration.isReadOnly, configuration.schemaVersion, of: version, at: url)
    let target = try discovered.renamed(compatibility.names)
      .named(besides: state.schemaWithRetired, readOnly: true)
    return try store(target, state, NewerFile(version: version, compatibility: compatibility))
  }

  // MARK: Looking

  private func state() throws -> FileState {
    guard content == .database else { return .missing }
    return try look { try FileState.read($0, at: url) }
  }

  /// Runs a closure with the available connection.
  private func look<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard let queue = openedWriter ?? looking?.queue else { return try readers.read(body) }
    return try queue.unsafeRead(body)
  }

  private func needsRepair(_ state: FileState) -> Bool {
    state.needsRepair && !configuration.isReadOnly && !hasRepaired
  }

  /// Returns whether the configuration's history settings differ from the file's.
  private func wantsOtherHistory(_ state: FileState, _ target: DiscoveredSchema) -> Bool {
    guard let wish = configuration.settings.history, !configuration.isReadOnly else {
      return false
    }
    return wish.settings(of: target) != state.history
  }

  /// Returns whether objects of older programs are to be adopted. Logs their number if the program
  /// adopts none.
  private func wantsOlderWrites(_ state: FileState) throws -> Bool {
    guard !configuration.isReadOnly, state.mayHaveOlderWrites,
      try look({ try OlderWrites.oldestVersion($0) }) != nil
    else { return false }
    guard configuration.settings.adoptsOlderWrites == nil else { return true }
    let counts = try look { try OlderWrites.counts(state.schema, $0) }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.value) of '\($0.key)'" }
    configuration.logger.info(
      "Older programs have added or changed objects: \(list.joined(separator: ", ")).",
      metadata: ["path": "\(url.path)"])
    return false
  }

  // MARK: Changing

  private mutating func writer() throws -> DatabaseQueue {
    if let openedWriter { return openedWriter }
    busyTimeout.set(BusyTimeout.migration)
    let writer =
      try looking.map { try Connections.makeWriter(of: $0, busyTimeout: busyTimeout) }
      ?? Connections.openWriter(url, configuration.key, busyTimeout: busyTimeout)
    looking = nil
    openedWriter = writer
    // The writer may just have created the file.
    if content != .database { readers.recordFile() }
    return writer
  }

  private func migrator(_ stages: [ResolvedStage] = []) -> Migrator {
    Migrator(
      configuration: configuration, stages: stages, url: url, readers: readers, backup: backup)
  }

  /// Asks the program whether to compact the file, and compacts it if so.
  private mutating func compact() throws {
    guard let shouldCompact = configuration.settings.shouldCompactOnLaunch else { return }
    let (total, used) = try look { db -> (Int, Int) in
      let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      return (pages * size, (pages - free) * size)
    }
    guard shouldCompact(total, used) else { return }
    try writer().writeWithoutTransaction { db in
      try Cancellation.watch(db, for: configuration.cancellation) {
        try db.execute(sql: "VACUUM")
      }
    }
  }

  private mutating func migrate(
    _ stages: [ResolvedStage], _ state: FileState, startsOver: Bool = false
  ) throws {
    let migrating = state.version.flatMap { _ in
      configuration.observers?.begin(.migrate, within: configuration.opening)
    }
    var migrator = migrator(stages)
    if let target = stages.last?.target { migrator.newHistory = try wantedHistory(of: target) }
    let (report, left) = try migrating.measure {
      try migrator.migrate(writer(), expecting: state, startsOver: startsOver)
    }
    knownState = left
    report.log(
      to: configuration.logger, at: configuration.settings.migrationLogLevel, path: url.path)
    if report.from != nil { configuration.settings.didMigrate?(report) }
    // Later stages begin with the result of this one, and need no backup.
    backup = nil
  }

  private mutating func applyFreeChanges(_ target: DiscoveredSchema, _ state: FileState) throws {
    try migrator().applyFreeChanges(of: target, writer(), expecting: state)
  }

  private mutating func adoptOlderWrites(_ target: DiscoveredSchema, _ state: FileState) throws {
    guard let adopt = configuration.settings.adoptsOlderWrites else { return }
    try migrator().adopt(adopt, by: target, writer(), expecting: state)
  }

  /// Creates triggers and indexes that another program dropped. The file can be read without them.
  private mutating func repair(_ target: DiscoveredSchema, _ state: FileState) throws {
    hasRepaired = true
    do {
      try applyFreeChanges(target, state)
    } catch let error as Migrator.FileMoved {
      throw error
    } catch {
      configuration.logger.notice(
        "The triggers of '\(url.path)' can't be made again: \(error)")
    }
  }

  /// Adds an entry to the history if the file is a copy, as its consumers must know.
  private mutating func recordCopy(_ state: FileState) throws {
    guard state.history != nil, !configuration.isReadOnly,
      try look({ try FileOrigins.areOfAnotherFile($0) })
    else { return }
    let writer = try writer()
    busyTimeout.set(configuration.settings.writeTimeout)
    try migrator().recordCopy(writer, expecting: state)
    configuration.logger.notice(
      "'\(url.path)' is a copy: its history has an entry, and consumers read all objects again.")
  }

  /// Begins or ends the history, or changes its settings, as configured.
  private mutating func keepHistory(_ target: DiscoveredSchema, _ state: FileState) throws {
    let settings = try wantedHistory(of: target)
    try migrator().keepHistory(settings, writer(), expecting: state)
    guard state.history != nil else { return }
    configuration.logger.notice(
      "The history of '\(url.path)' \(settings == nil ? "has ended" : "has other settings now").")
  }

  /// Returns the configured history settings; nil for none.
  ///
  /// - Throws: ``RealmError`` if the SQLite library doesn't support a history with these settings.
  private func wantedHistory(of target: DiscoveredSchema) throws(RealmError) -> HistorySettings? {
    guard let settings = configuration.settings.history?.settings(of: target) else { return nil }
    guard ChangeHook.isAvailable || settings.notesOtherPrograms else {
      throw RealmError(
        .fail,
        "The SQLite library of this program has no pre-update hook, so a history needs triggers. Leave "
          + "`notesOtherPrograms` true.", fileURL: url)
    }
    return settings
  }

  // MARK: Ending

  private func classes(_ target: DiscoveredSchema, _ state: FileState) throws -> StoreClasses {
    let dynamic = configuration.settings.dynamicClasses
    return StoreClasses(
      discovered: dynamic == .others ? try target.withOthers(of: state.schema) : target,
      declared: discovered, includesAllDeclared: configuration.types == nil, dynamic: dynamic)
  }

  private mutating func store(
    _ target: DiscoveredSchema, _ state: FileState, _ newer: NewerFile? = nil
  ) throws -> Store {
    try recordCopy(state)
    try look { try TextSearchSupport.check(target.schema, $0) }
    // New connections would show another file.
    guard readers.showsNamedFile else { throw FileExchanged() }
    busyTimeout.endOpening()
    // Returns the connection to the readers, where it doesn't share the writer's busy timeout.
    if let looking { readers.giveBack(looking) }
    let missing = Set(
      target.schema.objectSchema.map(\.className).filter { state.schema[$0] == nil })
    let classes = try classes(target, state)
    return Store(
      StoreFile(
        url: configuration.url ?? url, isTemporary: temporaryFolder != nil, key: configuration.key),
      storeSettings, classes,
      StoreConnections(
        readers: readers, writer: openedWriter,
        busyTimeout: openedWriter == nil
          ? BusyTimeout(ofWrites: configuration.settings.writeTimeout) : busyTimeout),
      in: temporaryFolder, missing: missing, keepsHistory: state.history != nil, newer: newer,
      replica: configuration.replica.map {
        ReplicaLookout.Source(
          folder: $0.file.folder, fixedAt: $0.settings.asOf,
          opensNewerVersions: configuration.settings.opensNewerVersions,
          fits: ReplicaFit(
            discovered: classes.discovered, missing: missing,
            version: configuration.schemaVersion,
            namedAt: newer?.version ?? configuration.schemaVersion
          ).check)
      }, observers: configuration.observers)
  }

  private var storeSettings: StoreSettings {
    StoreSettings(
      schemaVersion: configuration.schemaVersion, isReadOnly: configuration.isReadOnly,
      memoryIdentifier: configuration.settings.inMemoryIdentifier,
      author: configuration.settings.history?.author,
      maxActiveVersions: configuration.settings.maximumNumberOfActiveVersions,
      opensNewerVersions: configuration.settings.opensNewerVersions,
      logger: configuration.logger)
  }
}
