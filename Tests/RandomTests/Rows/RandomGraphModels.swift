import Foundation
import Strata
import TestKit

/// A class with a property of every kind, to be filled at random.
enum Random {
  enum Kind: String, PersistableEnum { case a, b, c }
  enum Level: Int, PersistableEnum { case low = -1, high = 1 }

  /// The properties of a node that need neither links nor collections.
  class Flat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var int = 0
    @Persisted var int8: Int8 = 0
    @Persisted var int16: Int16?
    @Persisted var int32: Int32 = 0
    @Persisted var int64: Int64?
    @Persisted var bool = false
    @Persisted var float: Float = 0
    @Persisted var double: Double?
    @Persisted var string = ""
    @Persisted var optionalString: String?
    @Persisted var data = Data()
    @Persisted var date: Date?
    @Persisted var uuid: UUID
    @Persisted var objectId: ObjectId
    @Persisted var decimal: Decimal128
    @Persisted var kind = Kind.a
    @Persisted var level: Level?
  }

  class Node: Flat {
    @Persisted var any: AnyRealmValue
    @Persisted var next: Node?
    @Persisted var leaf: Leaf?
    @Persisted var part: Part?
    @Persisted var nodes: List<Node>
    @Persisted var nodeSet: MutableSet<Node>
    @Persisted var nodeMap: Map<String, Node?>
    @Persisted var parts: List<Part>
    @Persisted var partMap: Map<String, Part?>
    @Persisted var ints: List<Int>
    @Persisted var optionalInts: List<Int?>
    @Persisted var strings: List<String>
    @Persisted var dates: List<Date>
    @Persisted var decimals: List<Decimal128?>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var kinds: List<Kind>
    @Persisted var intSet: MutableSet<Int>
    @Persisted var stringSet: MutableSet<String?>
    @Persisted var uuidSet: MutableSet<UUID>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var intMap: Map<String, Int>
    @Persisted var dataMap: Map<String, Data?>
    @Persisted var anyMap: Map<String, AnyRealmValue>
  }

  /// A subclass has the properties of both, and a table of its own.
  class Leaf: Node {
    @Persisted var colour = "green"
    @Persisted var friends: List<Leaf>
  }

  class Part: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var numbers: List<Double>
    @Persisted var inner: Inner?
    @Persisted var node: Node?
  }

  class Inner: EmbeddedObject {
    @Persisted var value: AnyRealmValue
    @Persisted var tags: MutableSet<String>
  }

  /// All objects of a graph.
  class Graph: Object {
    @Persisted var nodes: List<Node>
    @Persisted var leaves: List<Leaf>
  }

  static let types: [ObjectBase.Type] = [Node.self, Leaf.self, Part.self, Inner.self]
}

/// Fills objects at random.
struct GraphMaker {
  var random: SplitMix64
  var nodes: [Random.Node] = []
  var leaves: [Random.Leaf] = []

  init(seed: UInt64, count: Int) {
    random = SplitMix64(seed: seed)
    nodes = (0..<count).map { Random.Node(value: ["id": $0]) }
    leaves = (0..<count / 2).map { Random.Leaf(value: ["id": $0]) }
    for node in nodes { fill(node) }
    for leaf in leaves {
      fill(leaf)
      leaf.colour = text()
      for _ in 0..<small() { leaf.friends.append(leaves[number(leaves.count)]) }
    }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func small() -> Int { number(4) }
  private mutating func one(in count: Int) -> Bool { number(count) == 0 }

  private mutating func text() -> String {
    let pieces = ["", "a", "é", "e\u{301}", "🎸", "'", "\"", "\u{0}", "\n", "x y", "Z", "ß"]
    return (0..<small()).map { _ in pieces[number(pieces.count)] }.joined()
  }

  private mutating func integer() -> Int {
    [0, 1, -1, Int.max, Int.min, number(1_000)][number(6)]
  }

  private mutating func real() -> Double {
    [0, 1.5, -1e300, .infinity, .leastNonzeroMagnitude, 0.1][number(6)]
  }

  private mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(number(4_000_000_000)) / 7)
  }

  private mutating func data() -> Data { Data((0..<small()).map { _ in UInt8(number(256)) }) }

  private mutating func id() -> UUID {
    let bytes = (0..<16).map { _ in UInt8(number(256)) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private mutating func objectId() -> ObjectId {
    ObjectId(timestamp: date(), machineId: number(1 << 20), processId: number(1 << 10))
  }

  private mutating func decimal() -> Decimal128 {
    ["0", "-0", "1.50", "NaN", "-Infinity", "9E+6144", "1E-6176"][number(6)]
  }

  private mutating func any() -> AnyRealmValue {
    switch number(13) {
    case 0: .none
    case 1: .int(integer())
    case 2: .bool(one(in: 2))
    case 3: .float(Float(number(100)) / 4)
    case 4: .double(real())
    case 5: .string(text())
    case 6: .data(data())
    case 7: .date(date())
    case 8: .object(nodes[number(nodes.count)])
    case 9 where !leaves.isEmpty: .object(leaves[number(leaves.count)])
    case 10: .objectId(objectId())
    case 11: .decimal128("1.5")
    default: .uuid(id())
    }
  }

  private mutating func part() -> Random.Part {
    let part = Random.Part()
    part.name = text()
    for _ in 0..<small() { part.numbers.append(real()) }
    if one(in: 2) {
      part.inner = Random.Inner()
      part.inner?.value = any()
      for _ in 0..<small() { part.inner?.tags.insert(text()) }
    }
    if one(in: 2) { part.node = nodes[number(nodes.count)] }
    return part
  }

  private mutating func fill(_ node: Random.Node) {
    node.int = integer()
    node.int8 = [Int8.min, 0, .max][number(3)]
    node.int16 = one(in: 2) ? nil : .max
    node.int32 = [Int32.min, 0, .max][number(3)]
    node.int64 = one(in: 2) ? nil : .min
    node.bool = one(in: 2)
    node.float = [0, 0.1, -.infinity, .greatestFiniteMagnitude][number(4)]
    node.double = one(in: 2) ? nil : real()
    node.string = text()
    node.optionalString = one(in: 2) ? nil : text()
    node.data = data()
    node.date = one(in: 2) ? nil : date()
    node.uuid = id()
    node.objectId = objectId()
    node.decimal = decimal()
    node.kind = Random.Kind.allCases[number(3)]
    node.level = one(in: 2) ? nil : .high
    node.any = any()
    node.next = one(in: 2) ? nil : nodes[number(nodes.count)]
    node.leaf = one(in: 2) || leaves.isEmpty ? nil : leaves[number(leaves.count)]
    node.part = one(in: 2) ? nil : part()
    for _ in 0..<small() {
      node.nodes.append(nodes[number(nodes.count)])
      node.nodeSet.insert(nodes[number(nodes.count)])
      node.nodeMap[text()] = one(in: 3) ? .some(nil) : nodes[number(nodes.count)]
      node.parts.append(part())
      node.partMap[text()] = one(in: 3) ? .some(nil) : part()
      node.ints.append(integer())
      node.optionalInts.append(one(in: 2) ? nil : integer())
      node.strings.append(text())
      node.dates.append(date())
      node.decimals.append(one(in: 2) ? nil : decimal())
      node.anys.append(any())
      node.kinds.append(Random.Kind.allCases[number(3)])
      node.intSet.insert(integer())
      node.stringSet.insert(one(in: 3) ? nil : text())
      node.uuidSet.insert(id())
      node.anySet.insert(any())
      node.intMap[text()] = integer()
      node.dataMap[text()] = one(in: 3) ? .some(nil) : data()
      node.anyMap[text()] = any()
    }
  }
}

/// The contents of objects as text, equal in memory and in a file.
enum GraphText {
  static func of(_ object: ObjectBase) -> String {
    let lines = object.objectSchema.properties.map { property in
      "\(property.name) = \(property.isSet ? set(object[property.name]) : value(object[property.name]))"
    }
    return "\(type(of: object).className()) { \(lines.joined(separator: "; ")) }"
  }

  static func value(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let node as Random.Leaf: "Leaf \(node.id)"
    case let node as Random.Node: "Node \(node.id)"
    case let part as EmbeddedObject: of(part)
    case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
    case let double as Double: "d\(double.bitPattern)"
    case let float as Float: "f\(float.bitPattern)"
    case let string as String: "'\(Array(string.utf8))'"
    case let data as Data: "\(Array(data))"
    case let any as AnyRealmValue:
      "\(any.rawValue.map { type(of: $0) } as Any) \(Self.value(any.rawValue))"
    case let map as any EntriesForText: map.text
    case let values as any Sequence: "[\(values.map { of(any: $0) }.joined(separator: ", "))]"
    case let other?: "\(other)"
    }
  }

  static func of(any value: Any) -> String {
    if let optional = value as? any OptionalForText { return self.value(optional.content) }
    return self.value(value)
  }

  private static func set(_ value: Any?) -> String {
    guard let values = value as? any Sequence else { return "no set" }
    return "{\(values.map { of(any: $0) }.sorted().joined(separator: ", "))}"
  }
}

protocol OptionalForText { var content: Any? { get } }
extension Optional: OptionalForText { var content: Any? { self.map { $0 as Any } } }

protocol EntriesForText { var text: String { get } }
extension Map: EntriesForText {
  var text: String {
    "[\(map { "\(Array("\($0.key)".utf8)): \(GraphText.of(any: $0.value))" }.joined(separator: ", "))]"
  }
}
