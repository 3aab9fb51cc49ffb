public import Foundation
public import Logging
import StrataRealmImport
import StrataStorage
import Synchronization

/// The settings of a realm: its location, its classes, and its migration.
///
/// ```swift
/// let configuration = Realm.Configuration(schemaVersion: 2) { migration, oldSchemaVersion in
///   if oldSchemaVersion < 2 {
///     migration.renameProperty(onType: Person.className(), from: "age", to: "yearsSinceBirth")
///   }
/// }
/// ```
/// If other settings follow the block, write its label:
/// `migrationBlock: { … }, objectTypes: [Person.self]`.
public struct RealmConfiguration: Sendable {
  /// The URL of the file. Setting it clears `inMemoryIdentifier` and `replica`.
  public var fileURL: URL? {
    didSet { if fileURL != nil { (inMemoryIdentifier, replica) = (nil, nil) } }
  }

  /// The name of an in-memory realm. All realms with this name in the process share the data, which
  /// is deleted with the last instance. Setting it clears `fileURL` and `replica`.
  public var inMemoryIdentifier: String? {
    didSet { if inMemoryIdentifier != nil { (fileURL, replica) = (nil, nil) } }
  }

  /// A copy of another machine's file, which `strata follow` keeps up to date.
  ///
  /// ```swift
  /// let configuration = Realm.Configuration(
  ///   replica: .init(folder: url), objectTypes: [Order.self])
  /// let realm = try Realm(configuration: configuration)
  /// for try await change in realm.objects(Order.self).changes() { … }
  /// ```
  /// Such a realm can be read, observed and frozen like any other, but not written. It shows
  /// consecutive complete versions of the file. Setting this property clears `fileURL` and
  /// `inMemoryIdentifier`, and sets `readOnly` to true.
  public var replica: Replica? {
    didSet {
      guard replica != nil else {
        if oldValue != nil { readOnly = readOnlyBesideReplica }
        return
      }
      if oldValue == nil { readOnlyBesideReplica = readOnly }
      (fileURL, inMemoryIdentifier) = (nil, nil)
      readOnly = true
    }
  }

  /// The value of `readOnly` before a replica was set, restored when the replica is cleared.
  private var readOnlyBesideReplica = false

  /// The 64 bytes of the encryption key; nil for an unencrypted file.
  ///
  /// Encryption requires SQLCipher instead of the plain SQLite library: see ``Realm/canEncrypt``.
  /// With a library that can't encrypt, opening throws an error with code `fail`, and never creates
  /// an unencrypted file. A wrong key, a key for an unencrypted file, and a missing key for an
  /// encrypted file throw an error with code `invalidDatabase`. The WAL, backups and temporary
  /// files are encrypted with the same key.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: url)
  /// configuration.encryptionKey = try keyFromTheKeychain()
  /// ```
  public var encryptionKey: Data?

  /// Whether the file is opened without ever being changed. Its folder may be read-only.
  public var readOnly: Bool

  /// The version of the program's classes, from 0 to `Int64.max`. Raise it with each change of a
  /// class; new classes and indexes don't need a higher version.
  public var schemaVersion: UInt64

  /// Whether the program opens a file that a newer release has migrated to a higher version.
  ///
  /// If false, as in RealmSwift, opening such a file throws an error with code `fail`. If true, the
  /// program reads and writes the classes and properties that it knows, as far as the changes
  /// allow, also while the newer release migrates the file. Other properties and classes stay as
  /// they are; new objects have the defaults of these properties. Renamed properties and classes
  /// are found after opening the file. Everything else is refused with code `newerVersion`, and the
  /// error lists all reasons:
  ///
  /// ```swift
  /// configuration.opensNewerVersions = true
  /// do {
  ///   realm = try Realm(configuration: configuration)
  /// } catch Realm.Error.newerVersion {
  ///   // The file has changed too much: start the newer release.
  /// }
  /// ```
  /// The table of all changes is in docs/two-releases.md. The value of the first opening in the
  /// process applies to all realms of the file. Set this property in every release, from the first
  /// on, because the older release is the one that needs the setting.
  public var opensNewerVersions = false

  /// The oldest version of programs that may read a file of this version; nil, the default, lets
  /// the changes of the classes decide.
  ///
  /// Forbids what the changes alone would allow, for example if a migration changes the meaning of
  /// a value. Recorded in the file by a migration to this version, or when the file is created.
  public var oldestReadingVersion: UInt64?

  /// The oldest version of programs that may write to a file of this version; nil, the default,
  /// lets the changes of the classes decide. See ``oldestReadingVersion``.
  public var oldestWritingVersion: UInt64?

  /// Whether the values of properties that a migration removes stay in the file for older programs.
  ///
  /// If false, older programs can't open a file in which one of their properties was removed. A
  /// retired property keeps its column, or its table, until ``Migration/dropRetired(olderThan:)``.
  public var retiresRemovedProperties = false

  /// A closure that completes the objects that older programs have added or changed since the file
  /// reached this version.
  ///
  /// An older program gives new objects the defaults of properties that it doesn't know, and
  /// doesn't update such properties when it changes others. The closure is called when the file is
  /// opened, once for all of these objects, in one transaction. Only loops visit them:
  /// ``Migration/enumerateObjects(ofType:_:)``. The closure's second parameter is the oldest
  /// version of these programs.
  ///
  /// ```swift
  /// configuration.adoptsOlderWrites = { migration, oldestVersion in
  ///   migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
  ///     newObject!["initials"] = initials(of: oldObject!["name"] as! String)
  ///   }
  /// }
  /// ```
  /// The loops may also visit an object that an older program only deleted from a list, or changed
  /// back. The closure must not rename or drop anything. An error fails the opening, and the
  /// closure is called again at the next one. Without the closure, the objects stay as they are,
  /// and opening the file logs their number.
  public var adoptsOlderWrites: MigrationBlock?

  /// The block that migrates objects from an older version to this one. Not called for a new file.
  public var migrationBlock: MigrationBlock?

  /// The supported versions of files and the stages between them. A plan replaces `schemaVersion`
  /// and `migrationBlock`, and also `objectTypes` if its last version has classes.
  public var migrationPlan: SchemaMigrationPlan?

  /// The location of a backup before a migration. Nil makes no backup. Has no effect on in-memory
  /// realms.
  public var migrationBackup: MigrationBackup?

  /// Whether SQLite checks the pages of the tables that a migration reads, before the migration is
  /// committed.
  ///
  /// A damaged page may have lost rows without an error, and migrating the rest would make the loss
  /// permanent. Damage throws an error with code `invalidDatabase`, and the file is unchanged. The
  /// check runs in parallel on a thread of its own, and takes about a tenth of the time in which
  /// SQLite rebuilds a table. If false, all readable rows are migrated.
  public var migrationIntegrityCheck: Bool

  /// Whether ``migrationIntegrityCheck`` also compares the indexes of the tables with their rows.
  ///
  /// An inconsistent index hides rows from queries, and remains in a table that the migration
  /// doesn't rebuild. The comparison takes up to twenty times as long as the check of the pages,
  /// which is longer than many migrations: 1.2 s for 1,000,000 rows with an index of strings. This
  /// setting has no effect without ``migrationIntegrityCheck``. `Realm.problems(for:)` finds
  /// inconsistent indexes at any time, and SQLite's `REINDEX` rebuilds them.
  public var migrationIndexCheck = false

  /// The time that a write waits while another process writes to the file or migrates it. After
  /// this time the write throws an error with code `fileAccess`. The default is ten seconds.
  ///
  /// Writes of the same process wait for each other without a limit. The value of the first opening
  /// in the process applies to all realms of the file. Opening a file waits up to ten minutes.
  public var writeTimeout = Duration.seconds(10)

  /// A closure that receives the progress of a migration: at each stage, and every 50 ms while rows
  /// are processed. The closure is called on the migrating thread, inside of the migration, and
  /// must not open or use realms.
  public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

  /// A closure that receives the report of a committed migration: its operations, and the numbers
  /// of objects of each class. The closure is called once for all stages, or once for each stage
  /// that commits on its own.
  public var didMigrate: (@Sendable (MigrationReport) -> Void)?

  /// Whether a file that needs a migration is emptied instead, without calling the block.
  public var deleteRealmIfMigrationNeeded: Bool

  /// A closure that decides whether to compact the file. The closure is called at the first opening
  /// of the file in a process, with the size of the file and the size of its used part, in bytes.
  public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?

  /// The maximum number of versions that this process may keep when a transaction begins. Versions
  /// are kept by frozen objects, and by realms that are observed or don't refresh automatically.
  /// Nil for no limit.
  ///
  /// Beyond the limit, `write` throws an error that lists the holders of the oldest versions,
  /// because each version makes the WAL of the file grow. The value of the first opening applies to
  /// all realms of the file.
  public var maximumNumberOfActiveVersions: UInt?

  /// The classes of the realm; nil for every model class in the process.
  public var objectTypes: [ObjectBase.Type]?

  /// The classes of the file that the realm shows without a class in the program. Their objects are
  /// read and written by property names: ``Realm/dynamicObjects(_:)``,
  /// ``Realm/dynamicCreate(_:value:update:)``.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: url)
  /// configuration.dynamicClasses = .all
  /// let realm = try Realm(configuration: configuration)
  /// for schema in realm.schema.objectSchema {
  ///   print(schema.className, realm.dynamicObjects(schema.className).count)
  /// }
  /// ```
  /// With `.others`, the file is opened and migrated as usual; then its remaining classes are
  /// added. With `.all`, the realm has the classes and the version of the file. The file must
  /// exist: nothing is created or migrated, and `schemaVersion` must be 0. Properties have the
  /// names and types of the file: an enum is its raw value, each integer an `Int`. Linking objects
  /// are not stored: see ``DynamicObject/incomingLinks``.
  public var dynamicClasses = DynamicClasses.none

  /// The URL of a file that is copied to `fileURL` if that file doesn't exist.
  public var seedFilePath: URL?

  /// The Realm file that is converted to the file of this configuration if that file doesn't exist.
  /// The conversion takes precedence over `seedFilePath`.
  ///
  /// ```swift
  /// configuration.convertsRealmFile = .automatically(from: oldURL)
  /// ```
  /// `Realm.convert(realmFile:to:)` converts a file without opening the realm.
  public var convertsRealmFile: RealmFileConversion?

  /// The history of changes, for programs that process every change later: an outbox, a search
  /// index, an audit trail.
  ///
  /// ```swift
  /// configuration.history = .init(author: "orders-server")
  /// let realm = try Realm(configuration: configuration)
  /// for try await transaction in realm.history(following: last) { … }
  /// ```
  /// The history belongs to the file: once it has begun, every program that uses the library
  /// records changes, also without this setting. `.off` ends the history and deletes its records.
  /// Nil, the default, doesn't change the file's setting, and costs nothing for a file without a
  /// history. See ``Realm/history(after:limit:)``.
  public var history: History?

  /// The observers of the activities on the file, for metrics, traces and logs: see
  /// ``RealmActivityObserver``.
  ///
  /// ```swift
  /// configuration.observers = [.slowQueries(longerThan: .milliseconds(50))]
  /// ```
  /// The observers of the first opening in the process are notified of all realms of the file.
  /// Without observers, nothing is measured.
  public var observers: [any RealmActivityObserver] = []

  /// The logger of migrations and problems; nil for `Logger.shared`. Values of objects are never
  /// logged.
  public var logger: Logger?

  /// The level of the single line that a migration logs; its operations are logged at `debug`.
  public var migrationLogLevel: Logger.Level

  /// Creates a configuration. Without a URL and an identifier, the file is ``defaultFileURL``.
  public init(
    fileURL: URL? = RealmConfiguration.defaultFileURL,
    inMemoryIdentifier: String? = nil,
    encryptionKey: Data? = nil,
    readOnly: Bool = false,
    schemaVersion: UInt64 = 0,
    migrationBlock: MigrationBlock? = nil,
    deleteRealmIfMigrationNeeded: Bool = false,
    shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
    objectTypes: [ObjectBase.Type]? = nil,
    seedFilePath: URL? = nil,
    logger: Logger? = nil,
    migrationLogLevel: Logger.Level = .info,
    migrationPlan: SchemaMigrationPlan? = nil,
    migrationBackup: MigrationBackup? = nil,
    migrationIntegrityCheck: Bool = true,
    migrationProgress: (@Sendable (MigrationProgress) -> Void)? = nil,
    didMigrate: (@Sendable (MigrationReport) -> Void)? = nil
  ) {
    self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
    self.inMemoryIdentifier = inMemoryIdentifier
    self.encryptionKey = encryptionKey
    self.readOnly = readOnly
    self.schemaVersion = schemaVersion
    self.migrationBlock = migrationBlock
    self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
    self.shouldCompactOnLaunch = shouldCompactOnLaunch
    self.objectTypes = objectTypes
    self.seedFilePath = seedFilePath
    self.logger = logger
    self.migrationLogLevel = migrationLogLevel
    self.migrationPlan = migrationPlan
    self.migrationBackup = migrationBackup
    self.migrationIntegrityCheck = migrationIntegrityCheck
    self.migrationProgress = migrationProgress
    self.didMigrate = didMigrate
  }
}

extension RealmConfiguration {
  @TaskLocal static var ofTask: RealmConfiguration?

  /// The configuration that `Realm()` uses here: the configuration of the innermost enclosing
  /// ``Realm/withConfiguration(_:operation:)``, or else ``defaultConfiguration``.
  ///
  /// Change a copy of this configuration to open another realm of the same tenant or test:
  ///
  /// ```swift
  /// var configuration = Realm.Configuration.current
  /// configuration.readOnly = true
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// This property may be read on any thread.
  public static var current: RealmConfiguration { ofTask ?? defaultConfiguration }
}

extension RealmConfiguration: CustomStringConvertible {
  /// A description of the location, the version and the classes, for a log. It never contains the
  /// key of an encrypted file.
  public var description: String {
    let place =
      replica.map { "replica: '\($0.folder.path)'" + ($0.asOf.map { " as of \($0)" } ?? "") }
      ?? inMemoryIdentifier.map { "inMemoryIdentifier: '\($0)'" }
      ?? "fileURL: '\(fileURL?.path ?? "none")'"
    let classes = objectTypes.map { types in
      "[" + types.map { $0.className() }.sorted().joined(separator: ", ") + "]"
    }
    let key = encryptionKey == nil ? "" : ", encryptionKey: <not shown>"
    let dynamic = dynamicClasses == .none ? "" : ", dynamicClasses: \(dynamicClasses)"
    return
      "Realm.Configuration(\(place), schemaVersion: \(schemaVersion), readOnly: \(readOnly)\(key), "
      + "objectTypes: \(classes ?? "all")\(dynamic))"
  }
}

extension RealmConfiguration {
  private static let storedDefault = Mutex<RealmConfiguration?>(nil)

  /// The configuration that `Realm()` uses outside of ``Realm/withConfiguration(_:operation:)``.
  /// This property may be set and read on any thread.
  public static var defaultConfiguration: RealmConfiguration {
    get { storedDefault.withLock { $0 } ?? RealmConfiguration() }
    set {
      var other: RealmConfiguration? = newValue
      // The previous value is released outside of the lock, because releasing its closures may run
      // code of the program.
      storedDefault.withLock { swap(&$0, &other) }
    }
  }

  /// The file of a configuration without a URL: `default.sqlite` in a folder of the user.
  ///
  /// On Linux, the folder is `$XDG_DATA_HOME/<executable>/`, where `XDG_DATA_HOME` is
  /// `~/.local/share` unless set. On Apple platforms, it is the folder of the app's documents. The
  /// folder is created when the file is opened.
  public static var defaultFileURL: URL {
    defaultFolder.appendingPathComponent(defaultFileName, isDirectory: false)
  }

  static let defaultFileName = "default.sqlite"

  private static var defaultFolder: URL {
    #if canImport(Darwin)
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
      return documents.first ?? FileManager.default.temporaryDirectory
    #else
      let name = ProcessInfo.processInfo.processName
      // A relative path in the variable is invalid and must be ignored (XDG Base Directory
      // Specification).
      if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name)
      }
      return FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".local/share", isDirectory: true).appendingPathComponent(name)
    #endif
  }
}
