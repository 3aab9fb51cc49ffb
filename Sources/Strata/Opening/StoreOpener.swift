import Foundation
import GRDB
import StrataRealmImport
import StrataStorage

/// Opens a file that is not open in this process.
struct StoreOpener {
  private var configuration: ResolvedConfiguration
  private let discovered: DiscoveredSchema
  private let url: URL
  private let folder: TemporaryFolder?
  /// An opening takes two or three, and one more each time that another process changes the schema
  /// in between.
  private static let mostSteps = 100

  init(_ configuration: ResolvedConfiguration) throws(RealmError) {
    try Connections.checkSQLiteVersion()
    self.configuration = configuration
    discovered = try DiscoveredSchema.of(configuration.types)
    switch configuration.location {
    case .file(let url):
      self.url = url
      folder = nil
    case .replica(let replica):
      url = replica.folder.url
      folder = nil
    case .memory:
      let folder = try TemporaryFolder()
      self.folder = folder
      url = folder.url.appendingPathComponent("memory.sqlite")
    }
  }

  /// - Throws: ``RealmError``, what the migration block threw, or `CancellationError`.
  func open() throws -> Store {
    var opener = self
    opener.configuration.opening = configuration.observers?.begin(.open, for: configuration.caller)
    return try opener.configuration.opening.ends { try opener.openFile() }
  }

  private func openFile() throws -> Store {
    do {
      if let conversion = configuration.settings.convertsRealmFile {
        try RealmFileConverter(conversion, to: url, configuration.key, configuration.cancellation)
          .convertIfWanted(checking: checkDecision)
      }
      if let seed = configuration.settings.seedFilePath {
        try SeedFile(seed, to: url, configuration.key).copy()
      }
      if case .replica(let replica) = configuration.location { return try openReplica(replica) }
      return try openInSteps()
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

  /// Opens the version of a replica that is the newest one, and waits for one where that is wanted.
  private func openReplica(_ replica: ReplicaFile) throws -> Store {
    let end = ContinuousClock.now + replica.patience
    var versionsGone = 0
    while true {
      var attempt: OpeningAttempt?
      var published: PublishedFile?
      do {
        let file = try replica.file()
        published = file
        attempt = try OpeningAttempt(configuration, discovered, file.url, nil, published: file)
        if case .opened(let store)? = try attempt?.step() { return store }
        throw RealmError(.fileAccess, "The replica can't be opened.", fileURL: file.url)
      } catch {
        // It was replaced, and deleted, while it was being opened.
        if let published, !published.hasName, versionsGone < Self.mostVersionsGone {
          versionsGone += 1
          continue
        }
        let isOtherVersion = attempt?.seenVersion.map { $0 != configuration.schemaVersion } ?? false
        let isTooEarly = published == nil && (error as? RealmError)?.code == .fileNotFound
        guard isTooEarly || isOtherVersion, ContinuousClock.now < end else {
          // With the name of the version.
          throw published.map { RealmError(error, at: $0.url) } ?? error
        }
        try configuration.cancellation?.check()
        usleep(50_000)
      }
    }
  }

  private static let mostVersionsGone = 3

  private func openInSteps() throws -> Store {
    for _ in 0..<Self.mostExchanges {
      do {
        return try openFileThatStays()
      } catch is OpeningAttempt.FileExchanged {
        // The file that has the name now is opened instead.
      }
    }
    throw RealmError(
      .fileNotFound,
      "Realm at path '\(url.path)' can't be opened: other programs keep deleting or replacing its file. "
        + "Let them end before.", fileURL: url)
  }

  private static let mostExchanges = 10

  private func openFileThatStays() throws -> Store {
    var attempt = try OpeningAttempt(configuration, discovered, url, folder)
    // Stages that commit on their own take a step each.
    for _ in 0..<Self.mostSteps + (configuration.settings.migrationPlan?.stages.count ?? 0) {
      if case .opened(let store) = try attempt.step() { return store }
    }
    throw RealmError(
      .fileAccess,
      "Realm at path '\(url.path)' can't be opened: other processes keep changing its schema. Let all "
        + "of them use the same classes and schema version.", fileURL: url)
  }
}

/// A reader of the versions of a file. Never creates or changes one.
enum VersionReader {
  static func version(of url: URL, _ key: FileKey?) throws(RealmError) -> UInt64 {
    try read(url, key) { _, version in version }
  }

  static func history(of url: URL, _ key: FileKey?) throws(RealmError) -> [SchemaVersion] {
    try read(url, key) { db, _ in try VersionTable.history(db, at: url) }
  }

  /// - Throws: ``RealmError`` with code `invalidDatabase` for a file without a version.
  private static func read<Result>(
    _ url: URL, _ key: FileKey?, _ body: (Database, _ version: UInt64) throws -> Result
  ) throws(RealmError) -> Result {
    let missing = RealmError(.invalidDatabase, ErrorText.notInitialized(url.path), fileURL: url)
    let content: StoreFile.Content
    do {
      content = try StoreFile.inspect(url, forWriting: false)
    } catch  where error.code == .fileNotFound {
      throw missing
    }
    guard content == .database else { throw missing }
    let readers = Readers(url, key, for: .look)
    defer { readers.close() }
    return try translatingErrors(at: url) {
      try readers.read { db in
        guard let version = try FileState.read(db, at: url).version else { throw missing }
        return try body(db, version)
      }
    }
  }
}
