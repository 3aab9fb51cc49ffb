/// A property whose values are lost from one schema to the next, unless a closure copies them.
package struct PossibleLoss: Sendable, Hashable {
  package var className: String
  /// The property before.
  package var property: Property
  /// The property after, if its type changes; nil if the property is removed.
  package var replacement: Property?

  /// Creates a loss. Without a replacement, the property is removed.
  package init(className: String, property: Property, replacement: Property? = nil) {
    self.className = className
    self.property = property
    self.replacement = replacement
  }

  /// The name, such as `Person.age`.
  package var name: String { "\(className).\(property.columnName)" }

  /// Returns all losses, in the order of the differences.
  ///
  /// Classes that only the file has keep their tables, so their values are kept. A property that
  /// becomes required gets a default where it was nil, and keeps its other values.
  package static func all(from old: Schema, to new: Schema) -> [PossibleLoss] {
    SchemaDiff.changes(from: old, to: new.stored).compactMap { change in
      switch change {
      case .removeProperty(let className, let property):
        PossibleLoss(className: className, property: property, replacement: nil)
      case .changeType(let className, let before, let after):
        PossibleLoss(className: className, property: before, replacement: after)
      default: nil
      }
    }
  }

  /// The query for the number of rows with a value.
  package var countSQL: String { countSQL(in: className) }

  /// Returns the query for a file in which the class has another name.
  package func countSQL(in className: String) -> String {
    if let table = CollectionTable(className: className, property: property) {
      return "SELECT count(DISTINCT \"\(CollectionTable.owner)\") FROM \(SQLName.quote(table.name))"
    }
    return "SELECT count(\(SQLName.quote(property.columnName))) FROM \(SQLName.quote(className))"
  }
}

extension Schema {
  /// Returns the classes of embedded objects inside the objects of a class, at any depth.
  package func classesInside(of className: String) -> Set<String> {
    stored.classesInside(of: className, SchemaReferences(self))
  }

  func classesInside(of className: String, _ references: SchemaReferences) -> Set<String> {
    var result: Set<String> = []
    var queue = [className]
    while let name = queue.popLast() {
      guard let object = self[name] else { continue }
      for child in references.children(of: object).compactMap(\.objectClassName)
      where result.insert(child).inserted {
        queue.append(child)
      }
    }
    return result
  }

  /// Returns the embedded classes whose properties are removed, or get another type, in another
  /// schema.
  ///
  /// The embedded class may be removed together with the property. Classes whose objects become
  /// top-level keep their objects, and are excluded.
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

/// A class that only the program has, and a similar class that only the file has: most likely a
/// renamed class.
package struct LookAlike: Sendable, Hashable {
  /// The class of the file.
  package var old: String
  /// The class of the program.
  package var new: String

  /// Returns all pairs, sorted by the names of the new classes.
  ///
  /// Classes are similar if at least half of the properties of both have the same name and the same
  /// type. Of several old classes, the one with the most common properties is chosen.
  package static func all(from file: Schema, to target: Schema) -> [LookAlike] {
    let gone = file.stored.objectSchema.filter { target[$0.className] == nil }
    guard !gone.isEmpty else { return [] }
    return target.stored.objectSchema.filter { file[$0.className] == nil }.compactMap { new in
      let best = gone.map { (old: $0, shared: sharedProperties($0, new)) }
        .filter { old, shared in
          old.isEmbedded == new.isEmbedded && shared > 0
            && 2 * shared >= max(old.properties.count, new.properties.count)
        }
        .max { ($0.shared, $1.old.className) < ($1.shared, $0.old.className) }
      return best.map { LookAlike(old: $0.old.className, new: new.className) }
    }
  }

  private static func sharedProperties(_ old: ObjectSchema, _ new: ObjectSchema) -> Int {
    old.properties.count { property in
      new.property(column: property.columnName)?.typeName == property.typeName
    }
  }
}
