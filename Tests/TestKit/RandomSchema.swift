package import StrataSchema

/// Random schemas that pass validation, from few names, so that two of them have much in common.
package enum RandomSchema {
  private static let classNames = ["A", "B", "order", "naïve"]
  private static let propertyNames = ["_id", "_row_id", "X", "a\"b", "id", "x", "x_type", "é", "z"]

  /// A schema with at least one class.
  package static func make(using generator: inout SplitMix64) -> Schema {
    while true {
      let names = classNames.filter { _ in generator.percent(75) }
      let schema = Schema(names.map { anyClass($0, names, &generator) })
      let isValid = SchemaValidator.problems(in: schema).isEmpty
      if isValid, !schema.objectSchema.isEmpty { return schema }
    }
  }

  /// A schema that a file with another one can be migrated to.
  package static func make(besides stored: Schema, using generator: inout SplitMix64) -> Schema {
    while true {
      let schema = make(using: &generator)
      if SchemaValidator.problems(in: schema, besides: stored).isEmpty { return schema }
    }
  }

  private static func anyClass(
    _ name: String, _ classNames: [String], _ generator: inout SplitMix64
  ) -> ObjectSchema {
    var properties: [Property] = []
    for name in propertyNames.shuffled(using: &generator) where generator.percent(45) {
      properties.append(anyProperty(name, classNames, &generator))
    }
    if properties.isEmpty { properties.append(property("only")) }
    let keys = properties.filter { $0.collection == nil && $0.type.canBePrimaryKey }
    let key = generator.percent(50) ? keys.randomElement(using: &generator)?.name : nil
    let isEmbedded = key == nil && generator.percent(20)
    return ObjectSchema(
      className: name, properties: properties, primaryKey: key, isEmbedded: isEmbedded,
      compoundIndexes: anyIndexes(of: properties, &generator))
  }

  private static func anyIndexes(
    of properties: [Property], _ generator: inout SplitMix64
  ) -> [[String]] {
    let names = properties.filter { $0.collection == nil && $0.type.canBeInCompoundIndex }
      .map(\.name).sorted()
    guard names.count > 1, generator.percent(60) else { return [] }
    let indexes = (0..<2).map { _ in
      let count = Int.random(in: 2...min(3, names.count), using: &generator)
      // Often in one order, so that two schemas have the same.
      return Array(
        (generator.percent(70) ? names : names.shuffled(using: &generator)).prefix(count))
    }
    return indexes[0] == indexes[1] ? [indexes[0]] : indexes
  }

  private static func anyProperty(
    _ name: String, _ classNames: [String], _ generator: inout SplitMix64
  ) -> Property {
    let kinds: [CollectionKind] = [.list, .list, .list, .map, .set]
    let kind = generator.percent(30) ? kinds.randomElement(using: &generator) : nil
    let types: [PropertyType] = [.int, .string, .any, .object, .double, .UUID]
    // Collections of the same name are often of the same type, so that only optionality differs.
    let isFixed = kind != nil && name != "_id"
    let type = isFixed ? .string : types[Int.random(in: 0..<types.count, using: &generator)]
    let target = type == .object ? classNames.randomElement(using: &generator) : nil
    return property(
      name,
      type,
      to: target,
      kind,
      optional: type == .object ? kind == nil || kind == .map : generator.percent(40),
      indexed: type.canBeIndexed && generator.percent(40))
  }
}
