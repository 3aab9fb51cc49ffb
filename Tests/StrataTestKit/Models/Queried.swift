package import Foundation
package import Strata

/// Classes with properties of every kind, for random queries.
package enum Queried {
  package class Whole: Object {
    @Persisted(primaryKey: true) package var id = 0
    @Persisted(indexed: true) package var int = 0
    @Persisted(indexed: true) package var maybeInt: Int?
    @Persisted package var bool = false
    @Persisted package var maybeBool: Bool?
    @Persisted package var float: Float = 0
    @Persisted package var maybeFloat: Float?
    @Persisted package var double = 0.0
    @Persisted package var maybeDouble: Double?
    @Persisted(indexed: true) package var string = ""
    @Persisted package var maybeString: String?
    @Persisted package var data = Data()
    @Persisted package var maybeData: Data?
    @Persisted package var date = Date(timeIntervalSince1970: 0)
    @Persisted(indexed: true) package var maybeDate: Date?
    @Persisted(indexed: true) package var maybeUUID: UUID?
    @Persisted package var maybeObjectId: ObjectId?
    @Persisted package var decimal: Decimal128 = 0
    @Persisted package var maybeDecimal: Decimal128?
    @Persisted(indexed: true) package var any: AnyRealmValue
    @Persisted package var part: Part?
    @Persisted package var next: Whole?
    @Persisted package var box: Box?
    @Persisted package var ints: List<Int>
    @Persisted package var maybeInts: List<Int?>
    @Persisted package var doubles: List<Double>
    @Persisted package var decimals: List<Decimal128>
    @Persisted package var strings: MutableSet<String>
    @Persisted package var anys: List<AnyRealmValue>
    @Persisted package var parts: List<Part>
    @Persisted package var partSet: MutableSet<Part>
    @Persisted package var boxes: List<Box>
    @Persisted package var intMap: Map<String, Int>
    @Persisted package var stringMap: Map<String, String?>
    @Persisted package var partMap: Map<String, Part?>
    @Persisted(originProperty: "next") package var previous: LinkingObjects<Whole>

    package override class func compoundIndexes() -> [[String]] {
      [["bool", "maybeDouble"], ["maybeString", "int"]]
    }
  }

  package class Part: Object {
    @Persisted(indexed: true) package var name: String?
    @Persisted package var number = 0
    @Persisted package var maybeDecimal: Decimal128?
    @Persisted package var any: AnyRealmValue
    @Persisted package var parent: Part?
    @Persisted package var tags: List<String>
    @Persisted(originProperty: "part") package var wholes: LinkingObjects<Whole>
    @Persisted(originProperty: "parts") package var lists: LinkingObjects<Whole>
  }

  package class Box: EmbeddedObject {
    @Persisted package var number: Int?
    @Persisted package var text = ""
    @Persisted package var part: Part?
  }

  package static let types: [ObjectBase.Type] = [Whole.self, Part.self, Box.self]
}
