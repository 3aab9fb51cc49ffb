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
/// Each read gives the live one at the place of the reader, or nil when it was deleted. It keeps
/// the file open. Only what is in a realm can be set: anything else is reported through
/// `IssueReporting`, and the variable stays as it was.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  private let target = Mutex<ReferenceTarget?>(nil)

  /// Makes a variable with a value from a realm, or nil.
  public init(wrappedValue: Confined?) {
    set(wrappedValue)
  }

  /// Makes a variable with the value that another one has.
  public init(projectedValue: ThreadSafe) {
    let found = projectedValue.target.withLock { $0 }
    target.withLock { $0 = found }
  }

  /// The value at the place of the caller; nil when it was deleted, or none was set.
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
      // The one before is released outside of the lock: it may be the last that has the file open.
      target.withLock { swap(&$0, &found) }
    } catch {
      reportIssue("Only managed objects may be wrapped as thread safe. \(error.message).")
    }
  }
}
