public import Foundation

extension RealmFileError: LocalizedError {
  /// The place, the problem and the repair, as `localizedDescription` shows them.
  public var errorDescription: String? { description }
}
