/// The difference between the schema of a file and the schema that a program declares.
package enum SchemaDiff {
  /// Returns the changes of the file, in Realm's order.
  ///
  /// Classes are in byte order. Within a class, the properties of the file come first, in its
  /// order; then added properties, in the order of declaration; then compound indexes, and the
  /// primary key. Changes of kind follow after all classes. Classes that only the file has are not
  /// a difference, and neither are computed properties.
  package static func changes(from stored: Schema, to target: Schema) -> [SchemaChange] {
    let stored = stored.stored
    var changes: [SchemaChange] = []
    var kinds: [SchemaChange] = []
    for new in target.stored.objectSchema {
      guard let old = stored[new.className] else {
        changes.append(.addClass(new))
        continue
      }
      changes += existingProperties(old, new) + addedProperties(old, new)
      changes += compoundIndexes(old, new) + primaryKey(old, new)
      if old.isEmbedded != new.isEmbedded {
        kinds.append(.changeKind(class: new.className, toEmbedded: new.isEmbedded))
      }
    }
    return changes + kinds
  }

  /// Returns the error text for a file that needs a migration if the version was not raised.
  ///
  /// Changes without a migration have no line.
  package static func mismatchMessage(_ changes: [SchemaChange]) -> String {
    message(
      "Migration is required due to the following errors:", changes.filter(\.needsMigration))
  }

  /// Returns the error text for a file that can't be opened read-only.
  ///
  /// Changes that do not block reading have no line.
  package static func readOnlyMessage(_ changes: [SchemaChange]) -> String {
    message(
      "The following changes cannot be made in read-only schema mode:",
      changes.filter(\.isRefusedInReadOnlyMode))
  }

  private static func message(_ first: String, _ changes: [SchemaChange]) -> String {
    changes.reduce(into: first) { $0 += "\n- \($1)" }
  }

  private static func existingProperties(
    _ old: ObjectSchema, _ new: ObjectSchema
  ) -> [SchemaChange] {
    let name = new.className
    return old.properties.flatMap { before -> [SchemaChange] in
      guard let after = new.property(exactColumn: before.columnName) else {
        return [.removeProperty(class: name, before)]
      }
      var changes: [SchemaChange] = []
      if before.typeName != after.typeName {
        changes.append(.changeType(class: name, from: before, to: after))
      } else if before.isNullable != after.isNullable {
        changes.append(
          after.isNullable ? .makeOptional(class: name, after) : .makeRequired(class: name, after))
      }
      if before.wantsIndex != after.wantsIndex {
        changes.append(
          after.wantsIndex ? .addIndex(class: name, after) : .removeIndex(class: name, after))
      }
      if before.wantsTextIndex != after.wantsTextIndex {
        changes.append(
          after.wantsTextIndex
            ? .addTextIndex(class: name, after) : .removeTextIndex(class: name, after))
      }
      return changes
    }
  }

  private static func addedProperties(_ old: ObjectSchema, _ new: ObjectSchema) -> [SchemaChange] {
    new.properties
      .filter { old.property(exactColumn: $0.columnName) == nil }
      .map { .addProperty(class: new.className, $0) }
  }

  /// The order in which a class declares its indexes is irrelevant.
  private static func compoundIndexes(_ old: ObjectSchema, _ new: ObjectSchema) -> [SchemaChange] {
    let name = new.className
    return old.compoundIndexes.filter { !new.hasCompoundIndex($0) }.map {
      .removeCompoundIndex(class: name, $0)
    }
      + new.compoundIndexes.filter { !old.hasCompoundIndex($0) }.map {
        .addCompoundIndex(class: name, $0)
      }
  }

  private static func primaryKey(_ old: ObjectSchema, _ new: ObjectSchema) -> [SchemaChange] {
    switch (old.primaryKey, new.primaryKey) {
    case (nil, nil): []
    case (nil, let after?): [.addPrimaryKey(class: new.className, property: after)]
    case (let before?, nil): [.removePrimaryKey(class: new.className, property: before)]
    case (let before?, let after?) where SQLName.same(before, after): []
    case (let before?, let after?):
      [.changePrimaryKey(class: new.className, from: before, to: after)]
    }
  }
}

extension ObjectSchema {
  /// The property whose column has this name byte for byte.
  func property(exactColumn column: String) -> Property? {
    properties.first { SQLName.same($0.columnName, column) }
  }
}
