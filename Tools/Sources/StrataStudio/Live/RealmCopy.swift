package import Foundation

/// A converted copy of a file of Realm, which the studio shows.
package struct RealmCopy: Sendable {
  let url: URL
  /// The original file at the time of the copy.
  let origin: RealmOrigin
  /// The owner of the copy, which deletes it when released.
  private let owner: any AnyObject & Sendable
  /// Makes a new copy of the current file, and reports the progress.
  let copyAgain: @Sendable (_ progress: @escaping @Sendable (Double) -> Void) throws -> RealmCopy

  package init(
    _ url: URL, of origin: RealmOrigin, owner: any AnyObject & Sendable,
    copyAgain:
      @escaping @Sendable (_ progress: @escaping @Sendable (Double) -> Void) throws -> RealmCopy
  ) {
    self.url = url
    self.origin = origin
    self.owner = owner
    self.copyAgain = copyAgain
  }
}
