import Foundation
import Strata

/// Classes with properties of every kind, for random queries.
enum Queried {
  class Whole: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var int = 0
    @Persisted var maybeInt: Int?
    @Persisted var bool = false
    @Persisted var maybeBool: Bool?
    @Persisted var float: Float = 0
    @Persisted var maybeFloat: Float?
    @Persisted var double = 0.0
    @Persisted var maybeDouble: Double?
    @Persisted(indexed: true) var string = ""
    @Persisted var maybeString: String?
    @Persisted var data = Data()
    @Persisted var maybeData: Data?
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var maybeDate: Date?
    @Persisted var maybeUUID: UUID?
    @Persisted var maybeObjectId: ObjectId?
    @Persisted var decimal: Decimal128 = 0
    @Persisted var maybeDecimal: Decimal128?
    @Persisted var any: AnyRealmValue
    @Persisted var part: Part?
    @Persisted var next: Whole?
    @Persisted var box: Box?
    @Persisted var ints: List<Int>
    @Persisted var maybeInts: List<Int?>
    @Persisted var doubles: List<Double>
    @Persisted var decimals: List<Decimal128>
    @Persisted var strings: MutableSet<String>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var parts: List<Part>
    @Persisted var partSet: MutableSet<Part>
    @Persisted var boxes: List<Box>
    @Persisted var intMap: Map<String, Int>
    @Persisted var stringMap: Map<String, String?>
    @Persisted var partMap: Map<String, Part?>
    @Persisted(originProperty: "next") var previous: LinkingObjects<Whole>
  }

  class Part: Object {
    @Persisted(indexed: true) var name: String?
    @Persisted var number = 0
    @Persisted var maybeDecimal: Decimal128?
    @Persisted var any: AnyRealmValue
    @Persisted var parent: Part?
    @Persisted var tags: List<String>
    @Persisted(originProperty: "part") var wholes: LinkingObjects<Whole>
    @Persisted(originProperty: "parts") var lists: LinkingObjects<Whole>
  }

  class Box: EmbeddedObject {
    @Persisted var number: Int?
    @Persisted var text = ""
    @Persisted var part: Part?
  }

  static let types: [ObjectBase.Type] = [Whole.self, Part.self, Box.self]
}
