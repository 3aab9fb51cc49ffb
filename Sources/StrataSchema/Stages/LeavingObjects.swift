extension Schema {
  /// The classes of embedded objects that are inside of objects of a class, at any depth.
  package func classesInside(of className: String) -> Set<String> {
    let references = SchemaReferences(self)
    let schema = stored
    var result: Set<String> = []
    var queue = [className]
    while let name = queue.popLast() {
      guard let object = schema[name] else { continue }
      for child in references.children(of: object).compactMap(\.objectClassName)
      where result.insert(child).inserted {
        queue.append(child)
      }
    }
    return result
  }

  /// The embedded classes of properties that go, or get another type, on the way to another schema.
  ///
  /// A class may leave together with the property. One whose objects stand on their own from then
  /// on keeps them.
  package func classesLosingHolders(_ changes: [SchemaChange], in target: Schema) -> Set<String> {
    let classes = changes.compactMap { change -> String? in
      switch change {
      case .removeProperty(_, let property), .changeType(_, let property, _):
        guard property.type == .object, let name = property.objectClassName,
          self[name]?.isEmbedded == true, target[name]?.isEmbedded != false
        else { return nil }
        return name
      default: return nil
      }
    }
    return Set(classes)
  }
}
