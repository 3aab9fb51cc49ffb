public import Foundation
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
