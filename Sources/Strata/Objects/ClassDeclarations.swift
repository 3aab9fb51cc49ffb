/// The names of properties that a class gives by its attributes and overrides.
struct ClassDeclarations: Sendable {
  /// Names as `@Persisted(primaryKey: true)` and `primaryKey()` give them; more than one is a
  /// mistake.
  let primaryKeys: [String]
  /// The names of the properties of each index of several.
  let compoundIndexes: [[String]]
  /// The properties that a history keeps when an object is deleted.
  let keptOnDeletion: [String]
  /// Names that `indexedProperties()` and `propertiesMapping()` give without such a property.
  let unknownNames: [String]

  /// - Parameters:
  ///   - attributed: The properties with `@Persisted(primaryKey: true)`.
  ///   - named: The names that the class gives to have them indexed or to be mapped.
  init(
    _ type: ObjectBase.Type, primaryKeys attributed: [String], named: Set<String>,
    _ properties: [Property]
  ) {
    let override = type.primaryKey().flatMap { attributed.contains($0) ? nil : $0 }
    primaryKeys = attributed + [override].compactMap(\.self)
    compoundIndexes = type.compoundIndexes()
    keptOnDeletion = type.propertiesKeptOnDeletion()
    unknownNames = named.subtracting(properties.map(\.name)).sorted()
  }
}
