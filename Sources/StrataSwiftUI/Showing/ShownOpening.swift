import Foundation
import Observation
package import Strata

/// The progress of opening a realm, as a view shows it.
@MainActor @Observable
package final class ShownOpening {
  private var current = AsyncOpenState.connecting
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var location: RealmLocation?
  /// How many openings have begun: what an earlier one still tells is not shown.
  @ObservationIgnored private var openings = 0

  package init() {}

  deinit { task?.cancel() }

  /// How far it is. The first time it begins, and again when the configuration is that of another
  /// realm.
  package func state(of configuration: Realm.Configuration) -> AsyncOpenState {
    if location != RealmLocation(configuration) { begin(configuration) }
    return current
  }

  /// Ends the opening; a migration is rolled back. The state is an error then, unless the realm was
  /// open before.
  package func cancel() { task?.cancel() }

  /// Opens once more, after an error.
  package func retry(_ configuration: Realm.Configuration) {
    guard case .error = current else { return }
    begin(configuration)
  }

  private func begin(_ configuration: Realm.Configuration) {
    location = RealmLocation(configuration)
    openings += 1
    if let task {
      task.cancel()
      current = .connecting
    }
    // Weak: when the view is gone, the opening ends.
    task = Task { [weak self, openings] in
      do {
        for try await state in Realm.opening(configuration: configuration) {
          self?.show(AsyncOpenState(state), of: openings)
        }
      } catch {
        self?.show(.error(error), of: openings)
      }
    }
  }

  private func show(_ state: AsyncOpenState, of opening: Int) {
    if opening == openings { current = state }
  }
}

/// The location of the realm of a configuration: what tells a view that it is another one.
struct RealmLocation: Equatable {
  private var fileURL: URL?
  private var inMemoryIdentifier: String?
  private var replica: Realm.Configuration.Replica?

  init(_ configuration: Realm.Configuration) {
    fileURL = configuration.fileURL
    inMemoryIdentifier = configuration.inMemoryIdentifier
    replica = configuration.replica
  }
}
