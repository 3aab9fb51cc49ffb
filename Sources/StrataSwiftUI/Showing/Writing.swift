import IssueReporting
import Observation
package import Strata

/// The changes of views to their values, in transactions of the main actor's realm.
@MainActor
package enum Writing {
  /// Fired when a value was written through a nested binding. Nothing else reports this at once,
  /// but a text field must read back the value that it has set.
  package static let nested = Trigger()

  /// Changes a value in a transaction.
  ///
  /// A frozen value is thawed first; an unmanaged one is changed directly. The change joins a
  /// running transaction. A transaction that fails changes nothing, and is reported through
  /// `IssueReporting`, because a binding can't throw.
  /// - Returns: Whether the value was changed; false if it was deleted, or if the transaction
  ///   failed.
  @discardableResult
  package static func change<Value: ThreadConfined>(
    _ shown: Value, withoutNotifying tokens: [NotificationToken] = [],
    _ change: (Value) -> Void
  ) -> Bool {
    guard !shown.isInvalidated else { return false }
    guard shown.realm != nil else {
      change(shown)
      return true
    }
    guard let live = shown.thaw(), !live.isInvalidated, let realm = live.realm else {
      return false
    }
    return self.change(in: realm, withoutNotifying: tokens) { change(live) }
  }

  /// Runs a change in a transaction of a realm: see ``change(_:withoutNotifying:_:)``.
  @discardableResult
  package static func change(
    in realm: Realm, withoutNotifying tokens: [NotificationToken] = [], _ change: () -> Void
  ) -> Bool {
    guard !realm.isInWriteTransaction else {
      change()
      return true
    }
    do {
      try realm.write(withoutNotifying: tokens, change)
      return true
    } catch {
      reportIssue(
        "A change by a view can't be written, and nothing was changed: \(error) To handle the "
          + "error, call 'write' of the realm, which throws it.")
      return false
    }
  }

  /// Returns a value that can be written: for a frozen value, the live one in the main actor's
  /// realm.
  ///
  /// - Returns: The value itself if it isn't frozen, or if it was deleted.
  package static func live<Value>(_ value: Value) -> Value {
    guard let confined = value as? any ThreadConfined, confined.isFrozen else { return value }
    return thawed(confined) as? Value ?? value
  }

  private static func thawed(_ value: some ThreadConfined) -> Any? { value.thaw() }
}

extension Writing {
  /// Adds the object that an element is, or shows, to a realm, inside a transaction. An object of a
  /// realm is not changed.
  package static func add(_ element: some RealmFetchable, to realm: Realm) {
    if let object = element._shownObject as? Object, object.realm == nil { realm.add(object) }
  }

  /// Deletes the object that an element is, or shows, from its realm, inside a transaction. The
  /// object may be frozen; an unmanaged object is reported.
  package static func delete(_ element: some _ObjectShowing) {
    guard let live = element._shownObject.map(live), !live.isFrozen, !live.isInvalidated else {
      return
    }
    guard let realm = live.realm else {
      reportIssue(
        "Can only delete an object from the Realm it belongs to. This one is in no realm: add it "
          + "before.")
      return
    }
    realm.delete(live)
  }
}

/// A trigger that makes SwiftUI compute the views again that read it.
@MainActor @Observable
package final class Trigger {
  private var count = 0

  package init() {}

  /// Makes the view that is being computed depend on this trigger.
  package func record() { _ = count }

  /// Makes SwiftUI compute the dependent views again.
  package func fire() { count += 1 }
}
