import Foundation
import Strata

/// Models that several suites share, in versions.
enum V0 {
  final class Person: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }

  final class Keyed: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var score = 0.0
  }

  final class OptionalKey: Object {
    @Persisted(primaryKey: true) var id: String?
    @Persisted var name = ""
  }

  final class Everything: Object {
    @Persisted var int = 0
    @Persisted var int8: Int8 = 0
    @Persisted var int16: Int16 = 0
    @Persisted var int32: Int32 = 0
    @Persisted var int64: Int64 = 0
    @Persisted var bool = false
    @Persisted var float: Float = 0
    @Persisted var double = 0.0
    @Persisted var string = ""
    @Persisted var data = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var uuid = UUID()
    @Persisted var kind = Kind.cat
    @Persisted var level = Level.low
    @Persisted var optionalInt: Int?
    @Persisted var optionalBool: Bool?
    @Persisted var optionalFloat: Float?
    @Persisted var optionalDouble: Double?
    @Persisted var optionalString: String?
    @Persisted var optionalData: Data?
    @Persisted var optionalDate: Date?
    @Persisted var optionalUUID: UUID?
    @Persisted var optionalKind: Kind?
  }

  enum Kind: String, PersistableEnum { case cat, dog }
  enum Level: Int, PersistableEnum { case low = 1, high = 7 }
}
