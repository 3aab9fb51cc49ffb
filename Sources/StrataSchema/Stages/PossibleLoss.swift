/// A property whose values are lost from one schema to the next, unless a closure carries them
/// over.
package struct PossibleLoss: Sendable, Hashable {
  package var className: String
  /// The property before.
  package var property: Property
  /// The property after, for one whose type changes; nil for one that goes.
  package var replacement: Property?

  /// Describes the values of a property; without a replacement the property goes.
  package init(className: String, property: Property, replacement: Property? = nil) {
    self.className = className
    self.property = property
    self.replacement = replacement
  }

  /// `Person.age`.
  package var name: String { "\(className).\(property.columnName)" }

  /// All of them, in the order of the differences.
  ///
  /// Classes that only the file has keep their tables, so nothing of theirs goes. A property that
  /// becomes required has a default where it was nil, and keeps the rest.
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

  /// Counts the rows that have a value.
  package var countSQL: String { countSQL(in: className) }

  /// The same in a file that calls the class otherwise.
  package func countSQL(in className: String) -> String {
    if let table = CollectionTable(className: className, property: property) {
      return "SELECT count(DISTINCT \"\(CollectionTable.owner)\") FROM \(SQLName.quote(table.name))"
    }
    return "SELECT count(\(SQLName.quote(property.columnName))) FROM \(SQLName.quote(className))"
  }
}

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

/// A class that only the program has, and one that only the file has, which it looks like: most
/// likely one class that was given another name.
package struct LookAlike: Sendable, Hashable {
  /// The class of the file.
  package var old: String
  /// The class of the program.
  package var new: String

  /// Describes two classes that look alike.
  package init(old: String, new: String) {
    self.old = old
    self.new = new
  }

  /// All of them, by the names of the new classes.
  ///
  /// Classes look alike when at least half of the properties that either has are called the same
  /// and have the same type. Of several old classes it is the one that has most of them.
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
