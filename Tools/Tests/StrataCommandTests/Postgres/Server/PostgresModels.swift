import Foundation
import Strata

/// Classes with everything that a file can have.
enum PostgresModels {
  class Everything: Object {
    @Persisted(primaryKey: true) var key: String?
    @Persisted var int = 0
    @Persisted var bool = false
    @Persisted var float: Float = 0
    @Persisted var double = 0.0
    @Persisted(indexed: true) var string = ""
    @Persisted(fullText: true) var text = ""
    @Persisted var data = Data()
    @Persisted(indexed: true) var date = Date(timeIntervalSince1970: 0)
    @Persisted var uuid = UUID()
    @Persisted var objectId = ObjectId()
    @Persisted var decimal = Decimal128()
    @Persisted(indexed: true) var any: AnyRealmValue
    @Persisted var maybeInt: Int?
    @Persisted var maybeDate: Date?
    @Persisted var maybeDecimal: Decimal128?
    @Persisted var friend: Everything?
    @Persisted var home: Home?
    @Persisted var friends: List<Everything>
    @Persisted var homes: List<Home>
    @Persisted var strings: List<String>
    @Persisted var maybeStrings: List<String?>
    @Persisted var dates: MutableSet<Date>
    @Persisted var texts: MutableSet<String>
    @Persisted var maybeInts: MutableSet<Int?>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var decimals: MutableSet<Decimal128>
    @Persisted var blobs: MutableSet<Data>
    @Persisted var numbers: Map<String, Double>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var friendsByRole: Map<String, Everything?>
    override class func compoundIndexes() -> [[String]] { [["string", "int"]] }
    override class func _realmObjectName() -> String? { "Everything" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var rooms: List<String>
    override class func _realmObjectName() -> String? { "Home" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  /// Names that another database has for itself, or can't hold.
  class Hostile: Object {
    @Persisted var ctid = 0
    @Persisted var select = ""
    @Persisted var `xmin` = ""
    @Persisted var aPropertyWhoseNameIsLongerThanPostgreSQLEverAllowsForAnyNameOfAColumn = 0
    @Persisted var aPropertyWhoseNameIsLongerThanPostgreSQLEverAllowsForAnyNameOfAColumn2 = 0
    @Persisted var next: Hostile?
    override class func _realmObjectName() -> String? { "a\"b'; DROP TABLE x; --\\" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Long: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var aListWhoseNameMakesTheNameOfItsTableTooLong: List<Int>
    @Persisted var aListWhoseNameMakesTheNameOfItsTableTooLong2: List<Int>
    override class func _realmObjectName() -> String? {
      "AClassWhoseNameIsAsLongAsPostgreSQLAllowsForTheNameOfATable"
    }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Catalog: Object {
    @Persisted var relname = ""
    override class func _realmObjectName() -> String? { "pg_class" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
