/// The number of changes of the collections of one table in a transaction.
///
/// A cache for one object's list stays valid while those of others change.
struct CollectionChanges {
  private(set) var total: UInt64 = 0
  /// Changes that may concern each object.
  private var ofAll: UInt64 = 0
  private var ofOwners: [Int64: UInt64] = [:]

  /// More owners than these are forgotten: memory must not grow with their number.
  private static let mostOwners = 1_000

  /// A number that changes when the collection of an object may have.
  func count(owner: Int64) -> UInt64 { ofAll << 32 | ofOwners[owner, default: 0] }

  mutating func note(owner: Int64) {
    total += 1
    if ofOwners.count >= Self.mostOwners, ofOwners[owner] == nil { forgetOwners() }
    ofOwners[owner, default: 0] += 1
  }

  mutating func noteAll() {
    total += 1
    forgetOwners()
  }

  private mutating func forgetOwners() {
    ofAll += 1
    ofOwners = [:]
  }
}
