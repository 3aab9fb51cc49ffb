import IssueReporting
import StrataStorage
import Synchronization

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
