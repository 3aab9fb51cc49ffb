public import Foundation

extension Realm {
  /// A version of the file that is kept in this process, and the cost of keeping it.
  public struct ActiveVersion: Hashable, Sendable {
    /// The number of the version: later ones have higher numbers.
    public let version: UInt64
    /// The keepers: where something was frozen (`frozen at Module/File.swift:12`), the place of a
    /// realm that is observed or doesn't refresh by itself (`the main actor`), or `observations`,
    /// which keep the newest one.
    public let keepers: [String]
    /// The time since which the version is kept.
    public let since: Date
    /// The bytes written to the WAL since then. They stay in the WAL while the version is kept.
    public let walBytes: Int
  }

  /// The versions of the file that are kept in this process, the oldest first.
  ///
  /// Frozen objects keep their version, and so do realms that are observed, or whose `autorefresh`
  /// is false. Meanwhile the WAL grows with each commit.
  ///
  /// ```swift
  /// for version in realm.activeVersions { print(version) }
  /// // version 3, 12 MB behind since 09:41:07: frozen at Shop/Export.swift:27
  /// ```
  public var activeVersions: [ActiveVersion] {
    let now = (date: Date(), time: ContinuousClock.now)
    return session.store.snapshots.kept.map { snapshot in
      ActiveVersion(
        version: snapshot.number, keepers: snapshot.uses.names,
        since: now.date - TimeInterval((now.time - snapshot.began) / .seconds(1)),
        walBytes: snapshot.uses.walBytes)
    }.sorted { $0.version < $1.version }
  }

  /// Releases everything that was read from the realm.
  ///
  /// All objects of the realm are invalidated, and its collections and results are empty. The realm
  /// itself stays usable, and reads the newest version next. A realm that keeps a version, because
  /// it is observed or doesn't refresh by itself, releases the version until that read. Inside of a
  /// transaction, the transaction is rolled back. Closures of ``writeAsync(_:onComplete:)`` and
  /// ``beginAsyncWrite(_:)`` that haven't begun are cancelled, as by ``cancelAsyncWrite(_:)``; an
  /// `asyncWrite` continues. A frozen realm can't be invalidated: the call is reported through
  /// `IssueReporting`.
  public func invalidate() { session.invalidate() }
}

extension Realm.ActiveVersion: CustomStringConvertible {
  public var description: String {
    let time = since.formatted(date: .omitted, time: .standard)
    return "version \(version), \(walBytes >> 20) MB behind since \(time): "
      + keepers.joined(separator: ", ")
  }
}
