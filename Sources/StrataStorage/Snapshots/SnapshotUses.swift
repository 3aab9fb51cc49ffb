import Foundation
import Synchronization

/// The keepers of a snapshot, and what keeping it costs.
package final class SnapshotUses: Sendable {
  private struct Keeper: Sendable {
    let id: ObjectIdentifier
    let isFrozen: Bool
    let name: @Sendable () -> String
  }

  private struct State: Sendable {
    var keepers: [Keeper] = []
    /// The frames that had been written when it began to need the WAL.
    var start: Int
    var superseded: ContinuousClock.Instant?
    var hasWarned = false
  }

  private let wal: WALLength
  private let state: Mutex<State>

  /// How many names are remembered of one that keeps it for several.
  private static let mostNames = 8

  init(_ wal: WALLength) {
    self.wal = wal
    state = Mutex(State(start: wal.written))
  }

  /// Notes where it is kept. A reference keeps it, and not this note.
  ///
  /// - Parameter isFrozen: Whether it is kept for good, rather than until its keeper moves on.
  package func begin(
    _ id: ObjectIdentifier, isFrozen: Bool = false, _ name: @escaping @Sendable () -> String
  ) {
    state.withLock { state in
      guard state.keepers.count(where: { $0.id == id }) < Self.mostNames else { return }
      state.keepers.append(Keeper(id: id, isFrozen: isFrozen, name: name))
    }
  }

  package func end(_ id: ObjectIdentifier) {
    state.withLock { $0.keepers.removeAll { $0.id == id } }
  }

  /// The names of the keepers, each once.
  package var names: [String] {
    var names: [String] = []
    for keeper in state.withLock({ $0.keepers }) {
      let name = keeper.name()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether it is kept for good.
  package var isFrozen: Bool { state.withLock { $0.keepers.contains(where: \.isFrozen) } }

  // MARK: What it costs

  /// The bytes of the WAL that were written since it began to need the WAL.
  package var walBytes: Int { (wal.written - state.withLock { $0.start }) * wal.frameSize }

  /// Notes that it doesn't need what the WAL has now.
  func needsLogAgain() {
    state.withLock { $0.start = wal.written }
  }

  /// Since when there is a newer state; nil while it is the newest one.
  var superseded: ContinuousClock.Instant? { state.withLock { $0.superseded } }

  /// Whether it was left behind so long ago that it won't be let go soon.
  func isHeld(at now: ContinuousClock.Instant) -> Bool {
    superseded.map { now - $0 >= .seconds(1) } ?? false
  }

  func supersede(at time: ContinuousClock.Instant) {
    state.withLock { if $0.superseded == nil { $0.superseded = time } }
  }

  /// Whether it is to be warned of; true once.
  func takeWarning() -> Bool {
    state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
  }
}

/// A place in the source of the program.
package struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
  package let fileID: String
  package let line: UInt

  package init(fileID: String, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  package var description: String { "\(fileID):\(line)" }
}
