import IssueReporting
import Logging
import StrataStorage

extension Session {
  /// Invalidates everything that was read, and releases the snapshot.
  ///
  /// Rolls back a transaction, and cancels asynchronous writes that haven't begun.
  func invalidate() {
    guard !isShared else {
      reportIssue("A frozen Realm can't be invalidated: it shows one version for good. Release it.")
      return
    }
    reportPlace()
    if isInWriteTransaction {
      store.logger?.warning(
        "A realm was invalidated inside of a write transaction, which is rolled back.",
        metadata: ["path": "\(store.file.path)"])
      cancelWrite()
    }
    WriteBlocks.takeBack(of: self)
    currentObserver?.willLetGo()
    generation &+= 1
    // Each object is checked at its next use, and is then found to be of an earlier generation.
    store.clock.advance()
    if case .held = view { view = .newest }
    clock = store.clock
    reads?.didInvalidate()
  }
}

extension Store {
  /// - Throws: ``RealmError`` with code `fail` when more versions are kept than the program allows.
  func checkActiveVersions() throws(RealmError) {
    guard let maxActiveVersions = settings.maxActiveVersions else { return }
    let kept = snapshots.kept
    let count = Set(kept.map(\.number)).count
    guard count > maxActiveVersions else { return }
    let oldest = kept.sorted { $0.number < $1.number }.prefix(Self.maxNamed)
    let names = oldest.map { "version \($0.number): \($0.keepers)" }
    throw RealmError(
      .fail,
      "Number of active versions (\(count)) in the Realm exceeded the limit of "
        + "\(maxActiveVersions). The oldest are kept by \(names.joined(separator: "; ")). Release "
        + "what is frozen, let handlers return, and refresh realms without autorefresh.",
      fileURL: file.url)
  }

  /// The number of versions that a message names.
  private static let maxNamed = 3
}

extension Snapshot {
  /// The names of everything that keeps the snapshot, for messages.
  var keepers: String { uses.names.joined(separator: ", ") }
}
