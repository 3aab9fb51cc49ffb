package import Strata

/// A change as a value that can be compared.
package enum Change: Equatable, Sendable {
  case initial(Int)
  case update(Int, [Int], [Int], [Int])
  case error(String)

  package init<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection): self = .initial(collection.count)
    case .update(let collection, let deletions, let insertions, let modifications):
      self = .update(collection.count, deletions, insertions, modifications)
    case .error(let error): self = .error("\(error)")
    }
  }
}
