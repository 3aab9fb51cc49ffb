package import Strata

extension ObjectSchema {
  /// The names of the properties, in their order.
  package var names: [String] { properties.map(\.name) }
}

extension Schema {
  /// The names of the classes, in their order.
  package var names: [String] { objectSchema.map(\.className) }
}

extension Realm {
  /// The objects of a class that is known at run time only.
  package func objects(of type: ObjectBase.Type) -> [Object] {
    (type as? Object.Type).map { Array(objects($0)) } ?? []
  }
}

/// A migration block that does nothing.
package let idleBlock: MigrationBlock = { _, _ in }

/// An error that only tests throw.
package struct Deliberate: Error, Equatable {
  package var number: Int

  package init(number: Int = 0) {
    self.number = number
  }
}

/// A value of a migration object as text.
package func text(_ value: Any?) -> String {
  value.map { "\($0)" } ?? "nil"
}

/// The error that a closure throws.
package func thrownError(_ body: () throws -> Void) -> Realm.Error? {
  do {
    try body()
    return nil
  } catch {
    return error as? Realm.Error
  }
}
