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

  /// Returns the added and removed compound indexes. The order in which a class declares its
  /// indexes is irrelevant.
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

/// A difference between the schema of a file and the schema that a program declares.
///
/// All names are column names, because a file stores no others. A case with one property carries
/// the new one, except for removed properties.
package enum SchemaChange: Sendable, Hashable {
  /// The file has no table for the class.
  case addClass(ObjectSchema)
  /// The file has no column for the property.
  case addProperty(class: String, Property)
  /// The file has a column without a property in the class.
  case removeProperty(class: String, Property)
  /// The base type, the link target or the kind of collection differs.
  case changeType(class: String, from: Property, to: Property)
  case makeOptional(class: String, Property)
  case makeRequired(class: String, Property)
  case addIndex(class: String, Property)
  /// The model no longer requests an index.
  case removeIndex(class: String, Property)
  case addTextIndex(class: String, Property)
  /// The model no longer requests a full-text index.
  case removeTextIndex(class: String, Property)
  /// The model requests an index of several properties.
  case addCompoundIndex(class: String, [String])
  /// The model no longer requests an index of several properties.
  case removeCompoundIndex(class: String, [String])
  case addPrimaryKey(class: String, property: String)
  case removePrimaryKey(class: String, property: String)
  case changePrimaryKey(class: String, from: String, to: String)
  case changeKind(class: String, toEmbedded: Bool)
}

extension SchemaChange {
  /// Whether the change may only be made with a higher schema version.
  ///
  /// New classes and indexes cannot lose or invent a value, so they are free.
  package var needsMigration: Bool {
    switch self {
    case .addClass, .addIndex, .removeIndex, .addTextIndex, .removeTextIndex, .addCompoundIndex,
      .removeCompoundIndex:
      false
    default: true
    }
  }

  /// Whether the program can't read a file with this difference as it is.
  ///
  /// Additional items in the file are allowed, missing tables count as empty, and neither an index
  /// nor the kind of the class matters for reading. Without a full-text index there is no full-text
  /// search.
  package var isRefusedInReadOnlyMode: Bool {
    switch self {
    case .addProperty, .changeType, .makeOptional, .makeRequired, .addTextIndex,
      .addPrimaryKey, .removePrimaryKey, .changePrimaryKey:
      true
    case .addClass, .removeProperty, .addIndex, .removeIndex, .removeTextIndex, .addCompoundIndex,
      .removeCompoundIndex, .changeKind:
      false
    }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// RealmSwift's sentence for the change.
  package var description: String {
    switch self {
    case .addClass(let schema):
      "Class '\(schema.className)' has been added."
    case .addProperty(let name, let property):
      "Property '\(name).\(property.columnName)' has been added."
    case .removeProperty(let name, let property):
      "Property '\(name).\(property.columnName)' has been removed."
    case .changeType(let name, let old, let new):
      "Property '\(name).\(new.columnName)' has been changed "
        + "from '\(old.typeName)' to '\(new.typeName)'."
    case .makeOptional(let name, let property):
      "Property '\(name).\(property.columnName)' has been made optional."
    case .makeRequired(let name, let property):
      "Property '\(name).\(property.columnName)' has been made required."
    case .addIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has been made indexed."
    case .removeIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has been made unindexed."
    case .addTextIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has got a full-text index."
    case .removeTextIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has lost its full-text index."
    case .addCompoundIndex(let name, let columns):
      "Properties \(Self.list(columns, of: name)) have been made indexed together."
    case .removeCompoundIndex(let name, let columns):
      "Properties \(Self.list(columns, of: name)) have been made unindexed together."
    case .addPrimaryKey(let name, _):
      "Primary Key for class '\(name)' has been added."
    case .removePrimaryKey(let name, _):
      "Primary Key for class '\(name)' has been removed."
    case .changePrimaryKey(let name, let old, let new):
      "Primary Key for class '\(name)' has changed from '\(old)' to '\(new)'."
    case .changeKind(let name, toEmbedded: true):
      "Class '\(name)' has been changed from TopLevel to Embedded."
    case .changeKind(let name, toEmbedded: false):
      "Class '\(name)' has been changed from Embedded to TopLevel."
    }
  }

  private static func list(_ columns: [String], of className: String) -> String {
    columns.map { "'\(className).\($0)'" }.joined(separator: ", ")
  }
}
