/// Stands in an `AnyRealmValue` for an object that a migration block sees, which is of no model
/// class.
final class LinkInMigration: Object {
  private(set) var target: AnyObject?

  convenience init(_ target: AnyObject) {
    self.init()
    self.target = target
  }
}
