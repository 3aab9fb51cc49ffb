import Foundation
import StrataStorage
import Synchronization

/// New rows of a large transaction, which another thread writes while the caller makes more.
///
/// The queue of the connection does the work, so whoever uses the connection later comes after it.
/// The caller lets go of the objects: at their end code of the program may run.
final class BackgroundInserts {
  typealias Write = ([ObjectBase]) throws(RealmError) -> Void

  private var batches: [Batch] = []
  private let failure = Failure()

  /// One that is being written, and one for the thread to go on with.
  private static let mostBatches = 2
  /// The new rows of a table from which on they are handed over: fewer are written before it pays.
  static let leastRows = 4_096
  /// The caller and the thread meet once for so many.
  static let rowsAtOnce = 512
  static let areOfUse = ProcessInfo.processInfo.activeProcessorCount > 1

  var areRunning: Bool { !batches.isEmpty }

  deinit { while areRunning { finishFirst() } }

  /// Hands over objects, which must not be changed before ``finish()``.
  ///
  /// - Parameter begin: Has a closure run on the queue of the connection.
  /// - Throws: The reason why earlier ones could not be written.
  func add(
    _ objects: [ObjectBase], _ write: @escaping Write,
    on begin: (@escaping @Sendable () -> Void) throws(RealmError) -> Void
  ) throws(RealmError) {
    if batches.count == Self.mostBatches { finishFirst() }
    try failure.check()
    let batch = Batch(objects, write)
    try begin { [failure] in batch.run(failure) }
    batches.append(batch)
  }

  /// Waits until all are written.
  ///
  /// - Throws: The reason why some could not be written.
  func finish() throws(RealmError) {
    while areRunning { finishFirst() }
    try failure.check()
  }

  private func finishFirst() { batches.removeFirst().finish() }

  /// The reason why nothing more is written.
  private final class Failure: Sendable {
    private let error = Mutex<RealmError?>(nil)

    func check() throws(RealmError) { if let error = error.withLock({ $0 }) { throw error } }

    func note(_ error: RealmError) { self.error.withLock { $0 = error } }
  }

  /// Objects that are written together.
  private final class Batch: @unchecked Sendable {
    // guarded by: `isDone`, as the rest: the thread has them before, and the caller after it.
    private var objects: [ObjectBase]
    private var write: Write?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ objects: [ObjectBase], _ write: @escaping Write) {
      self.objects = objects
      self.write = write
    }

    func run(_ failure: Failure) {
      do throws(RealmError) {
        try failure.check()
        try write?(objects)
      } catch {
        failure.note(error)
      }
      isDone.signal()
    }

    func finish() {
      isDone.wait()
      let last = (objects, write)
      (objects, write) = ([], nil)
      withExtendedLifetime(last) {}
    }
  }
}
