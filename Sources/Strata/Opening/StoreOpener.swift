import Foundation
import GRDB
import Logging
import StrataRealmImport
import StrataStorage

/// Opens a file that is not open in this process.
struct StoreOpener {
  private let configuration: ResolvedConfiguration
  private let discovered: DiscoveredSchema
  private let url: URL
  private let folder: TemporaryFolder?
  /// Each attempt but the last fails because another process changed the schema in between.
  private static let mostAttempts = 100

  init(_ configuration: ResolvedConfiguration) throws(RealmError) {
    try Connections.checkSQLiteVersion()
    self.configuration = configuration
    discovered = try DiscoveredSchema.of(configuration.types)
    switch configuration.location {
    case .file(let url):
      self.url = url
      folder = nil
    case .memory:
      let folder = try TemporaryFolder()
      self.folder = folder
      url = folder.url.appendingPathComponent("memory.sqlite")
    }
  }

  /// - Throws: ``RealmError``, what the migration block threw, or `CancellationError`.
  func open() throws -> Store {
    do {
      if let conversion = configuration.settings.convertsRealmFile {
        try RealmFileConverter(conversion, to: url, configuration.key, configuration.cancellation)
          .convertIfWanted(checking: checkDecision)
      }
      if let seed = configuration.settings.seedFilePath {
        try SeedFile(url: seed, target: url, key: configuration.key).copy()
      }
      return try openFile()
    } catch  where configuration.cancellation?.isCancelled == true {
      throw CancellationError()
    } catch let failure as BlockFailure {
      // The caller knows what its own errors mean.
      throw failure.error
    } catch {
      var translated = RealmError(error, at: url)
      if translated.fileURL == nil { translated.fileURL = url }
      throw translated
    }
  }

  /// Converts a file of Realm to the one of the configuration, without opening that.
  ///
  /// - Throws: ``RealmError`` with code `fileExists` if there is one, or `CancellationError`.
  func convert(_ conversion: RealmFileConversion) throws -> ConversionReport {
    try RealmFileConverter(conversion, to: url, configuration.key, configuration.cancellation)
      .convert(checking: checkDecision)
  }

  /// - Throws: ``RealmError`` when a file at that version and with that schema couldn't be opened.
  private func checkDecision(_ version: UInt64, _ schema: Schema) throws {
    _ = try OpenDecision.decide(
      current: (version, schema), target: discovered.named(besides: schema).schema,
      configuration: configuration)
  }

  private func openFile() throws -> Store {
    var content = try StoreFile.inspect(url, forWriting: !configuration.settings.readOnly)
    if configuration.settings.readOnly { try checkReadable(content) }
    let busyTimeout = BusyTimeout(configuration.cancellation)
    var writer: DatabaseQueue?
    func openedWriter() throws -> DatabaseQueue {
      if let writer { return writer }
      busyTimeout.set(BusyTimeout.migration)
      let opened = try Connections.openWriter(url, configuration.key, busyTimeout: busyTimeout)
      writer = opened
      return opened
    }
    let readers = Readers(url, configuration.key, for: .store)
    if content == .database { try compact(readers, openedWriter) }
    var hasRepaired = false
    var backup = folder == nil ? configuration.settings.migrationBackup : nil
    // Stages that commit on their own take an attempt each.
    for _ in 0..<Self.mostAttempts + (configuration.settings.migrationPlan?.stages.count ?? 0) {
      let state =
        content == .database
        ? try readers.read { try FileState.read($0, at: url) } : FileState.missing
      let discovered = discovered.named(
        besides: state.schema, readOnly: configuration.settings.readOnly)
      let decision = try OpenDecision.decide(
        current: state.version.map { ($0, state.schema) }, target: discovered.schema,
        configuration: configuration)
      do {
        let migrator = Migrator(
          configuration: configuration, stages: try stages(for: decision, state, discovered),
          url: url,
          readers: readers,
          backup: backup)
        switch decision {
        case .nothing where state.needsRepair && !configuration.settings.readOnly && !hasRepaired:
          hasRepaired = true
          try repair {
            try migrator.applyFreeChanges(of: discovered, openedWriter(), expecting: state)
          }
        case .nothing:
          try readers.read { try TextSearchSupport.check(discovered.schema, $0) }
          busyTimeout.set(BusyTimeout.ordinary)
          return makeStore(discovered, state, readers, writer, busyTimeout)
        case .create, .migrate, .startOver:
          let report = try migrator.migrate(
            openedWriter(), expecting: state, startsOver: decision == .startOver)
          report.log(
            to: configuration.logger, at: configuration.settings.migrationLogLevel,
            path: url.path)
          if report.from != nil { configuration.settings.didMigrate?(report) }
          // The stages after this one begin with what it made.
          backup = nil
        case .applyFreeChanges:
          try migrator.applyFreeChanges(of: discovered, openedWriter(), expecting: state)
        }
      } catch is Migrator.FileMoved {
        // Another process was faster: look again at what is left to do.
      }
      content = .database
    }
    throw RealmError(
      .fileAccess,
      "Realm at path '\(url.path)' can't be opened: other processes keep changing its schema. Let all "
        + "of them use the same classes and schema version.", fileURL: url)
  }

  private func stages(
    for decision: OpenDecision, _ state: FileState, _ discovered: DiscoveredSchema
  ) throws(RealmError) -> [ResolvedStage] {
    switch decision {
    case .nothing, .applyFreeChanges: []
    case .create, .startOver: try configuration.stages(from: .missing, to: discovered)
    case .migrate: try configuration.stages(from: state, to: discovered)
    }
  }

  /// Makes triggers and indexes that another program dropped; the file can be read without them.
  private func repair(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as Migrator.FileMoved {
      throw error
    } catch {
      configuration.logger.notice(
        "The triggers of '\(url.path)' can't be made again: \(error)")
    }
  }

  private func checkReadable(_ content: StoreFile.Content) throws(RealmError) {
    let start = "Failed to open Realm file at path '\(url.path)':"
    switch content {
    case .nothing:
      throw RealmError(.fileNotFound, "\(start) No such file or directory", fileURL: url)
    case .empty:
      throw RealmError(
        .invalidDatabase, "\(start) Read-only access to empty Realm file", fileURL: url)
    case .database: break
    }
  }

  private func makeStore(
    _ discovered: DiscoveredSchema, _ state: FileState, _ readers: Readers,
    _ writer: DatabaseQueue?, _ busyTimeout: BusyTimeout
  ) -> Store {
    Store(
      file: StoreFile(url: url, isTemporary: folder != nil, key: configuration.key),
      temporaryFolder: folder,
      memoryIdentifier: configuration.settings.inMemoryIdentifier,
      discovered: discovered, opensAllClasses: configuration.types == nil,
      schemaVersion: configuration.schemaVersion, readOnly: configuration.settings.readOnly,
      missingClasses: Set(
        discovered.schema.objectSchema.map(\.className).filter { state.schema[$0] == nil }),
      mostActiveVersions: configuration.settings.maximumNumberOfActiveVersions,
      logger: configuration.logger, readers: readers, writer: writer,
      busyTimeout: busyTimeout)
  }

  /// Asks whether to compact, and does.
  private func compact(_ readers: Readers, _ writer: () throws -> DatabaseQueue) throws {
    guard let shouldCompact = configuration.settings.shouldCompactOnLaunch else { return }
    let (total, used) = try readers.read { db -> (Int, Int) in
      let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      return (pages * size, (pages - free) * size)
    }
    guard shouldCompact(total, used) else { return }
    try writer().writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
  }
}
