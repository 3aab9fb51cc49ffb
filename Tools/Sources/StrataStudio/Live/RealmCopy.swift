package import Foundation

/// A copy of a file of Realm, which is what the studio shows of it.
package struct RealmCopy: Sendable {
  let url: URL
  /// The file of which it is a copy, as it was then.
  let origin: RealmOrigin
  /// Its end removes the copy.
  private let owner: any AnyObject & Sendable
  /// Makes a copy of the file as it is now, and tells which part is done.
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
