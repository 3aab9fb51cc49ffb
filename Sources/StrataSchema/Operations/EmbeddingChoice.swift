/// A choice for objects that cannot be embedded as they are, in a class that becomes embedded.
package struct EmbeddingChoice: Sendable, Hashable {
  package var orphans: OrphanPolicy
  package var shared: SharedObjectPolicy

  /// Describes a choice; without one nothing is lost and nothing multiplies.
  package init(orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse) {
    self.orphans = orphans
    self.shared = shared
  }
}
