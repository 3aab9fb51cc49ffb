import Foundation
import Synchronization

/// The keepers of a snapshot, and the cost of keeping it.
package final class SnapshotUses: Sendable {
  private struct Keeper: Sendable {
    let id: ObjectIdentifier
    let isFrozen: Bool
    let name: @Sendable () -> String
  }

  private struct State: Sendable {
    var keepers: [Keeper] = []
    /// The total number of frames when the snapshot began to need the WAL.
    var start: Int
    var superseded: ContinuousClock.Instant?
    var hasWarned = false
  }

  private let wal: WALLength
  private let state: Mutex<State>

  /// The number of names that are kept for one keeper.
  private static let maxNames = 8

  init(_ wal: WALLength) {
    self.wal = wal
    state = Mutex(State(start: wal.written))
  }

  /// Records a keeper. The record itself doesn't keep the snapshot.
  ///
  /// - Parameter isFrozen: Whether it is kept permanently, not only until its keeper moves on.
  package func begin(
    _ id: ObjectIdentifier, isFrozen: Bool = false, _ name: @escaping @Sendable () -> String
  ) {
    state.withLock { state in
      guard state.keepers.count(where: { $0.id == id }) < Self.maxNames else { return }
      state.keepers.append(Keeper(id: id, isFrozen: isFrozen, name: name))
    }
  }

  package func end(_ id: ObjectIdentifier) {
    state.withLock { $0.keepers.removeAll { $0.id == id } }
  }

  /// The names of the keepers, without duplicates.
  package var names: [String] {
    var names: [String] = []
    for keeper in state.withLock({ $0.keepers }) {
      let name = keeper.name()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether the snapshot is kept permanently.
  package var isFrozen: Bool { state.withLock { $0.keepers.contains(where: \.isFrozen) } }

  // MARK: What it costs

  /// The bytes that were written to the WAL since the snapshot began to need it.
  package var walBytes: Int { (wal.written - state.withLock { $0.start }) * wal.frameSize }

  /// Records that the snapshot doesn't need the present contents of the WAL.
  func needsLogAgain() {
    state.withLock { $0.start = wal.written }
  }

  /// The time of the next commit after this state; nil while it is the newest one.
  var superseded: ContinuousClock.Instant? { state.withLock { $0.superseded } }

  /// Whether it was superseded so long ago that it won't be released soon.
  func isHeld(at now: ContinuousClock.Instant) -> Bool {
    superseded.map { now - $0 >= .seconds(1) } ?? false
  }

  func supersede(at time: ContinuousClock.Instant) {
    state.withLock { if $0.superseded == nil { $0.superseded = time } }
  }

  /// Returns true at the first call, which logs the warning, and then false.
  func takeWarning() -> Bool {
    state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
  }
}

/// A location in the source code of the program.
package struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
  package let fileID: String
  package let line: UInt

  package init(fileID: String, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  package var description: String { "\(fileID):\(line)" }
}
