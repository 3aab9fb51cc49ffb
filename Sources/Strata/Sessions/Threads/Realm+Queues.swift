public import Dispatch
import StrataStorage

extension Realm {
  /// Opens the realm of a queue, which all blocks on the queue share, whatever their threads.
  ///
  /// ```swift
  /// let queue = DispatchQueue(label: "importer")
  /// queue.async {
  ///   let realm = try! Realm(queue: queue)
  ///   token = realm.objects(Book.self).observe { change in print(change) }
  /// }
  /// ```
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - queue: A serial queue, on which the caller runs; nil for the place of the caller, as
  ///     `Realm(configuration:)` does.
  /// - Throws: As `Realm(configuration:)` does, and with code `fail` for a caller that isn't on the
  ///   queue, and for a queue that runs several blocks at once.
  public init(configuration: Configuration = .current, queue: DispatchQueue?) throws {
    guard let queue else {
      try self.init(configuration: configuration)
      return
    }
    guard let place = Place.remember(queue) else {
      throw Error(.fail, ErrorText.invalidQueue(queue.label))
    }
    guard place.isCurrent else { throw Error(.fail, ErrorText.incorrectQueue) }
    try self.init(configuration: configuration)
  }

  /// Opens the realm of a queue with the current configuration.
  ///
  /// - Throws: As ``init(configuration:queue:)`` does.
  public init(queue: DispatchQueue) throws {
    try self.init(configuration: .current, queue: queue)
  }
}
