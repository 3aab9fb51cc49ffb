/// The classes of an open file, and how the program asked for them.
struct StoreClasses: Sendable {
  /// All of them.
  let discovered: DiscoveredSchema
  /// Those of the program.
  let declared: DiscoveredSchema
  /// Whether the program asked for every model class that it has.
  let includesAllDeclared: Bool
  let dynamic: DynamicClasses

  /// The types to ask for to get the same classes; nil for every model class of the program, and
  /// where there is nothing to ask for.
  var objectTypes: [ObjectBase.Type]? {
    if includesAllDeclared || dynamic == .all { return nil }
    return declared.classes.values.sorted { $0.className < $1.className }.map(\.type)
  }
}
