import StrataStorage

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
  /// The class whose objects are being read; nil after the last class, while indexes are created
  /// and rows counted.
  public let className: String?
  /// The number of completed objects of all classes.
  public let completedObjects: Int
  /// The number of objects of all classes.
  public let totalObjects: Int

  /// The completed fraction of the objects, from 0 to 1.
  public var fractionCompleted: Double {
    totalObjects == 0 ? 1 : min(1, Double(completedObjects) / Double(totalObjects))
  }
}

extension ConversionProgress: CustomStringConvertible {
  /// A text such as `Person: 12000 of 50000 objects`.
  public var description: String {
    let objects = "\(completedObjects) of \(totalObjects) objects"
    guard let className else { return "\(objects), making indexes" }
    return "\(className): \(objects)"
  }
}

/// The observer of a conversion: it reports the progress, and cancels the conversion on request.
/// Belongs to the thread that converts.
package final class ConversionMonitor {
  typealias Listener = @Sendable (ConversionProgress) -> Void

  private let listener: Listener?
  let cancellation: Cancellation?
  private let total: Int
  private var completed = 0
  private var className: String?
  private var lastNews = ContinuousClock.now

  /// The shortest time between two calls of the listener for the same class.
  private static let pause = Duration.milliseconds(50)
  /// The number of objects between two checks, minus one.
  private static let mask = 255

  init(_ listener: Listener?, _ cancellation: Cancellation?, total: Int) {
    self.listener = listener
    self.cancellation = cancellation
    self.total = total
  }

  /// Begins the objects of a class, or with nil the work after all classes.
  package func begin(_ className: String?) throws {
    self.className = className
    try report(always: true)
  }

  /// - Throws: `CancellationError` if the conversion was cancelled.
  @inline(__always)
  package func advance() throws {
    completed += 1
    if completed & Self.mask == 0 { try report(always: false) }
  }

  private func report(always: Bool) throws {
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
