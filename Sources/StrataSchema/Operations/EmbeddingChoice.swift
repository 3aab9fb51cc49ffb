/// What becomes of objects that cannot be embedded as they are, in a class that becomes embedded.
package struct EmbeddingChoice: Sendable, Hashable {
  /// What to do with objects that no other object has a link to.
  package enum Orphans: Sendable, Hashable {
    case refuse, delete
  }

  /// What to do with objects that more than one link leads to.
  package enum Shared: Sendable, Hashable {
    case refuse, copy
  }

  package var orphans: Orphans
  package var shared: Shared

  /// Describes a choice; without one nothing is lost and nothing multiplies.
  package init(orphans: Orphans = .refuse, shared: Shared = .refuse) {
    self.orphans = orphans
    self.shared = shared
  }
}
