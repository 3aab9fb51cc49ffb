import IssueReporting
import Logging
import StrataStorage

extension Session {
  /// Invalidates everything that was read, and lets the version go.
  ///
  /// A transaction is taken back, and so are asynchronous writes that haven't begun.
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
    // Everything is looked at when it is used next, and found to be of an earlier generation.
    store.clock.advance()
    if case .held = view { view = .newest }
    clock = store.clock
    reads?.didInvalidate()
  }
}

extension Store {
  /// - Throws: ``RealmError`` with code `fail` when more versions are kept than the program allows.
  func checkActiveVersions() throws(RealmError) {
    guard let mostActiveVersions = settings.mostActiveVersions else { return }
    let kept = snapshots.kept
    let count = Set(kept.map(\.number)).count
    guard count > mostActiveVersions else { return }
    let oldest = kept.sorted { $0.number < $1.number }.prefix(Self.mostNamed)
    let names = oldest.map { "version \($0.number): \($0.keepers)" }
    throw RealmError(
      .fail,
      "Number of active versions (\(count)) in the Realm exceeded the limit of "
        + "\(mostActiveVersions). The oldest are kept by \(names.joined(separator: "; ")). Release "
        + "what is frozen, let handlers return, and refresh realms without autorefresh.",
      fileURL: file.url)
  }

  /// How many versions a message names.
  private static let mostNamed = 3
}

extension Snapshot {
  /// The names of all that keep it, for messages.
  var keepers: String { uses.names.joined(separator: ", ") }
}
