package import Foundation
package import Strata

/// Models that several suites share, in versions.
package enum V0 {
  package final class Person: Object {
    @Persisted package var name = ""
    @Persisted package var age = 0
    @Persisted package var email: String?
  }

  package final class Keyed: Object {
    @Persisted(primaryKey: true) package var id = 0
    @Persisted package var name = ""
    @Persisted package var score = 0.0
  }

  package final class OptionalKey: Object {
    @Persisted(primaryKey: true) package var id: String?
    @Persisted package var name = ""
  }

  package final class Everything: Object {
    @Persisted package var int = 0
    @Persisted package var int8: Int8 = 0
    @Persisted package var int16: Int16 = 0
    @Persisted package var int32: Int32 = 0
    @Persisted package var int64: Int64 = 0
    @Persisted package var bool = false
    @Persisted package var float: Float = 0
    @Persisted package var double = 0.0
    @Persisted package var string = ""
    @Persisted package var data = Data()
    @Persisted package var date = Date(timeIntervalSince1970: 0)
    @Persisted package var uuid = UUID()
    @Persisted package var kind = Kind.cat
    @Persisted package var level = Level.low
    @Persisted package var optionalInt: Int?
    @Persisted package var optionalBool: Bool?
    @Persisted package var optionalFloat: Float?
    @Persisted package var optionalDouble: Double?
    @Persisted package var optionalString: String?
    @Persisted package var optionalData: Data?
    @Persisted package var optionalDate: Date?
    @Persisted package var optionalUUID: UUID?
    @Persisted package var optionalKind: Kind?
  }

  package enum Kind: String, PersistableEnum { case cat, dog }
  package enum Level: Int, PersistableEnum { case low = 1, high = 7 }
}
