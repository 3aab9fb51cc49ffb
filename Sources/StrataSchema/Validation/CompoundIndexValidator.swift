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

  /// The index is called after its columns, whose names may have commas of their own.
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
