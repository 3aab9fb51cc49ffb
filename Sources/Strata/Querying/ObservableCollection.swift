import StrataQuery
import StrataStorage

/// The inputs of an observation of a managed collection.
public struct _Observed<Collection> {
  let session: Session
  /// Returns the source for the observed key paths.
  let source: ([String]?) throws(RealmError) -> any ObservationSource
  /// Returns the collection in a session, on whose isolation the caller runs. Reads nothing mutable
  /// from another session.
  let shown: (Session) -> Collection
  /// The comparison of elements; nil if the source finds the differences.
  var comparison: ElementComparison?
}

/// A comparison of elements with the elements of the previous change. Used on the handler's
/// isolation.
final class ElementComparison {
  /// Reads the elements of a session. Returns a closure that makes them the baseline.
  let reading: SilentStates.Reading
  /// Compares the elements of a session with the baseline, given the rows of objects that were
  /// modified themselves. The elements become the next baseline.
  let changes: (Session, _ touched: RowSet?) -> ChangeSet

  init<Element: RealmCollectionValue>(_ elements: @escaping (Session) -> [Element]) {
    func compared(_ session: Session) -> [ComparedElement<Element>] {
      elements(session).map { ComparedElement($0) }
    }
    var before: [ComparedElement<Element>] = []
    reading = { session in
      let now = compared(session)
      return { before = now }
    }
    changes = { session, touched in
      let after = compared(session)
      defer { before = after }
      return SequenceDifference.elements(old: before, new: after) { compared in
        guard let touched, let object = compared.element._shownObject else { return false }
        return touched.contains(object._rowID)
      }
    }
  }
}

/// An element that equals the elements that a file treats as equal.
private struct ComparedElement<Element: RealmCollectionValue>: Hashable {
  private enum Key: Hashable {
    case element(ElementKey)
    /// The present content of a list or a dictionary, which is live itself.
    case nested(StoredText)
  }

  let element: Element
  private let key: Key

  init(_ element: Element) {
    self.element = element
    if element.isNestedValue, case .nested(let text) = QueryValue(of: element) {
      key = .nested(StoredText(text))
    } else {
      key = .element(ElementKey(element))
    }
  }

  static func == (first: Self, second: Self) -> Bool { first.key == second.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension _CollectionRows {
  /// Returns the observation inputs of a managed collection; nil for one in memory or in a
  /// migration.
  func observed<Collection>(
    as collection: Collection, _ make: @escaping (_CollectionRows) -> Collection
  ) -> _Observed<Collection>? {
    if let nested = self as? NestedRows, let session = nested.session {
      let name = nested.holder.name
      return _Observed(session: session) { _ throws(RealmError) in
        throw RealmError(.fail, ErrorText.nestedNotifications(name))
      } shown: { _ in
        collection
      }
    }
    guard let rows = self as? SessionCollection else { return nil }
    return _Observed(session: rows.session) { keyPaths throws(RealmError) in
      try rows.observedSource(keyPaths: keyPaths)
    } shown: { session in
      session === rows.own && !rows.isFromBefore
        ? collection : make(rows.shown(in: session))
    }
  }
}

extension NestedRows {
  /// The session of the object with the value; nil in a migration.
  fileprivate var session: Session? {
    switch holder {
    case let holder as PropertyHolder: holder.owner.managedContext as? Session
    case let holder as ElementHolder: (holder.collection as? SessionCollection)?.session
    default: nil
    }
  }
}

extension LinkingObjects {
  public func _observed() -> _Observed<LinkingObjects>? {
    guard let observed = results?._observed() else { return nil }
    return _Observed(session: observed.session, source: observed.source) { session in
      LinkingObjects(originProperty: originProperty, results: observed.shown(session))
    }
  }
}

extension Results {
  public func _observed() -> _Observed<Results>? {
    switch source {
    case .objects(let objects):
      return _Observed(session: objects.session) { keyPaths throws(RealmError) in
        try ResultsSource(
          objects.query, objects.session.store.tableSet,
          keyPaths: Element._countedKeyPaths(keyPaths))
      } shown: { session in
        session === objects.session && !objects.isInvalidated
          ? self : Results(objects.query, session)
      }
    case .values(let values):
      guard let rows = values.rows as? SessionCollection else { return nil }
      let shown = { (session: Session) -> Results in
        session === rows.own ? self : Results(values.shown(rows.shown(in: session)))
      }
      return _Observed(
        session: rows.session,
        source: { keyPaths throws(RealmError) in try rows.observedSource(keyPaths: keyPaths) },
        shown: shown, comparison: ElementComparison { Array(shown($0)) })
    }
  }
}

extension CollectionProperty {
  public func _confined() -> _Confined? { rows?.confined { Self($0) } }

  public func _observed() -> _Observed<Self>? { rows?.observed(as: self) { Self($0) } }
}
