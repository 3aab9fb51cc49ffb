import Foundation
import GRDB
import StrataRealmImport
import StrataStorage

/// An opener of a file that is not open in this process.
struct StoreOpener {
  private var configuration: ResolvedConfiguration
  private let discovered: DiscoveredSchema
  private let url: URL
  private let folder: TemporaryFolder?
  /// The maximum number of steps. An opening takes two or three, plus one for each schema change by
  /// another process in between.
  private static let maxSteps = 100

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

  func open() throws -> Store {
    var opener = self
    opener.configuration.opening = configuration.observers?.begin(.open, for: configuration.caller)
    return try opener.configuration.opening.measure { try opener.openFile() }
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
      // The block's own error is thrown unchanged.
      throw failure.error
    } catch {
      var translated = RealmError(error, at: url)
      if translated.fileURL == nil { translated.fileURL = url }
      throw translated
    }
  }

  /// Converts a Realm file to the file of the configuration, without opening the result.
  ///
  /// - Throws: ``RealmError`` with code `fileExists` if the file exists, or `CancellationError`.
  func convert(_ conversion: RealmFileConversion) throws -> ConversionReport {
    try RealmFileConverter(conversion, to: url, configuration.key, configuration.cancellation)
      .convert(checking: checkDecision)
  }

  /// Checks whether a file with a version and a schema could be opened.
  private func checkDecision(_ version: UInt64, _ schema: Schema) throws {
    _ = try OpenDecision.decide(
      current: (version, schema), target: discovered.named(besides: schema).schema,
      configuration: configuration)
  }

  /// Opens the newest version of a replica. Waits for a version, if configured.
  private func openReplica(_ replica: ReplicaFile) throws -> Store {
    let end = ContinuousClock.now + replica.patience
    var deletedVersions = 0
    while true {
      var attempt: OpeningAttempt?
      var published: PublishedFile?
      do {
        let file = try replica.file()
        published = file
        attempt = try OpeningAttempt(configuration, discovered, file.url, nil, published: file)
        if let store = try attempt?.step() { return store }
        throw RealmError(.fileAccess, "The replica can't be opened.", fileURL: file.url)
      } catch {
        // The version was replaced and deleted during the opening.
        if let published, !published.hasName, deletedVersions < Self.maxDeletedVersions {
          deletedVersions += 1
          continue
        }
        let isOtherVersion = attempt?.seenVersion.map { $0 != configuration.schemaVersion } ?? false
        let isTooEarly = published == nil && (error as? RealmError)?.code == .fileNotFound
        guard isTooEarly || isOtherVersion, ContinuousClock.now < end else {
          // Includes the path of the version.
          throw published.map { RealmError(error, at: $0.url) } ?? error
        }
        try configuration.cancellation?.check()
        usleep(50_000)
      }
    }
  }

  private static let maxDeletedVersions = 3

  private func openInSteps() throws -> Store {
    for _ in 0..<Self.maxExchanges {
      do {
        return try openUnreplacedFile()
      } catch is OpeningAttempt.FileExchanged {
        // Retries with the file that has the name now.
      }
    }
    throw RealmError(
      .fileNotFound,
      "Realm at path '\(url.path)' can't be opened: other programs keep deleting or replacing its "
        + "file. Stop them, and open it again.", fileURL: url)
  }

  private static let maxExchanges = 10

  private func openUnreplacedFile() throws -> Store {
    var attempt = try OpeningAttempt(configuration, discovered, url, folder)
    // Stages that commit on their own take one step each.
    for _ in 0..<Self.maxSteps + (configuration.settings.migrationPlan?.stages.count ?? 0) {
      if let store = try attempt.step() { return store }
    }
    throw RealmError(
      .fileAccess,
      "Realm at path '\(url.path)' can't be opened: other processes keep changing its schema. Use "
        + "the same classes and schema version in all of them.", fileURL: url)
  }
}

/// A reader of a file's version and version history. Never creates or changes a file.
enum VersionReader {
  static func version(of url: URL, _ key: FileKey?) throws(RealmError) -> UInt64 {
    try read(url, key) { _, version in version }
  }

  static func history(of url: URL, _ key: FileKey?) throws(RealmError) -> [SchemaVersion] {
    try read(url, key) { db, _ in try VersionTable.history(db, at: url) }
  }

  static func recorded(of url: URL, _ key: FileKey?) throws(RealmError) -> RecordedFile {
    try read(url, key) { db, _ in try VersionTable.recorded(db, at: url) }
  }

  /// Reads from a file with a version.
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
    let readers = Readers(url, key, for: .inspection)
    defer { readers.close() }
    return try translatingErrors(at: url) {
      try readers.read { db in
        guard let version = try FileState.read(db, at: url).version else { throw missing }
        return try body(db, version)
      }
    }
  }
}

/// A file that is copied to create a realm's file.
struct SeedFile {
  let url: URL
  /// The URL of the realm's file.
  let target: URL
  /// The encryption key of both files.
  let key: FileKey?

  init(_ url: URL, to target: URL, _ key: FileKey?) {
    self.url = StoreFile.behindLinks(url)
    self.target = target
    self.key = key
  }

  /// Whether the realm's file doesn't exist yet.
  var isWanted: Bool { !FileManager.default.fileExists(atPath: target.path) }

  /// Inspects the seed without changing it.
  func inspect() throws(RealmError) -> StoreFile.Content {
    try check()
    return try StoreFile.inspect(url, forWriting: false)
  }

  private func check() throws(RealmError) {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw failure(.fileNotFound, "\(FileReason.text(ENOENT)) Correct `seedFilePath`.")
    }
    // A seed that a program is writing to is not the file that the program was shipped with.
    if StoreFile.isQuiet(url.path) { return }
    throw failure(
      .fileAccess,
      "Some of its changes are in '\(url.path)-wal' only. Close the seed in all programs, or run "
        + "'PRAGMA wal_checkpoint(TRUNCATE)' on it.")
  }

  /// Copies the seed, if the realm's file doesn't exist.
  ///
  /// If another process is faster, its copy remains, because it may have been written to already.
  func copy() throws(RealmError) {
    guard isWanted else { return }
    // An empty file has no content to copy.
    guard try inspect() == .database else { return }
    // A seed may be read-only; the copy must not be.
    let permissions = FilePermissions(of: url)?.writable
    do {
      _ = try CopyDestination.fill(target) { temporary in
        let (queue, appearance) = try Connections.openReadOnly(url, key)
        try queue.unsafeRead {
          try DatabaseCopy.make(of: $0, at: temporary, like: permissions, .init(key))
        }
        guard appearance == nil || appearance == FileAppearance(of: url) else {
          throw RealmError(.fileAccess, "Another program has written to it meanwhile.")
        }
      }
    } catch {
      let reason =
        error is RealmError || error is DatabaseError
        ? RealmError(error, at: url).message : FileReason.text(error)
      throw failure(
        RealmError(error, at: url).code,
        "\(reason) Free some space, and check that the folder is writable.", error)
    }
  }

  private func failure(
    _ code: RealmError.Code, _ reason: String, _ error: (any Error)? = nil
  ) -> RealmError {
    RealmError(
      code, "The seed file at path '\(url.path)' can't be copied to '\(target.path)': \(reason)",
      fileURL: url, underlyingError: error)
  }
}
