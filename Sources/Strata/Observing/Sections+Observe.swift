import Foundation
import IssueReporting
import StrataQuery
import StrataStorage

extension SectionedResults: _ObservableCollection {
  public typealias _ObservedElement = SectionElement

  /// Returns a sequence of the sections as they are now, followed by their changes. After each
  /// change, all section keys are computed again.
  ///
  /// - Parameter keyPaths: The properties of the elements to observe; nil for all.
  public func changes(
    keyPaths: [String]? = nil
  ) -> ChangeSequence<SectionedResultsChange<SectionedResults>> {
    keys.changes(keyPaths) { keys, news in news.change(SectionedResults(keys)) }
  }
}

extension ResultsSection: _ObservableCollection {
  public typealias _ObservedElement = Element

  /// Returns a sequence of the section as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties of the elements to observe; nil for all.
  public func changes(
    keyPaths: [String]? = nil
  ) -> ChangeSequence<SectionedResultsChange<ResultsSection>> {
    keys.changes(keyPaths) { [key] keys, news in
      news.of(key).map { $0.change(ResultsSection(keys, key)) }
    }
  }
}

/// The changes of sections, before they are converted for the caller.
private enum SectionsNews<Key: Hashable> {
  case initial
  case update(SectionDifference, old: [SectionKey<Key>], new: [SectionKey<Key>])

  func change<Collection>(_ collection: Collection) -> SectionedResultsChange<Collection> {
    switch self {
    case .initial: .initial(collection)
    case .update(let changes, _, _):
      .update(
        collection, deletions: changes.deletions.map(\.indexPath),
        insertions: changes.insertions.map(\.indexPath),
        modifications: changes.modifications.map(\.indexPath),
        sectionsToInsert: IndexSet(changes.sectionsToInsert),
        sectionsToDelete: IndexSet(changes.sectionsToDelete))
    }
  }

  /// Returns the changes of one section; nil if the section didn't change.
  func of(_ key: Key) -> SectionsNews? {
    guard case .update(let changes, let old, let new) = self else { return self }
    let key = SectionKey(key)
    let part = changes.part(old: old.firstIndex(of: key), new: new.firstIndex(of: key))
    return part.isEmpty ? nil : .update(part, old: old, new: new)
  }
}

extension SectionKeys {
  fileprivate func changes<Change>(
    _ keyPaths: [String]?, _ make: @escaping (SectionKeys, SectionsNews<Key>) -> Change?
  ) -> ChangeSequence<Change> {
    ChangeSequence { () throws(RealmError) in try self.start(keyPaths, make) }
  }

  private func start<Change>(
    _ keyPaths: [String]?, _ make: @escaping (SectionKeys, SectionsNews<Key>) -> Change?
  ) throws(RealmError) -> ObservationStart<Change> {
    guard let observed = results._observed() else {
      throw RealmError(.fail, ErrorText.unmanagedCollectionNotifications)
    }
    let translate = observed.translation
    let key = key
    func keys(of results: Results<Element>) -> [SectionKey<Key>] {
      results.map { SectionKey(key($0)) }
    }
    var old: [SectionKey<Key>] = []
    let states = SilentStates { session in
      let state = keys(of: observed.shown(session))
      let resume = observed.comparison?.reading(session)
      return {
        old = state
        resume?()
      }
    }
    return ObservationStart(
      session: observed.session,
      source: { () throws(RealmError) in try observed.source(keyPaths) }, hasInitial: true,
      states: states
    ) { [self] change, session in
      switch translate(change, session) {
      case .initial(let results):
        old = keys(of: results)
        return make(shown(results), .initial)
      case .update(let results, let deletions, let insertions, let modifications):
        let new = keys(of: results)
        let changes = ChangeSet(
          deletions: deletions, insertions: insertions, modifications: modifications)
        let difference = SectionDifference(old: old, new: new, changes: changes)
        let news = SectionsNews.update(difference, old: old.distinct, new: new.distinct)
        old = new
        return difference.isEmpty ? nil : make(shown(results), news)
      case .error:
        if case .failed(let error) = change { reportIssue("\(error.message)") }
        return nil
      case nil: return nil
      }
    }
  }
}

extension Array where Element: Hashable {
  /// The distinct elements, in the order of their first occurrence.
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension SectionPath {
  fileprivate var indexPath: IndexPath { IndexPath(indexes: [section, item]) }
}
