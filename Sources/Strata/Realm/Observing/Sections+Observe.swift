public import Dispatch
public import Foundation
import IssueReporting
import StrataSchema

/// What an observer of sections, or of one section, hears.
public enum SectionedResultsChange<Collection> {
  /// The first call: the sections as they are.
  case initial(Collection)
  /// What changed since the last call.
  ///
  /// An index path has the position of a section and that of an element in it. Those of deletions and
  /// modifications, and sections to delete, are positions as they were; those of insertions, and
  /// sections to insert, as they are. The elements of a deleted section are not among the deletions;
  /// those of an inserted one are insertions.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
}

extension SectionedResults {
  /// Calls a closure with the sections, and again after each change of them.
  ///
  /// As `observe` of the results does; all keys are found again for it.
  /// - Parameters:
  ///   - keyPaths: What counts of the elements; nil for everything.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    keys.observe(keyPaths, ObservationTarget(queue)) { keys, change in
      block(change.change(SectionedResults(keys)))
    }
  }
}

extension ResultsSection {
  /// Calls a closure with the section, and again after each change of it.
  ///
  /// - Parameters:
  ///   - keyPaths: What counts of the elements; nil for everything.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    keys.observe(keyPaths, ObservationTarget(queue)) { [key] keys, change in
      if let change = change.of(key) { block(change.change(ResultsSection(keys, key))) }
    }
  }
}

/// What changed of sections, before the user hears of it.
private enum SectionsNews<Key: Hashable> {
  case initial
  case update(SectionDifference, old: [Key], new: [Key])
  case failed(RealmError)

  func change<Collection>(_ collection: Collection) -> SectionedResultsChange<Collection> {
    switch self {
    case .initial: .initial(collection)
    case .failed(let error): .error(error)
    case .update(let changes, _, _):
      .update(
        collection, deletions: changes.deletions.map(\.indexPath),
        insertions: changes.insertions.map(\.indexPath),
        modifications: changes.modifications.map(\.indexPath),
        sectionsToInsert: IndexSet(changes.sectionsToInsert),
        sectionsToDelete: IndexSet(changes.sectionsToDelete))
    }
  }

  /// The news of one section; nil when it has none.
  func of(_ key: Key) -> SectionsNews? {
    guard case .update(let changes, let old, let new) = self else { return self }
    let part = changes.part(old: old.firstIndex(of: key), new: new.firstIndex(of: key))
    return part.isEmpty ? nil : .update(part, old: old, new: new)
  }
}

extension SectionKeys {
  fileprivate func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (SectionKeys, SectionsNews<Key>) -> Void
  ) -> NotificationToken {
    guard let observed = results._observed() else {
      reportIssue("\(ErrorText.unmanagedCollectionNotifications)")
      return NotificationToken()
    }
    let translate = observed.translation
    var old: [Key] = []
    return observed.session.observe(target, hasInitial: true) { () throws(RealmError) in
      try observed.source(keyPaths)
    } _: { [self] change, session in
      switch translate(change, session) {
      case .initial(let results):
        old = elementKeys(of: results)
        block(shown(results), .initial)
      case .update(let results, let deletions, let insertions, let modifications):
        let new = elementKeys(of: results)
        let changes = ChangeSet(
          deletions: deletions, insertions: insertions, modifications: modifications)
        let difference = SectionDifference(old: old, new: new, changes: changes)
        let news = SectionsNews.update(difference, old: old.once, new: new.once)
        old = new
        if !difference.isEmpty { block(shown(results), news) }
      case .error:
        if case .failed(let error) = change { block(self, .failed(error)) }
      case nil: break
      }
    }
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of the first ones.
  fileprivate var once: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension SectionPath {
  fileprivate var indexPath: IndexPath { IndexPath(indexes: [section, item]) }
}
