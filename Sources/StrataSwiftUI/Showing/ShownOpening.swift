import Foundation
import Observation
public import Strata

/// The progress of opening a realm, for a view.
@MainActor @Observable
package final class ShownOpening {
  private var current = AsyncOpenState.connecting
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var location: RealmLocation?
  /// The number of openings so far. States of earlier openings are ignored.
  @ObservationIgnored private var openings = 0

  package init() {}

  deinit { task?.cancel() }

  /// Returns the present state. The first call begins the opening. So does a call with the
  /// configuration of another realm.
  package func state(of configuration: Realm.Configuration) -> AsyncOpenState {
    if location != RealmLocation(configuration) { begin(configuration) }
    return current
  }

  /// Cancels the opening; a migration is rolled back. The state then becomes an error, unless the
  /// realm was open already.
  package func cancel() { task?.cancel() }

  /// Retries the opening after an error.
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
    // Weak, so that the opening ends when the view is removed.
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

/// The location of a configuration's realm, by which a view detects another realm.
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

/// The progress of opening a realm: see `AsyncOpen`.
public enum AsyncOpenState {
  /// The file is checked. This may wait while another process writes to it.
  case connecting
  /// The file is being converted from a Realm file: see `convertsRealmFile`.
  case converting(ConversionProgress)
  /// The file is being migrated.
  case migrating(MigrationProgress)
  /// The realm is open, for the main actor.
  case open(Realm)
  /// The realm can't be opened. If the opening was cancelled, this is a `CancellationError`.
  case error(any Error)
}

extension AsyncOpenState {
  init(_ state: Realm.OpeningState) {
    switch state {
    case .connecting: self = .connecting
    case .converting(let progress): self = .converting(progress)
    case .migrating(let progress): self = .migrating(progress)
    case .open(let realm): self = .open(realm)
    }
  }
}
