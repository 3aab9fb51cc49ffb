/// A property through which objects of one class can refer to objects of another.
package struct Reference: Sendable, Hashable {
  package let origin: ObjectSchema
  /// The property, by its column.
  package let property: Property

  /// Creates a reference from a property of a class in its stored form.
  package init(origin: ObjectSchema, property: Property) {
    self.origin = origin
    self.property = property
  }

  package var collection: CollectionTable? {
    CollectionTable(className: origin.className, property: property)
  }

  /// The table with the reference: the class's or the collection's.
  package var table: String { collection?.name ?? origin.className }

  /// The column of ``table`` with the identity of the object that has the reference.
  package var owner: String {
    collection == nil ? origin.identityColumn : CollectionTable.owner
  }

  /// The column of ``table`` with the identity of the other object.
  package var column: String {
    collection == nil ? property.columnName : CollectionTable.value
  }

  /// The column of ``table`` with the type of an `AnyRealmValue`.
  package var typeColumn: String { property.typeColumnName ?? CollectionTable.valueType }
}

/// The references between the classes of a schema, looked up once.
package struct SchemaReferences: Sendable {
  private var links: [String: [Reference]] = [:]
  /// The properties that can contain objects of every class that is not embedded.
  package private(set) var anyValues: [Reference] = []
  private var embedded: Set<String> = []

  package init(_ schema: Schema) {
    for origin in schema.stored.objectSchema {
      if origin.isEmbedded { embedded.insert(origin.className) }
      for property in origin.properties {
        let reference = Reference(origin: origin, property: property)
        switch property.type {
        case .object: links[property.objectClassName ?? "", default: []].append(reference)
        case .any: anyValues.append(reference)
        default: break
        }
      }
    }
  }

  /// Returns the links to a class, and the collections of its objects, sorted by class in byte
  /// order.
  package func links(to className: String) -> [Reference] { links[className] ?? [] }

  /// Whether objects of a class are inside one parent.
  package func isEmbedded(_ className: String?) -> Bool {
    className.map(embedded.contains) ?? false
  }

  /// Returns the properties that contain embedded objects of a class.
  package func children(of schema: ObjectSchema) -> [Property] {
    schema.properties.filter { $0.type == .object && isEmbedded($0.objectClassName) }
  }
}

extension Schema {
  /// Returns the schema without a class, links to it and collections of its objects.
  package func removing(_ className: String) -> Schema {
    Schema(
      stored.objectSchema.filter { !SQLName.same($0.className, className) }.map { schema in
        var schema = schema
        schema.properties.removeAll {
          $0.type == .object && SQLName.same($0.objectClassName ?? "", className)
        }
        schema.removeCompoundIndexesOfMissingColumns()
        return schema
      })
  }

  /// The embedded classes, each after all classes whose objects can contain its objects.
  package var embeddedClasses: [ObjectSchema] {
    let schema = stored
    let references = SchemaReferences(schema)
    var visited: Set<String> = []
    var result: [ObjectSchema] = []
    func visit(_ current: ObjectSchema) {
      guard visited.insert(current.className).inserted else { return }
      for child in references.children(of: current).reversed() {
        if let child = child.objectClassName.flatMap({ schema[$0] }) { visit(child) }
      }
      result.append(current)
    }
    for start in schema.objectSchema.reversed() where start.isEmbedded { visit(start) }
    return result.reversed()
  }
}

extension Schema {
  /// Returns the classes that refer to a class, through links, and through collections of its
  /// objects.
  package func classesLinking(to className: String) -> Set<String> {
    Set(SchemaReferences(self).links(to: className).map(\.origin.className))
  }
}

/// The other changes that the deletion of an object may cause.
package struct DeletionEffect: Sendable, Hashable {
  /// The classes of which rows may be changed or deleted.
  package var classes: Set<String> = []
  /// The tables of collections of which rows may be changed or deleted.
  package var collections: Set<String> = []
}

extension Schema {
  /// Returns the tables that deleting an object of a class may change, besides the class's own
  /// table.
  ///
  /// This includes embedded children, and all references to them. The class itself is included if
  /// its objects may refer to each other.
  package func effectOfDeleting(_ className: String) -> DeletionEffect {
    stored.effectOfDeleting(className, SchemaReferences(self))
  }

  /// Returns the effect for a schema in its stored form, for calls for many classes.
  package func effectOfDeleting(
    _ className: String, _ references: SchemaReferences
  ) -> DeletionEffect {
    let inside = classesInside(of: className, references)
    var effect = DeletionEffect(classes: inside)
    for name in inside.union([className]) {
      let anyValues = references.isEmbedded(name) ? [] : references.anyValues
      for reference in references.links(to: name) + anyValues {
        if let collection = reference.collection {
          effect.collections.insert(collection.name)
        } else {
          effect.classes.insert(reference.origin.className)
        }
      }
      effect.collections.formUnion(self[name]?.collectionTables.map(\.name) ?? [])
    }
    return effect
  }
}
