import Foundation
import Strata
import Testing

/// An object with a property of each type, which may be nil.
class QueriedItem: Object {
  enum Kind: String, PersistableEnum { case first, second }

  @Persisted var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var int: Int?
  @Persisted var small: Int8?
  @Persisted var bool: Bool?
  @Persisted var float: Float?
  @Persisted var double: Double?
  @Persisted var decimal: Decimal128?
  @Persisted var string: String?
  @Persisted var data: Data?
  @Persisted var date: Date?
  @Persisted var uuid: UUID?
  @Persisted var objectId: ObjectId?
  @Persisted var kind: Kind?
  @Persisted var mixed: AnyRealmValue
  @Persisted var link: QueriedItem?
  @Persisted var other: QueriedOther?
  @Persisted var items: List<QueriedItem>
  @Persisted var ints: List<Int>
  @Persisted var maybeInts: List<Int?>
  @Persisted var dates: List<Date>
  @Persisted var texts: MutableSet<String>
  @Persisted var numbers: Map<String, Int>
  @Persisted(originProperty: "link") var linkedBy: LinkingObjects<QueriedItem>
}

class QueriedOther: Object {
  @Persisted var name = ""
}

/// The common models of the query tests.
enum Queried {
  static let types: [ObjectBase.Type] = [QueriedItem.self, QueriedOther.self]

  /// A type of properties with two values, the first of which is less if there is an order.
  struct Kind: Sendable, CustomTestStringConvertible {
    var property: String
    var type: String
    var values: [any Sendable]
    var isOrdered = true
    var isNumber = false
    var isText = false

    var testDescription: String { property }
  }

  static let kinds = [
    Kind(property: "int", type: "int", values: [-3, 7], isNumber: true),
    Kind(property: "small", type: "int", values: [-3, 7], isNumber: true),
    Kind(property: "float", type: "float", values: [Float(-1.7), Float(2.5)], isNumber: true),
    Kind(property: "double", type: "double", values: [-1.7, Double.infinity], isNumber: true),
    Kind(
      property: "decimal", type: "decimal",
      values: ["-9.5" as Decimal128, "10.25" as Decimal128], isNumber: true),
    Kind(
      property: "date", type: "date",
      values: [Date(timeIntervalSince1970: -5.5), Date(timeIntervalSince1970: 1_000_000)]),
    Kind(property: "string", type: "string", values: ["Z", "é"], isText: true),
    Kind(property: "data", type: "data", values: [Data([1, 255]), Data([2])], isText: true),
    Kind(property: "mixed", type: "any", values: [2, 10.5]),
    Kind(property: "bool", type: "bool", values: [false, true], isOrdered: false),
    Kind(
      property: "uuid", type: "uuid",
      values: [
        UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
        UUID(uuidString: "00000000-0000-0000-0000-000000000002")!,
      ], isOrdered: false),
    Kind(
      property: "objectId", type: "object id",
      values: [
        ObjectId("507f1f77bcf86cd799439011"), ObjectId("507f1f77bcf86cd799439012"),
      ], isOrdered: false),
    Kind(
      property: "kind", type: "string",
      values: [QueriedItem.Kind.first, QueriedItem.Kind.second], isText: true),
  ]
}

extension Results<QueriedItem> {
  var ids: [Int] { map(\.id) }
}
