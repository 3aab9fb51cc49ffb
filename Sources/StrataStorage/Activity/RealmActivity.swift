/// A thing that the library does with a file, as a ``RealmActivityObserver`` hears of it.
public struct RealmActivity: Sendable {
  /// The kinds of activities.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The opening of a file that isn't open in the process yet.
    case open
    /// Bringing a file to another schema, as a part of opening it.
    case migrate
    /// A write transaction, from asking for it to its commit or rollback.
    case write
    /// The part of a transaction in which it waits for other writers.
    case waitForWriter
    /// The statement of a query.
    case query
    /// `Realm.refresh()`, and its like.
    case refresh
    /// Moving the WAL into the file.
    case checkpoint
    /// Copying a file to its backups.
    case backup
  }

  public var kind: Kind

  /// The last part of the file's path; for a realm in memory its identifier.
  public var file: String

  /// The class whose table a query reads first.
  public var className: String?

  /// Who writes, where the configuration or `write(author:)` says it.
  public var author: String?

  /// What this observer returned for the activity of which this one is a part: for the transaction
  /// of a query, for the opening of a migration. Or what it said of the caller, for an opening in
  /// the background.
  public var outer: (any Sendable)?

  /// Describes an activity; for the tests of an observer.
  public init(
    _ kind: Kind, file: String, className: String? = nil, author: String? = nil,
    outer: (any Sendable)? = nil
  ) {
    self.kind = kind
    self.file = file
    self.className = className
    self.author = author
    self.outer = outer
  }
}
