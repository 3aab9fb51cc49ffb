// The classes of 'everything.sqlite', which is at schema version 4.

import Foundation
import Strata

class DataObject: Object {
  @Persisted(fullText: true) var id: String
  @Persisted var parts: List<Part>
  @Persisted var roles: Map<String, Part?>
  @Persisted var others: MutableSet<Class1>

  override class func className() -> String { "Data" }

  override class func primaryKey() -> String? { "id" }
}

class Everything: Object {
  @Persisted var intOne: Int
  @Persisted var intPerhaps: Int?
  @Persisted var intList: List<Int>
  @Persisted var intSet: MutableSet<Int?>
  @Persisted var intMap: Map<String, Int>
  @Persisted var boolOne: Bool
  @Persisted var boolPerhaps: Bool?
  @Persisted var boolList: List<Bool>
  @Persisted var boolSet: MutableSet<Bool?>
  @Persisted var boolMap: Map<String, Bool>
  @Persisted var floatOne: Float
  @Persisted var floatPerhaps: Float?
  @Persisted var floatList: List<Float>
  @Persisted var floatSet: MutableSet<Float?>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var doubleOne: Double
  @Persisted var doublePerhaps: Double?
  @Persisted var doubleList: List<Double>
  @Persisted var doubleSet: MutableSet<Double?>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var stringOne: String
  @Persisted var stringPerhaps: String?
  @Persisted var stringList: List<String>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dataOne: Data
  @Persisted var dataPerhaps: Data?
  @Persisted var dataList: List<Data>
  @Persisted var dataSet: MutableSet<Data?>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dateOne: Date
  @Persisted var datePerhaps: Date?
  @Persisted var dateList: List<Date>
  @Persisted var dateSet: MutableSet<Date?>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var uuidOne: UUID
  @Persisted var uuidPerhaps: UUID?
  @Persisted var uuidList: List<UUID>
  @Persisted var uuidSet: MutableSet<UUID?>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var objectidOne: ObjectId
  @Persisted var objectidPerhaps: ObjectId?
  @Persisted var objectidList: List<ObjectId>
  @Persisted var objectidSet: MutableSet<ObjectId?>
  @Persisted var objectidMap: Map<String, ObjectId>
  @Persisted var decimalOne: Decimal128
  @Persisted var decimalPerhaps: Decimal128?
  @Persisted var decimalList: List<Decimal128>
  @Persisted var decimalSet: MutableSet<Decimal128?>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var mixedOne: AnyRealmValue
  @Persisted var mixedPerhaps: AnyRealmValue
  @Persisted var mixedList: List<AnyRealmValue>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>
  @Persisted var mixedMap: Map<String, AnyRealmValue>
}

class Keyed: Object {
  @Persisted(primaryKey: true) var number: Int?

  override class func indexedProperties() -> [String] { ["number"] }
}

class Part: EmbeddedObject {
  @Persisted var bytes: Data
}

class Class1: Object {
  @Persisted(fullText: true) var `class`: String
  @Persisted(indexed: true) var property1: Int
  @Persisted var property2: Int
  @Persisted var descriptionValue: String
  @Persisted var größe: Double
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var _partition: String
  @Persisted var idValue: String
  @Persisted var selfValue: Class1?

  override class func className() -> String { "odd \"name\"" }

  override class func propertiesMapping() -> [String: String] {
    [
      "property1": "a b",
      "property2": "c\\d\u{1B}",
      "descriptionValue": "description",
      "idValue": "id",
      "selfValue": "self",
    ]
  }

  override class func indexedProperties() -> [String] { ["class"] }
}
