import Strata

extension ObjectSchema {
  /// The names of the properties, in their order.
  var names: [String] { properties.map(\.name) }
}

extension Schema {
  /// The names of the classes, in their order.
  var names: [String] { objectSchema.map(\.className) }
}

/// A migration block that does nothing.
let idleBlock: MigrationBlock = { _, _ in }

/// An error that only tests throw.
struct Deliberate: Error, Equatable {
  var number = 0
}

/// A value of a migration object as text.
func text(_ value: Any?) -> String {
  value.map { "\($0)" } ?? "nil"
}
