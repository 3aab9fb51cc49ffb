public import Strata

/// The progress of opening a realm: see `AsyncOpen`.
public enum AsyncOpenState {
  /// The file is looked at, and perhaps waited for while another process writes to it.
  case connecting
  /// The file is being made of one that Realm wrote: see `convertsRealmFile`.
  case converting(ConversionProgress)
  /// The file is being migrated.
  case migrating(MigrationProgress)
  /// It is open, for the main actor.
  case open(Realm)
  /// It can't be opened, or the opening was cancelled; then it is a `CancellationError`.
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
