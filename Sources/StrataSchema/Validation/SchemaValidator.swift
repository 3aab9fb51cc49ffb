/// The check of all rules for a schema, so that the developer sees all problems at once.
package enum SchemaValidator {
  /// SQLite's default limit (`SQLITE_MAX_COLUMN`): https://www.sqlite.org/limits.html.
  package static let maximumColumnCount = 2000

  package static func problems(in schema: Schema) -> [SchemaProblem] {
    problems(in: schema.objectSchema)
  }

  /// Returns every problem of the classes. A class may occur twice.
  ///
  /// The order is always the same for a set of classes: first problems with the names of tables,
  /// then the problems of each class in byte order, then cycles through embedded classes.
  package static func problems(in classes: [ObjectSchema]) -> [SchemaProblem] {
    let sorted = Schema(classes).objectSchema
    let schema = Schema(firstOfEachName(sorted))
    return TableNames.problems(in: sorted)
      + sorted.flatMap {
        ClassValidator(schema: $0).problems + LinkValidator(origin: $0, schema: schema).problems
      }
      + EmbeddedCycles.problems(in: schema)
  }

  /// Returns a problem for every class whose table would be another class's table in the file.
  ///
  /// A class may be removed from the model while its table stays. For Realm `Person` and `person`
  /// are two classes, but SQLite treats both names as equal.
  package static func problems(in target: Schema, besides stored: Schema) -> [SchemaProblem] {
    TableNames.problems(in: target, besides: stored)
  }

  private static func firstOfEachName(_ sorted: [ObjectSchema]) -> [ObjectSchema] {
    var names: Set<String> = []
    return sorted.filter { names.insert($0.className).inserted }
  }
}

/// The rules for a single class.
struct ClassValidator {
  let schema: ObjectSchema

  var problems: [SchemaProblem] {
    (schema.allProperties.isEmpty ? [.noProperties(class: name)] : [])
      + names + helperNames + identity + primaryKey + indexes
      + CompoundIndexValidator(schema: schema).problems + textIndexes + size
  }

  private var name: String { schema.className }

  private var columns: [Property] { schema.properties.filter(\.isStoredInColumn) }

  private var names: [SchemaProblem] {
    var problems: [SchemaProblem] = []
    var seen: Set<String> = []
    var columns: [String: Property] = [:]
    for property in schema.allProperties {
      let names = [property.name, property.columnName]
      if names.contains(where: { $0.isEmpty || $0.utf8.contains(0) }) {
        problems.append(.invalidPropertyName(class: name, property: property.name))
      }
      guard seen.insert(property.name).inserted else {
        problems.append(.duplicateProperty(class: name, property: property.name))
        continue
      }
      guard !property.isComputed else { continue }
      let key = SQLName.folded(property.columnName)
      if let first = columns[key] {
        problems.append(nameCollision(first, property))
      } else {
        columns[key] = property
      }
    }
    return problems
  }

  private func nameCollision(_ first: Property, _ second: Property) -> SchemaProblem {
    guard first.columnName == second.columnName else {
      return .columnsDifferOnlyInCase(class: name, first.columnName, second.columnName)
    }
    return .duplicateColumn(
      class: name, first: first.name, second: second.name, column: second.columnName)
  }

  private var helperNames: [SchemaProblem] {
    columns.flatMap { property -> [SchemaProblem] in
      let helpers = schema.helperNames(of: property)
      guard !helpers.isEmpty else { return [] }
      return columns.filter { column in
        helpers.contains { SQLName.collide(column.columnName, $0) }
      }
      .map {
        .columnCollidesWithHelper(class: name, column: $0.columnName, of: property.columnName)
      }
    }
  }

  private var identity: [SchemaProblem] {
    let names = columns.map { SQLName.folded($0.columnName) }
    let isTaken = names.contains("_id") && names.contains("_row_id")
    return isTaken ? [.noNameForIdentity(class: name)] : []
  }

  private var primaryKey: [SchemaProblem] {
    guard let key = schema.primaryKey else { return [] }
    var problems: [SchemaProblem] = []
    if schema.isEmbedded {
      problems.append(.embeddedPrimaryKey(class: name))
    }
    guard let property = schema.primaryKeyProperty else {
      return problems + [.primaryKeyDoesNotExist(class: name, property: key)]
    }
    if property.collection != nil || !property.type.canBePrimaryKey {
      problems.append(
        .invalidPrimaryKeyType(class: name, property: property.name, type: property.typeName))
    }
    return problems
  }

  private var indexes: [SchemaProblem] {
    schema.properties
      .filter { $0.wantsIndex && !$0.type.canBeIndexed }
      .map { .invalidIndexType(class: name, property: $0.name, type: $0.typeName) }
  }

  private var textIndexes: [SchemaProblem] {
    schema.properties.filter(\.wantsTextIndex).compactMap { property in
      guard property.collection == nil, property.type == .string else {
        return .invalidTextIndexType(
          class: name, property: property.name, type: property.typeName)
      }
      let isReserved = ["rank", "rowid"].contains(SQLName.folded(property.columnName))
      return isReserved ? .reservedTextColumn(class: name, column: property.columnName) : nil
    }
  }

  private var size: [SchemaProblem] {
    // One for the identity.
    let count = 1 + schema.properties.reduce(0) { $0 + $1.columns.count }
    return count > SchemaValidator.maximumColumnCount
      ? [.tooManyColumns(class: name, count: count)] : []
  }
}

extension ObjectSchema {
  /// Returns the names of columns and indexes that a property needs in addition to its own.
  ///
  /// An `AnyRealmValue` `x` needs a column `x_type` and an index for `x link`. An optional key `id`
  /// needs an index for `id nil`. A full-text index needs tables, and an index could have the name
  /// of one of them.
  func helperNames(of property: Property) -> [String] {
    var helpers = property.typeColumnName.map { [$0, property.columnName + " link"] } ?? []
    if property.name == primaryKey, property.isNullable {
      helpers.append(property.columnName + " nil")
    }
    if property.wantsTextIndex {
      helpers += TextTable.suffixes.map { property.columnName + $0 }
    }
    return helpers
  }
}

/// The rules for indexes of several properties of one class.
struct CompoundIndexValidator {
  let schema: ObjectSchema

  private var name: String { schema.className }

  var problems: [SchemaProblem] {
    var seen: Set<[String]> = []
    return schema.compoundIndexes.flatMap { index -> [SchemaProblem] in
      guard seen.insert(index).inserted else {
        return [.duplicateCompoundIndex(class: name, index)]
      }
      if index.count < 2 { return [.shortCompoundIndex(class: name, index)] }
      let problems = properties(of: index)
      return problems.isEmpty ? nameCollisions(of: index, after: seen) : problems
    }
  }

  private func properties(of index: [String]) -> [SchemaProblem] {
    var seen: Set<String> = []
    return index.compactMap { property -> SchemaProblem? in
      guard seen.insert(property).inserted else {
        return .repeatedInCompoundIndex(class: name, index, property: property)
      }
      guard let found = schema[property] else {
        return .compoundIndexPropertyDoesNotExist(class: name, property: property)
      }
      return found.collection == nil && found.type.canBeInCompoundIndex
        ? nil : .invalidCompoundIndexType(class: name, property: property, type: found.typeName)
    }
  }

  /// The index is named after its columns, whose names may contain commas.
  private func nameCollisions(of index: [String], after others: Set<[String]>) -> [SchemaProblem] {
    let own = indexName(index)
    let taken = schema.properties.filter(\.isStoredInColumn).first { property in
      ([property.columnName] + schema.helperNames(of: property)).contains {
        SQLName.collide($0, own)
      }
    }.map(\.columnName)
    let other = others.sorted { $0.lexicographicallyPrecedes($1) }
      .first { $0 != index && SQLName.collide(indexName($0), own) }
    guard let collision = taken ?? other.map(indexName) else { return [] }
    return [.compoundIndexNameIsTaken(class: name, index, by: collision)]
  }

  private func indexName(_ index: [String]) -> String {
    index.map { schema[$0]?.columnName ?? $0 }.joined(separator: ", ")
  }
}

/// The rules for the links of one class to the others.
struct LinkValidator {
  let origin: ObjectSchema
  let schema: Schema

  var problems: [SchemaProblem] {
    origin.allProperties.flatMap { property -> [SchemaProblem] in
      guard property.type == .object || property.type == .linkingObjects else { return [] }
      let name = property.objectClassName ?? ""
      guard let target = schema[name] else { return [unknownTarget(of: property, name)] }
      return property.isComputed
        ? originProblems(of: property, in: target) : problems(of: property, to: target)
    }
  }

  private func unknownTarget(of property: Property, _ target: String) -> SchemaProblem {
    .unknownLinkTarget(
      class: origin.className, property: property.name, type: kind(of: property), target: target)
  }

  private func problems(of property: Property, to target: ObjectSchema) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    // Deleting an object leaves nil in a link, and in the entry of a map.
    let isAlwaysOptional = property.collection == nil || property.collection == .map
    if isAlwaysOptional, !property.allowsNil {
      problems.append(.requiredLink(class: origin.className, property: property.name))
    }
    if property.collection == .list || property.collection == .set, property.allowsNil {
      problems.append(
        .optionalObjects(
          class: origin.className, property: property.name, type: property.typeName))
    }
    if property.collection == .set, target.isEmbedded {
      problems.append(
        .embeddedInSet(
          class: origin.className, property: property.name, target: target.className))
    }
    return problems
  }

  private func originProblems(of property: Property, in target: ObjectSchema) -> [SchemaProblem] {
    let name = property.linkOriginPropertyName ?? ""
    guard let link = target[name] else {
      return [
        .linkOriginDoesNotExist(
          origin: target.className, originProperty: name,
          class: origin.className, property: property.name)
      ]
    }
    guard link.type == .object else {
      return [
        .linkOriginIsNotALink(
          origin: target.className, originProperty: name,
          class: origin.className, property: property.name)
      ]
    }
    if link.objectClassName == origin.className { return [] }
    return [
      .linkOriginLinksElsewhere(
        origin: target.className, originProperty: name,
        class: origin.className, property: property.name, target: link.objectClassName ?? "")
    ]
  }

  /// Returns the kind of property for this sentence, in which Realm omits the unknown target.
  private func kind(of property: Property) -> String {
    switch property.collection {
    case .list: "array"
    case .set: "set"
    case .map: "dictionary"
    case nil: property.type.rawValue
    }
  }
}

/// The cyclic chains of links through embedded classes.
///
/// Realm refuses them, although a chain that ends with nil would be finite: if a class contains
/// itself, the depth of its objects has no limit.
enum EmbeddedCycles {
  static func problems(in schema: Schema) -> [SchemaProblem] {
    schema.objectSchema.compactMap { start in
      guard start.isEmbedded, let path = path(from: start, in: schema) else { return nil }
      return .embeddedCycle(path: path)
    }
  }

  /// Returns the shortest chain from a class back to itself, such as `A.b.a`; nil if there is no
  /// such chain.
  private static func path(from start: ObjectSchema, in schema: Schema) -> String? {
    var visited: Set<String> = []
    var queue = [(class: start, path: start.className)]
    var next = 0
    while next < queue.count {
      let (current, path) = queue[next]
      next += 1
      for property in current.properties where property.type == .object {
        guard let name = property.objectClassName, let target = schema[name], target.isEmbedded
        else { continue }
        let extended = "\(path).\(property.name)"
        if name == start.className { return extended }
        if visited.insert(name).inserted { queue.append((target, extended)) }
      }
    }
    return nil
  }
}
