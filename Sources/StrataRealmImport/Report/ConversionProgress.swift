import StrataStorage

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
  /// The class whose objects are being read; nil once all have been, while indexes are made and
  /// rows counted.
  public let className: String?
  /// How many objects of all classes are done.
  public let completedObjects: Int
  /// How many objects all classes have.
  public let totalObjects: Int

  /// The part of the objects that is done, from 0 to 1.
  public var fractionCompleted: Double {
    totalObjects == 0 ? 1 : min(1, Double(completedObjects) / Double(totalObjects))
  }
}

extension ConversionProgress: CustomStringConvertible {
  /// `Person: 12000 of 50000 objects`.
  public var description: String {
    let objects = "\(completedObjects) of \(totalObjects) objects"
    guard let className else { return "\(objects), making indexes" }
    return "\(className): \(objects)"
  }
}

/// The observer of a conversion: it tells how far that is, and ends it on request. Belongs to the
/// thread that converts.
package final class ConversionMonitor {
  typealias Listener = @Sendable (ConversionProgress) -> Void

  private let listener: Listener?
  let cancellation: Cancellation?
  private let total: Int
  private var completed = 0
  private var className: String?
  private var lastNews = ContinuousClock.now

  /// How often the listener hears of the same class, at most.
  private static let pause = Duration.milliseconds(50)
  /// How many objects pass between two looks, minus one.
  private static let mask = 255

  init(_ listener: Listener?, _ cancellation: Cancellation?, total: Int) {
    self.listener = listener
    self.cancellation = cancellation
    self.total = total
  }

  /// The objects of a class are next; nil for what comes after all classes.
  package func begin(_ className: String?) throws {
    self.className = className
    try tell(always: true)
  }

  /// - Throws: `CancellationError` when the conversion was cancelled.
  @inline(__always)
  package func advance() throws {
    completed += 1
    if completed & Self.mask == 0 { try tell(always: false) }
  }

  private func tell(always: Bool) throws {
    try check()
    guard let listener else { return }
    let now = ContinuousClock.now
    guard always || now - lastNews >= Self.pause else { return }
    lastNews = now
    listener(
      ConversionProgress(
        className: className, completedObjects: completed, totalObjects: max(total, completed)))
  }

  package func check() throws {
    try cancellation?.check()
  }
}
