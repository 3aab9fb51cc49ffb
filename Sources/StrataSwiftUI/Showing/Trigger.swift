import Observation

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
