import IssueReporting
public import Observation
import StrataStorage

extension Realm {
  /// Whether code that reads of this realm can be told when that changes: objects, collections and
  /// results are `Observable` then.
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
  /// A property counts that is read of an object, whichever instance shows it; the elements of a
  /// collection; which objects results have, and in which order. It doesn't matter who changes
  /// them: this realm is told when it commits, others when the realm moves to their snapshot,
  /// before the handlers of `observe`. So the realm counts as observed: see ``observe(_:)``. At a
  /// plain task or thread, which can't be woken, what others commit is told by `refresh()`, and
  /// when the realm begins to write.
  ///
  /// It is a property of the place: all realms of the file there have the same. Objects that were
  /// read before it is set are not tracked. What is read outside of any tracking is noted as well,
  /// 10,000 properties and collections at most: beyond that those that were read longest ago are
  /// forgotten, after they were told to be read again. A frozen or read-only realm doesn't change:
  /// setting it is reported through `IssueReporting`, and has no effect.
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
  /// - Throws: ``RealmError`` when the file can't be read.
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
