import Foundation
public import Dispatch
import IssueReporting
import StrataQuery
import StrataStorage

extension SectionedResults {
  /// Calls a closure with the sections, and again after each change.
  ///
  /// Works like `observe` of the results. After each change, all section keys are computed again.
  /// - Parameters:
  ///   - keyPaths: The properties of the elements to observe; nil for all.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
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
  /// Calls a closure with the section, and again after each change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements to observe; nil for all.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    keys.observe(keyPaths, ObservationTarget(queue)) { [key] keys, change in
      if let change = change.of(key) { block(change.change(ResultsSection(keys, key))) }
    }
  }
}

extension SectionedResults where SectionElement: ObjectBase {
  /// Calls a closure with the sections, and again after each change of the given properties.
  ///
  /// Like `observe(keyPaths:on:_:)` with names. A key path that reads no stored property is
  /// reported through `IssueReporting`; the token is inactive then.
  ///
  /// ```swift
  /// let token = sections.observe(keyPaths: [\.name, \.dog?.name]) { change in print(change) }
  /// ```
  /// - Parameters:
  ///   - keyPaths: The properties of the elements to observe.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
  }
}

extension ResultsSection where Element: ObjectBase {
  /// Calls a closure with the section, and again after each change of the given properties.
  ///
  /// Like `observe(keyPaths:on:_:)` with names. A key path that reads no stored property is
  /// reported through `IssueReporting`; the token is inactive then.
  /// - Parameters:
  ///   - keyPaths: The properties of the elements to observe, such as `\.name` and `\.dog?.name`.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
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
  fileprivate func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (SectionKeys, SectionsNews<Key>) -> Void
  ) -> NotificationToken {
    guard let observed = results._observed() else {
      reportIssue("\(ErrorText.unmanagedCollectionNotifications)")
      return NotificationToken()
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
    let start = ObservationStart<(SectionKeys, SectionsNews<Key>)>(
      session: observed.session,
      source: { () throws(RealmError) in try observed.source(keyPaths) }, hasInitial: true,
      states: states
    ) { [self] change, session in
      switch translate(change, session) {
      case .initial(let results):
        old = keys(of: results)
        return (shown(results), .initial)
      case .update(let results, let deletions, let insertions, let modifications):
        let new = keys(of: results)
        let changes = ChangeSet(
          deletions: deletions, insertions: insertions, modifications: modifications)
        let difference = SectionDifference(old: old, new: new, changes: changes)
        let news = SectionsNews.update(difference, old: old.distinct, new: new.distinct)
        old = new
        return difference.isEmpty ? nil : (shown(results), news)
      case .error:
        if case .failed(let error) = change { reportIssue("\(error.message)") }
        return nil
      case nil: return nil
      }
    }
    return ChangeSequence { start }.observe(on: target) { block($0.0, $0.1) }
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
