import IssueReporting
import StrataStorage
import Synchronization

/// A reference that passes an object, a collection or results to another place.
///
/// ```swift
/// let reference = ThreadSafeReference(to: person)
/// queue.async {
///   let realm = try! Realm()
///   guard let person = realm.resolve(reference) else { return }  // it was deleted meanwhile
///   try! realm.write { person.age += 1 }
/// }
/// ```
/// The reference identifies the object or query, and keeps no snapshot of the file: the resolved
/// value has its current state. The reference keeps the file open.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private final class State: Sendable {
    let isResolved = Atomic<Bool>(false)
  }

  private let target: ReferenceTarget?
  private let state = State()

  /// Makes a reference, to be resolved once.
  ///
  /// An unmanaged or deleted value can't be referenced: this is reported through `IssueReporting`,
  /// and the reference resolves to nil.
  public init(to threadConfined: Confined) {
    do throws(RealmError) {
      target = try ReferenceTarget(threadConfined)
    } catch {
      reportIssue("\(error.message)")
      target = nil
    }
  }

  /// Whether the reference was resolved already, or has no target.
  public var isInvalidated: Bool { state.isResolved.load(ordering: .acquiring) || target == nil }

  fileprivate func resolve(in session: Session) throws(RealmError) -> Confined? {
    if state.isResolved.exchange(true, ordering: .acquiringAndReleasing) {
      reportIssue("Can only resolve a thread safe reference once")
    }
    guard let target else { return nil }
    try session.checkPlace()
    guard target.store === session.store else { return nil }
    return try target.shown(in: session) as? Confined
  }
}

extension Realm {
  /// The object or collection of a reference, at the place of this realm.
  ///
  /// A realm that keeps a snapshot first moves to the newest one, as `refresh()` does. In a write
  /// transaction, the result shows the transaction's state.
  /// - Returns: The referenced value. Nil if it was deleted or was added in a transaction that is
  ///   not committed, and for a reference to another file. A second resolution is reported through
  ///   `IssueReporting`, and resolves all the same.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    do throws(RealmError) {
      return try reference.resolve(in: session)
    } catch {
      session.report(error)
      return nil
    }
  }
}

/// The target of a reference, for any session of its file.
struct ReferenceTarget: Sendable {
  let store: Store
  private let description: _Description

  /// - Throws: ``RealmError`` with code `fail` for an unmanaged or deleted value.
  init(_ thing: some ThreadConfined) throws(RealmError) {
    guard !thing.isInvalidated else {
      throw RealmError(.fail, "Cannot construct reference to invalidated object")
    }
    guard let confined = thing._confined() else {
      throw RealmError(
        .fail,
        "Cannot construct reference to unmanaged object, which can be passed across threads directly"
      )
    }
    try confined.session.checkPlace()
    store = confined.session.store
    description = confined.description
  }

  /// The target in a session, which is moved to the newest snapshot first.
  func shown(in session: Session) throws(RealmError) -> Any? {
    if !session.showsNewest { _ = try session.refresh() }
    return description.shown(session)
  }
}

/// A variable for an object, a collection or results that any place may read.
///
/// ```swift
/// @ThreadSafe var person: Person? = realm.objects(Person.self).first
/// let shared = $person
/// queue.async { print(shared.wrappedValue?.name ?? "deleted") }
/// ```
/// Each read returns the live value at the place of the reader, or nil if the value was deleted.
/// The variable keeps the file open. Only a managed object, collection or results can be set:
/// anything else is reported through `IssueReporting`, and the variable keeps its value.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  private let target = Mutex<ReferenceTarget?>(nil)

  /// Makes a variable with a value from a realm, or nil.
  public init(wrappedValue: Confined?) {
    set(wrappedValue)
  }

  /// Makes a variable with the value of another variable.
  public init(projectedValue: ThreadSafe) {
    let found = projectedValue.target.withLock { $0 }
    target.withLock { $0 = found }
  }

  /// The value at the place of the caller; nil if it was deleted or never set.
  public var wrappedValue: Confined? {
    get { shown }
    set { set(newValue) }
  }

  /// The variable itself, which may be sent to other places.
  public var projectedValue: ThreadSafe { self }

  private var shown: Confined? {
    guard let target = target.withLock({ $0 }) else { return nil }
    let session = target.store.session()
    do throws(RealmError) {
      return try target.shown(in: session) as? Confined
    } catch {
      session.report(error)
      return nil
    }
  }

  private func set(_ value: Confined?) {
    do throws(RealmError) {
      var found = try value.map { value throws(RealmError) in try ReferenceTarget(value) }
      // The previous target is released outside of the lock: it may be the last one to keep the
      // file open.
      target.withLock { swap(&$0, &found) }
    } catch {
      reportIssue("Only managed objects may be wrapped as thread safe. \(error.message).")
    }
  }
}
