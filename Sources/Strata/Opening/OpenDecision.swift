import StrataSchema
import StrataStorage
import Synchronization

/// The action that an opening takes, decided from values alone.
enum OpenDecision: Equatable {
  /// The file matches the program, or matches as far as a read-only file must.
  case nothing
  /// The file has no schema yet, and is created.
  case create
  /// The file gets new classes and indexes, which need no higher version.
  case applyFreeChanges
  /// The file is migrated to the program's higher version.
  case migrate
  /// The file is emptied and created again: `deleteRealmIfMigrationNeeded`.
  case startOver

  /// Decides how to open a file.
  ///
  /// - Parameter current: The version and schema of the file; nil if it has none.
  static func decide(
    current: (version: UInt64, schema: Schema)?, target: Schema,
    configuration: ResolvedConfiguration
  ) throws(RealmError) -> OpenDecision {
    guard let current else {
      if configuration.isReadOnly {
        throw RealmError(.invalidDatabase, ErrorText.notInitialized(configuration.name))
      }
      return .create
    }
    let version = configuration.schemaVersion
    // The usual case, without computing differences.
    if version == current.version, current.schema == target.stored { return .nothing }
    // The stages of a plan check the names one by one: current tables may be dropped on the way.
    let goesByPlan = configuration.settings.migrationPlan != nil && version > current.version
    let problems = goesByPlan ? [] : SchemaValidator.problems(in: target, besides: current.schema)
    guard problems.isEmpty else {
      throw RealmError(.fail, ErrorText.validation(problems.map(\.description)))
    }
    let changes = SchemaDiff.changes(from: current.schema, to: target)
    if configuration.isReadOnly {
      guard version == current.version else {
        throw RealmError(
          .fail, ErrorText.differentVersionReadOnly(version, stored: current.version))
      }
      guard !changes.contains(where: \.isRefusedInReadOnlyMode) else {
        throw RealmError(.fail, SchemaDiff.readOnlyMessage(changes))
      }
      return .nothing
    }
    let needsMigration = changes.contains(where: \.needsMigration)
    if configuration.settings.deleteRealmIfMigrationNeeded,
      version != current.version || needsMigration
    {
      return .startOver
    }
    guard version >= current.version else {
      throw RealmError(.fail, ErrorText.lowerVersion(version, stored: current.version))
    }
    if version > current.version { return .migrate }
    guard !needsMigration else {
      throw RealmError(.schemaMismatch, SchemaDiff.mismatchMessage(changes))
    }
    return changes.isEmpty ? .nothing : .applyFreeChanges
  }
}

/// The result of an opening in the background, for one receiver.
///
/// The queue that opened the store must not retain the store: a file must be closed when the last
/// realm is released, and not at an arbitrary later time.
final class OpenedStore: Sendable {
  private let result: Mutex<Result<Store, any Error>?>

  init(_ open: () throws -> Store) {
    result = Mutex(Result { try open() })
  }

  /// Returns the store or throws the error, and releases the stored result.
  func take() throws -> Store {
    guard let taken = result.withLock({ $0.take() }) else {
      throw RealmError(.fail, "The realm was handed over already.")
    }
    return try taken.get()
  }
}

/// The check whether a store that shows an older version of a replica can show a new version with
/// its classes.
struct ReplicaFit: Sendable {
  let discovered: DiscoveredSchema
  /// The classes for which the store has no table.
  let missing: Set<String>
  /// The version of the program.
  let version: UInt64
  /// The version whose names the classes have.
  let namedAt: UInt64

  /// Checks a new version.
  @Sendable func check(_ state: FileState, _ recorded: RecordedFile, _ file: PublishedFile)
    throws(RealmError)
  {
    if let stored = state.version, stored > version {
      try Compatibility.of(
        program: discovered.schema.stored, version: version, namedAt: namedAt, with: recorded
      ).checkRunning(readOnly: true, version, of: stored, at: file.url)
      return
    }
    guard discovered.named(besides: state.schema, readOnly: true) === discovered else {
      throw RealmError(.fail, ErrorText.collectionNameTaken)
    }
    let changes = SchemaDiff.changes(from: state.schema, to: discovered.schema)
    guard !changes.contains(where: \.isRefusedInReadOnlyMode) else {
      throw RealmError(.fail, SchemaDiff.readOnlyMessage(changes))
    }
    for object in discovered.schema.objectSchema where state.schema[object.className] == nil {
      guard missing.contains(object.className) else {
        throw RealmError(
          .fail,
          "The version '\(file.name)' of the replica has no table for class '\(object.className)', which "
            + "the version before it had. Close the realm and open it again.")
      }
    }
  }
}
