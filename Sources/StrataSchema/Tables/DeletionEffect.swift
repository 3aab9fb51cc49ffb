/// The other changes that the deletion of an object may cause.
package struct DeletionEffect: Sendable, Hashable {
  /// The classes some of whose rows may change or go.
  package var classes: Set<String> = []
  /// The tables of collections some of whose rows may change or go.
  package var collections: Set<String> = []

  package init(classes: Set<String> = [], collections: Set<String> = []) {
    self.classes = classes
    self.collections = collections
  }
}

extension Schema {
  /// The tables that deleting an object of a class may change, besides that of the class itself.
  ///
  /// Embedded children go as well, and all that refers to them. The class itself is among the
  /// result if its own objects may refer to each other.
  package func effectOfDeleting(_ className: String) -> DeletionEffect {
    stored.effectOfDeleting(className, SchemaReferences(self))
  }

  /// The same of a schema in its stored form, for many classes.
  package func effectOfDeleting(
    _ className: String, _ references: SchemaReferences
  ) -> DeletionEffect {
    let schema = self
    var effect = DeletionEffect()
    var gone: Set<String> = [className]
    var queue = [className]
    while let name = queue.popLast() {
      let anyValues = references.isEmbedded(name) ? [] : references.anyValues
      for reference in references.links(to: name) + anyValues {
        if let collection = reference.collection {
          effect.collections.insert(collection.name)
        } else {
          effect.classes.insert(reference.origin.className)
        }
      }
      guard let current = schema[name] else { continue }
      effect.collections.formUnion(current.collectionTables.map(\.name))
      for child in references.children(of: current).compactMap(\.objectClassName) {
        effect.classes.insert(child)
        if gone.insert(child).inserted { queue.append(child) }
      }
    }
    return effect
  }
}
