public import Strata

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
