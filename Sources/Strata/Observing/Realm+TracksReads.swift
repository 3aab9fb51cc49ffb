import IssueReporting
public import Observation
import StrataStorage

extension Realm {
  /// Whether reads from this realm are tracked, so that its objects, collections and results notify
  /// their readers as `Observable` types do.
  ///
  /// ```swift
  /// let realm = try Realm()
  /// realm.tracksReads = true
  /// let person = realm.objects(Person.self).first
  /// withObservationTracking {
  ///   label.text = person?.name
  /// } onChange: {
  ///   // The name is going to change: read it again soon.
  /// }
  /// ```
  /// Tracked reads are: a property of an object, whichever instance shows the object; the elements
  /// of a collection; the objects of results, and their order. Readers are notified of all changes:
  /// of this realm's own changes when the realm commits, of others when the realm moves to their
  /// snapshot, before the handlers of `observe`. The realm counts as observed: see ``observe(_:)``.
  /// A plain task or thread can't be woken: there `refresh()` and the begin of a write notify
  /// readers of other commits.
  ///
  /// All realms of the file on the same isolation share this setting. Reads before it is set are
  /// not tracked. Reads outside of `withObservationTracking` are recorded as well, at most 10,000
  /// properties and collections. Beyond that limit, the least recently read ones are notified and
  /// then dropped. For a frozen or read-only realm, setting this property is reported through
  /// `IssueReporting` and has no effect.
  public var tracksReads: Bool {
    get { session.reads != nil }
    nonmutating set {
      guard newValue != tracksReads else { return }
      guard newValue else {
        (session.reads as? ReadRegistrars)?.stop()
        session.reads = nil
        return
      }
      do throws(RealmError) {
        try session.checkObservable()
        try session.checkPlace()
        try session.beginTrackingReads()
      } catch {
        reportIssue("\(error.message)")
      }
    }
  }
}

extension Session {
  fileprivate func beginTrackingReads() throws(RealmError) {
    let notifier = SessionNotifier.of(self)
    let registrars = ReadRegistrars(self, notifier)
    if transaction == nil {
      try store.lookBeforeObserving()
      try translatingErrors(at: store.file.url) { try registrars.begin() }
    } else {
      notifier.afterTransaction { [weak registrars, weak self] in
        do {
          try registrars?.begin()
        } catch {
          if let self { report(RealmError(error, at: store.file.url)) }
        }
      }
    }
    reads = registrars
    notifier.adviseIfPlaceSleeps()
  }
}

extension ObjectBase: Observable {}
extension List: Observable {}
extension MutableSet: Observable {}
extension Map: Observable {}
extension Results: Observable {}
extension LinkingObjects: Observable {}
extension SectionedResults: Observable {}
extension ResultsSection: Observable {}
