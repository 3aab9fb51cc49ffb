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
        problems.append(meeting(first, property))
      } else {
        columns[key] = property
      }
    }
    return problems
  }

  private func meeting(_ first: Property, _ second: Property) -> SchemaProblem {
    guard first.columnName == second.columnName else {
      return .columnsDifferOnlyInCase(class: name, first.columnName, second.columnName)
    }
    return .duplicateColumn(
      class: name, first: first.name, second: second.name, column: second.columnName)
  }

  private var helperNames: [SchemaProblem] {
    columns.flatMap { property -> [SchemaProblem] in
      let helpers = schema.helperNames(of: property)
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
  /// needs an index for `id nil`. A full-text index needs tables, whose names an index could have.
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
      return problems.isEmpty ? meetings(of: index, after: seen) : problems
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
  private func meetings(of index: [String], after others: Set<[String]>) -> [SchemaProblem] {
    let own = indexName(index)
    let taken = schema.properties.filter(\.isStoredInColumn).first { property in
      ([property.columnName] + schema.helperNames(of: property)).contains {
        SQLName.collide($0, own)
      }
    }.map(\.columnName)
    let other = others.sorted { $0.lexicographicallyPrecedes($1) }
      .first { $0 != index && SQLName.collide(indexName($0), own) }
    guard let meeting = taken ?? other.map(indexName) else { return [] }
    return [.compoundIndexNameIsTaken(class: name, index, by: meeting)]
  }

  private func indexName(_ index: [String]) -> String {
    index.map { schema[$0]?.columnName ?? $0 }.joined(separator: ", ")
  }
}
