/// What becomes of objects without a parent when their class becomes an embedded one.
public enum OrphanPolicy: Sendable, Hashable {
  /// The migration fails, and says how many there are, and which.
  case refuse
  /// They are deleted, with what is embedded in them.
  case delete
}

/// What becomes of objects with several parents when their class becomes an embedded one.
public enum SharedObjectPolicy: Sendable, Hashable {
  /// The migration fails, and says which they are, and whose.
  case refuse
  /// The first parent keeps the object, each other one gets a copy. What is embedded in the object
  /// is copied as well; objects that it links to are not.
  case copy
}

/// What becomes of objects that cannot be embedded as they are, in a class that becomes embedded.
package struct EmbeddingChoice: Sendable, Hashable {
  package var orphans: OrphanPolicy
  package var shared: SharedObjectPolicy

  /// Describes a choice; without one nothing is lost and nothing multiplies.
  package init(orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse) {
    self.orphans = orphans
    self.shared = shared
  }
}
