import Observation
package import Strata

/// The progress of opening a realm, as a view shows it.
@MainActor @Observable
package final class ShownOpening {
  private var current = AsyncOpenState.connecting
  @ObservationIgnored private var task: Task<Void, Never>?

  package init() {}

  deinit { task?.cancel() }

  /// How far it is. The first time it begins.
  package func state(of configuration: Realm.Configuration) -> AsyncOpenState {
    if task == nil { begin(configuration) }
    return current
  }

  /// Ends the opening; a migration is rolled back. The state is an error then, unless the realm was
  /// open before.
  package func cancel() { task?.cancel() }

  /// Opens once more, after an error.
  package func retry(_ configuration: Realm.Configuration) {
    guard case .error = current else { return }
    current = .connecting
    begin(configuration)
  }

  private func begin(_ configuration: Realm.Configuration) {
    // Weak: when the view is gone, the opening ends.
    task = Task { [weak self] in
      do {
        for try await state in Realm.opening(configuration: configuration) {
          self?.current = AsyncOpenState(state)
        }
      } catch {
        self?.current = .error(error)
      }
    }
  }
}
