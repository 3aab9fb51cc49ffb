import Foundation
import Strata

@testable import StrataCommand

/// Classes with keys of each type, besides those with everything else.
enum TwinModels {
  class Numbered: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var next: Numbered?
    override class func _realmObjectName() -> String? { "Numbered" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Unique: Object {
    @Persisted(primaryKey: true) var token = UUID()
    @Persisted var numbered: Numbered?
    override class func _realmObjectName() -> String? { "Unique" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Timed: Object {
    @Persisted(primaryKey: true) var _id = ObjectId.generate()
    /// The key of another object, without a link.
    @Persisted var number = 0
    @Persisted var single: Float = 0
    @Persisted var position: Position?
    @Persisted var path: List<Position>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var floats: MutableSet<Float>
    @Persisted var doubles: List<Double>
    override class func _realmObjectName() -> String? { "Timed" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Position: EmbeddedObject {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
    override class func _realmObjectName() -> String? { "Position" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  /// A later version of a class of the fixtures.
  class Person: Object {
    @Persisted(primaryKey: true) var fullName: String?
    @Persisted var age = ""
    override class func _realmObjectName() -> String? { "Person" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static let classes: [ObjectBase.Type] = [
    Numbered.self, Unique.self, Timed.self, Position.self, PostgresModels.Everything.self,
    PostgresModels.Home.self,
  ]
}

extension TwinValues {
  /// Returns the values of a secret after it collected originals.
  static func make(
    seed: UInt64 = 7, _ collect: (TwinValues) -> Void = { _ in }
  ) -> TwinValues {
    let values = TwinValues(TwinSecret(seed: seed))
    values.isCollecting = true
    collect(values)
    values.isCollecting = false
    return values
  }
}
