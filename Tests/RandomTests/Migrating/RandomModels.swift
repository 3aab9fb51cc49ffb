import Foundation
import Strata
import StrataTestKit

// Classes whose properties are decided at run time: each of the two bases has more properties than
// a class needs, and a version says which of them it has, and under which column names.

class RandomObject<V: VersionNumber>: Object {
  @Persisted var int1 = 0
  @Persisted var int2 = 7
  @Persisted var intOptional1: Int?
  @Persisted var intOptional2: Int?
  @Persisted var bool = true
  @Persisted var boolOptional: Bool?
  @Persisted var double = 1.5
  @Persisted var doubleOptional: Double?
  @Persisted var float: Float = 0.25
  @Persisted var string1 = ""
  @Persisted(fullText: true) var string2 = "it's"
  @Persisted var stringOptional1: String?
  @Persisted(fullText: true) var stringOptional2: String?
  @Persisted var data = Data([1])
  @Persisted var dataOptional: Data?
  @Persisted var date = Date(timeIntervalSince1970: 1.25)
  @Persisted var dateOptional: Date?
  @Persisted var uuid: UUID
  @Persisted var uuidOfEach = UUID()
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var decimalOptional: Decimal128?
  @Persisted var any1: AnyRealmValue
  @Persisted var any2: AnyRealmValue
  @Persisted var toA1: RandomA<V>?
  @Persisted var toA2: RandomA<V>?
  @Persisted var toB: RandomB<V>?
  @Persisted var toC: RandomC<V>?
  @Persisted var toE: RandomE<V>?
  @Persisted var toEInside1: RandomEInside<V>?
  @Persisted var toEInside2: RandomEInside<V>?
  @Persisted var ints: List<Int>
  @Persisted var intsOptional: List<Int?>
  @Persisted var strings: List<String>
  @Persisted var manyA: List<RandomA<V>>
  @Persisted var manyB: List<RandomB<V>>
  @Persisted var manyC: List<RandomC<V>>
  @Persisted var manyE: List<RandomE<V>>
  @Persisted var manyEInside: List<RandomEInside<V>>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var setOfB: MutableSet<RandomB<V>>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var intMap: Map<String, Int>
  @Persisted var stringMap: Map<String, String?>
  @Persisted var mapOfA: Map<String, RandomA<V>?>
  @Persisted var mapOfE: Map<String, RandomE<V>?>
  @Persisted var mapOfEInside: Map<String, RandomEInside<V>?>
  @Persisted var anyMap: Map<String, AnyRealmValue>

  override class func primaryKey() -> String? { description?.primaryKey }
  override class func indexedProperties() -> [String] { description?.indexed ?? [] }
  override class func compoundIndexes() -> [[String]] { description?.compoundIndexes ?? [] }
  override class func ignoredProperties() -> [String] { description?.ignored ?? [] }
  override class func propertiesMapping() -> [String: String] { description?.columns ?? [:] }

  private class var description: RandomVersion.Class? {
    RandomVersion.of(V.value).classes[className()]
  }
}

final class RandomA<V: VersionNumber>: RandomObject<V> {
  override class func className() -> String { "A" }
}
final class RandomB<V: VersionNumber>: RandomObject<V> {
  override class func className() -> String { "B" }
}
final class RandomC<V: VersionNumber>: RandomObject<V> {
  override class func className() -> String { "C" }
}
final class RandomE<V: VersionNumber>: RandomObject<V> {
  override class func className() -> String { "E" }
}

/// The variant of `RandomE` for versions in which it is embedded.
final class RandomEInside<V: VersionNumber>: EmbeddedObject {
  @Persisted var int1 = 0
  @Persisted var int2 = 7
  @Persisted var intOptional1: Int?
  @Persisted var double = 1.5
  @Persisted var string1 = ""
  @Persisted(fullText: true) var string2 = "it's"
  @Persisted var stringOptional1: String?
  @Persisted var data = Data([1])
  @Persisted var date = Date(timeIntervalSince1970: 1.25)
  @Persisted var uuidOfEach = UUID()
  @Persisted var any1: AnyRealmValue
  @Persisted var toA1: RandomA<V>?
  @Persisted var toB: RandomB<V>?
  @Persisted var ints: List<Int>
  @Persisted var manyB: List<RandomB<V>>
  @Persisted var intMap: Map<String, Int>

  override class func className() -> String { "E" }
  override class func indexedProperties() -> [String] { description?.indexed ?? [] }
  override class func compoundIndexes() -> [[String]] { description?.compoundIndexes ?? [] }
  override class func ignoredProperties() -> [String] { description?.ignored ?? [] }
  override class func propertiesMapping() -> [String: String] { description?.columns ?? [:] }

  private class var description: RandomVersion.Class? {
    RandomVersion.of(V.value).classes[className()]
  }
}
