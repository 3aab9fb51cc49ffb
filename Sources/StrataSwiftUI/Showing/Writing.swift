import IssueReporting
import Observation
package import Strata

/// The changes of views to what they show: in transactions of the main actor's realm.
@MainActor
package enum Writing {
  /// Fired when something was written through a binding that is part of another one. Nothing else
  /// tells of it at once, and a text field must read back what it has set.
  package static let nested = Trigger()

  /// Changes something in a transaction.
  ///
  /// What is frozen is thawed first; what is in no realm is changed as it is. Inside of a
  /// transaction that is going on the change is a part of it. A transaction that fails changes
  /// nothing, which is reported through `IssueReporting`, as a binding can't throw.
  /// - Parameters:
  ///   - shown: What is to be changed.
  ///   - tokens: Who isn't told of it.
  ///   - change: Gets the live one.
  /// - Returns: Whether it was changed; not if it was deleted, or the transaction failed.
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

  /// Changes something in a transaction of a realm: see ``change(_:withoutNotifying:_:)``.
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
        "What a view has changed can't be written, and nothing was changed: \(error) Code that has "
          + "to know of it calls 'write' of the realm, which throws.")
      return false
    }
  }

  /// A value as it can be written: what is frozen, as the realm of the main actor shows it.
  ///
  /// - Returns: The value itself where it isn't frozen, and where it is gone.
  package static func live<Value>(_ value: Value) -> Value {
    guard let confined = value as? any ThreadConfined, confined.isFrozen else { return value }
    return thawed(confined) as? Value ?? value
  }

  private static func thawed(_ value: some ThreadConfined) -> Any? { value.thaw() }
}

extension Writing {
  /// Deletes an object, which may be frozen, from its realm; inside of a transaction. One in no
  /// realm is reported.
  package static func delete(_ object: ObjectBase) {
    let live = live(object)
    guard !live.isFrozen, !live.isInvalidated else { return }
    guard let realm = live.realm else {
      reportIssue(
        "Can only delete an object from the Realm it belongs to. This one is in no realm: add it "
          + "before.")
      return
    }
    realm.delete(live)
  }
}

/// A trigger that has the views that read it computed again.
@MainActor @Observable
package final class Trigger {
  private var count = 0

  package init() {}

  /// The view that is being computed depends on this from now on.
  package func note() { _ = count }

  /// The views that depend on this are computed again.
  package func fire() { count += 1 }
}
