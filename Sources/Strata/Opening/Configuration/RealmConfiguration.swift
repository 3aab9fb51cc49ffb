public import Foundation
public import Logging
import StrataRealmImport
import StrataStorage
import Synchronization

/// The settings of a realm: where it is, which classes it has, and how it is migrated.
///
/// ```swift
/// let configuration = Realm.Configuration(schemaVersion: 2) { migration, oldSchemaVersion in
///   if oldSchemaVersion < 2 {
///     migration.renameProperty(onType: Person.className(), from: "age", to: "yearsSinceBirth")
///   }
/// }
/// ```
/// Where other settings follow the block, it is written with its label: `migrationBlock: { … },
/// objectTypes: [Person.self]`.
public struct RealmConfiguration: Sendable {
  /// The file. Setting it ends being in memory, or a replica.
  public var fileURL: URL? {
    didSet { if fileURL != nil { (inMemoryIdentifier, replica) = (nil, nil) } }
  }

  /// The name of a realm in memory. All uses of the name in this process share it; it is empty
  /// again when the last instance is gone. Setting it clears `fileURL`.
  public var inMemoryIdentifier: String? {
    didSet { if inMemoryIdentifier != nil { (fileURL, replica) = (nil, nil) } }
  }

  /// A copy of another machine's file that is kept up to date from outside, by `strata follow`.
  ///
  /// ```swift
  /// let configuration = Realm.Configuration(
  ///   replica: .init(folder: url), objectTypes: [Order.self])
  /// let realm = try Realm(configuration: configuration)
  /// for try await change in realm.objects(Order.self).changes() { … }
  /// ```
  /// Such a realm is read, observed and frozen like any other, and can't be written. It shows one
  /// version of the file after the other, each as a whole. Setting it clears `fileURL` and
  /// `inMemoryIdentifier`; `readOnly` is true.
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

  /// The value of `readOnly` before a replica was set, which holds again after it.
  private var readOnlyBesideReplica = false

  /// The 64 bytes with which the file is encrypted; nil for a file that isn't.
  ///
  /// It needs an SQLite library that can encrypt, which is SQLCipher: see ``Realm/canEncrypt``.
  /// With another one opening is an error with code `fail`, and never an unencrypted file. Another
  /// key than that of the file, a key for a plain file, and no key for an encrypted one have code
  /// `invalidDatabase`. All that the library makes of the file has the same key: its WAL, backups,
  /// temporary files.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: url)
  /// configuration.encryptionKey = try keyFromTheKeychain()
  /// ```
  public var encryptionKey: Data?

  /// Opens the file without ever changing it; it may be in a folder that can't be written.
  public var readOnly: Bool

  /// The version of the program's classes, from 0 to `Int64.max`. To be raised with each change
  /// of a class; new classes and indexes need no raise.
  public var schemaVersion: UInt64

  /// Carries objects from an older version to this one. Not called for a new file.
  public var migrationBlock: MigrationBlock?

  /// The versions that files may be at and the stages between them, instead of `schemaVersion` and
  /// `migrationBlock`, and of `objectTypes` when it ends with classes.
  public var migrationPlan: SchemaMigrationPlan?

  /// Where the file is backed up before a migration. `nil` makes no backup. In memory it has no
  /// effect.
  public var migrationBackup: MigrationBackup?

  /// Whether SQLite checks the pages of the tables that a migration reads, before it is committed.
  ///
  /// A damaged page may have lost rows without an error; migrating the rest would make that final.
  /// Damage is an error with code `invalidDatabase`, and the file stays as it was. The check runs
  /// on a thread of its own beside the migration, and takes about a tenth of the time in which
  /// SQLite rebuilds a table. False migrates what can be read.
  public var migrationIntegrityCheck: Bool

  /// Whether that check also compares the indexes of those tables with their rows.
  ///
  /// An index that disagrees hides rows from queries, and a migration carries it over where it
  /// leaves the table as it is. Comparing takes up to twenty times as long as the check of the
  /// pages, which is more than many migrations take: 1.2 s for 1,000,000 rows with an index of
  /// texts. Without ``migrationIntegrityCheck`` it has no effect. `Realm.problems(for:)` finds such
  /// indexes at any time, and SQLite's `REINDEX` rebuilds them.
  public var migrationIndexCheck = false

  /// How long a write waits while another process writes to the file, or migrates it: ten seconds,
  /// unless this says otherwise. Then it throws `fileAccess`.
  ///
  /// Writes of this process wait for each other without a limit. It counts for the realms of a file
  /// from its first opening in the process on; opening a file waits for up to ten minutes.
  public var writeTimeout = Duration.seconds(10)

  /// Hears how far a migration is: at each stage, and every twentieth of a second while rows are
  /// worked on. Called on the thread that migrates, inside of the migration: it must not open or
  /// use realms.
  public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

  /// Gets the report of a migration that has been committed: what was done, and what became of the
  /// objects of each class. Once for all stages; once for each where stages commit on their own.
  public var didMigrate: (@Sendable (MigrationReport) -> Void)?

  /// Empties a file that would need a migration, and never calls the block.
  public var deleteRealmIfMigrationNeeded: Bool

  /// Asked at the first open of a file in a process, with its size and the part of it in use, in
  /// bytes; true compacts the file.
  public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?

  /// How many versions of the file may be kept in this process when a transaction begins: by frozen
  /// objects, and by realms that are observed or don't refresh by themselves. Nil for any number.
  ///
  /// Beyond it `write` throws, with the places that keep the oldest ones: each makes the WAL of the
  /// file grow. The value with which the file was opened first holds for all its realms.
  public var maximumNumberOfActiveVersions: UInt?

  /// The classes of the realm; nil for every model class in the process.
  public var objectTypes: [ObjectBase.Type]?

  /// The classes of the file that the realm has without a class of the program. They are read and
  /// written by names: ``Realm/dynamicObjects(_:)``, ``Realm/dynamicCreate(_:value:update:)``.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: url)
  /// configuration.dynamicClasses = .all
  /// let realm = try Realm(configuration: configuration)
  /// for schema in realm.schema.objectSchema {
  ///   print(schema.className, realm.dynamicObjects(schema.className).count)
  /// }
  /// ```
  /// With `.others` the file is opened and migrated as always; then the rest of its classes is
  /// added. With `.all` the realm has the classes and the version of the file, which there must be:
  /// nothing is created or migrated, and `schemaVersion` stays 0. Properties have the names and
  /// types of the file: an enum is its raw value, each integer an `Int`. Linking objects are in no
  /// file: see ``DynamicObject/incomingLinks``.
  public var dynamicClasses = DynamicClasses.none

  /// A file that is copied to `fileURL` if there is none.
  public var seedFilePath: URL?

  /// The file of Realm that becomes the file of this configuration if there is none yet, before a
  /// seed is looked for.
  ///
  /// ```swift
  /// configuration.convertsRealmFile = .automatically(from: oldURL)
  /// ```
  /// `Realm.convert(realmFile:to:)` does it once, without opening the realm.
  public var convertsRealmFile: RealmFileConversion?

  /// Keeps what is changed, for programs that must hear of each change later: an outbox, a search
  /// index, an audit trail.
  ///
  /// ```swift
  /// configuration.history = .init(author: "orders-server")
  /// let realm = try Realm(configuration: configuration)
  /// for try await transaction in realm.history(following: last) { … }
  /// ```
  /// It is a property of the file: once it is kept, each program of the library keeps it, also
  /// without this setting. `.off` ends it, and deletes what there is. Nil, the default, leaves it
  /// as the file says, and costs nothing for a file without. See ``Realm/history(after:limit:)``.
  public var history: History?

  /// Those that hear what is done with the file, for metrics, traces and logs: see
  /// ``RealmActivityObserver``.
  ///
  /// ```swift
  /// configuration.observers = [.slowQueries(longerThan: .milliseconds(50))]
  /// ```
  /// Those with which a file was opened first in the process hear of all its realms. Without any,
  /// nothing is measured.
  public var observers: [any RealmActivityObserver] = []

  /// Where migrations and problems are logged; nil for `Logger.shared`. Values of objects are never
  /// logged.
  public var logger: Logger?

  /// The level of the one line that a migration logs; its operations are logged at `debug`.
  public var migrationLogLevel: Logger.Level

  /// Makes a configuration. Without a URL and an identifier the file is ``defaultFileURL``.
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

  /// The configuration that `Realm()` uses here: that of the innermost
  /// ``Realm/withConfiguration(_:operation:)`` around the caller, or else
  /// ``defaultConfiguration``.
  ///
  /// Change a copy of it to open something beside, of the same tenant or test:
  ///
  /// ```swift
  /// var configuration = Realm.Configuration.current
  /// configuration.readOnly = true
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// May be read on any thread.
  public static var current: RealmConfiguration { ofTask ?? defaultConfiguration }
}

extension RealmConfiguration: CustomStringConvertible {
  /// Where the realm is, its version and its classes, for a log. The key of an encrypted file is
  /// never a part of it.
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

  /// The configuration that `Realm()` uses, outside of
  /// ``Realm/withConfiguration(_:operation:)``. May be set and read on any thread.
  public static var defaultConfiguration: RealmConfiguration {
    get { storedDefault.withLock { $0 } ?? RealmConfiguration() }
    set {
      var other: RealmConfiguration? = newValue
      // The one before is released outside of the lock: the program may run at the end of what its
      // closures have.
      storedDefault.withLock { swap(&$0, &other) }
    }
  }

  /// The file of a configuration that names none: `default.sqlite` in a place of the user's.
  ///
  /// On Linux `$XDG_DATA_HOME/<executable>/`, where `XDG_DATA_HOME` is `~/.local/share` unless
  /// set; on Apple platforms the folder of the app's documents. The folder is created when it is
  /// opened.
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
      // A relative path in the variable is invalid, and to be ignored (XDG Base Directory
      // Specification).
      if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name)
      }
      return FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".local/share", isDirectory: true).appendingPathComponent(name)
    #endif
  }
}
