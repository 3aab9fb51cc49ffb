import Foundation
import Strata
import StrataTestKit

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema
@testable import StrataStorage

/// Random objects of all classes: in a realm, and as the oracle knows them.
struct QueryPopulation {
  private var pool: QueryValuePool
  private(set) var all: [OracleObject] = []
  private var byKey: [String: OracleObject] = [:]

  init(seed: UInt64, wholes: Int, parts: Int, in realm: Realm) throws {
    pool = QueryValuePool(seed: seed)
    try realm.write {
      var partObjects: [(Queried.Part, OracleObject)] = []
      for id in 0..<parts { partObjects.append(makePart(id, partObjects, realm)) }
      var wholes = (0..<wholes).map { id in
        let object = realm.create(Queried.Whole.self, value: ["id": id])
        return (object, record(OracleObject("Whole", id), object))
      }
      for index in wholes.indices { fill(&wholes[index], partObjects, wholes, realm) }
    }
  }

  func object(_ object: QueryObject) -> OracleObject? {
    byKey["\(object.className) \(object.row ?? -1)"]
  }

  private mutating func record(_ known: OracleObject, _ object: ObjectBase) -> OracleObject {
    all.append(known)
    byKey["\(known.className) \(object._rowID)"] = known
    return known
  }

  private func oracle(_ value: Any?) -> OracleValue {
    let value = QueryValue(value)
    return OracleValue(value) { object in self.object(object) }
  }

  private mutating func set(_ name: String, _ value: Any?, _ item: (ObjectBase, OracleObject)) {
    item.0[name] = value
    item.1.values[name] = oracle(value)
  }

  private mutating func makePart(
    _ id: Int, _ others: [(Queried.Part, OracleObject)], _ realm: Realm
  ) -> (Queried.Part, OracleObject) {
    let object = realm.create(Queried.Part.self)
    let item = (object, record(OracleObject("Part", id), object))
    set("name", pool.chance(70) ? pool.value(of: .string) : nil, item)
    set("number", pool.int(), item)
    set("maybeDecimal", pool.chance(60) ? pool.decimal() : nil, item)
    setAny(item)
    if let parent = others.last, pool.chance(60) {
      object.parent = parent.0
      item.1.values["parent"] = .object(parent.1)
    }
    let tags = (0..<pool.number(0..<3)).map { _ in pool.one(of: QueryValuePool.texts) }
    object.tags.append(objectsIn: tags)
    item.1.values["tags"] = .list(tags.map { .text($0) })
    return item
  }

  private mutating func setAny(_ item: (ObjectBase, OracleObject)) {
    set("any", pool.chance(75) ? pool.value(of: .any) : nil, item)
  }

  private mutating func fill(
    _ item: inout (Queried.Whole, OracleObject), _ parts: [(Queried.Part, OracleObject)],
    _ wholes: [(Queried.Whole, OracleObject)], _ realm: Realm
  ) {
    let (object, known) = item
    known.values["id"] = .int(Int64(object.id))
    let types: [(String, PropertyType)] = [
      ("int", .int), ("bool", .bool), ("float", .float), ("double", .double), ("string", .string),
      ("data", .data), ("date", .date), ("decimal", .decimal128),
    ]
    for (name, type) in types {
      set(name, pool.value(of: type), item)
      let maybeName = "maybe" + name.prefix(1).uppercased() + name.dropFirst()
      set(maybeName, pool.chance(60) ? pool.value(of: type) : nil, item)
    }
    set("maybeUUID", pool.chance(60) ? pool.uuid() : nil, item)
    set("maybeObjectId", pool.chance(60) ? pool.objectId() : nil, item)
    setAny(item)
    if pool.chance(10) {
      object.any = .object(parts[0].0)
      known.values["any"] = .object(parts[0].1)
    }
    if pool.chance(65) {
      let part = pool.one(of: parts)
      object.part = part.0
      known.values["part"] = .object(part.1)
    }
    if pool.chance(60) {
      let next = pool.one(of: wholes)
      object.next = next.0
      known.values["next"] = .object(next.1)
    }
    if pool.chance(50) {
      let (box, knownBox) = makeBox(parts)
      object.box = box
      known.values["box"] = .object(knownBox)
    }
    fillCollections(object, known, parts)
  }

  private mutating func makeBox(
    _ parts: [(Queried.Part, OracleObject)]
  ) -> (Queried.Box, OracleObject) {
    let box = Queried.Box()
    let known = OracleObject("Box", all.count)
    all.append(known)
    set("number", pool.chance(60) ? pool.int() : nil, (box, known))
    set("text", pool.one(of: QueryValuePool.texts), (box, known))
    if pool.chance(50) {
      let part = pool.one(of: parts)
      box.part = part.0
      known.values["part"] = .object(part.1)
    }
    return (box, known)
  }

  private mutating func many<Value>(_ make: (inout QueryValuePool) -> Value) -> [Value] {
    (0..<pool.number(0..<4)).map { _ in make(&pool) }
  }

  private mutating func fillCollections(
    _ object: Queried.Whole, _ known: OracleObject, _ parts: [(Queried.Part, OracleObject)]
  ) {
    let ints = many { $0.int() }
    object.ints.append(objectsIn: ints)
    let maybeInts = many { $0.chance(60) ? Optional($0.int()) : nil }
    object.maybeInts.append(objectsIn: maybeInts)
    let doubles = many { $0.one(of: [0.0, 1.5, -2, 3]) }
    object.doubles.append(objectsIn: doubles)
    let decimals = many { $0.one(of: [0, 1, 2, Decimal128("1.5"), Decimal128("1.50")]) }
    object.decimals.append(objectsIn: decimals)
    let strings = Set(many { $0.one(of: ["a", "b", "ab", "Ä", ""]) })
    object.strings.insert(objectsIn: strings)
    let anys = many { AnyRealmValue.converting($0.value(of: .any)) ?? .none }
    object.anys.append(objectsIn: anys)
    let listed = many { $0.one(of: parts) }
    object.parts.append(objectsIn: listed.map(\.0))
    var unique: [(Queried.Part, OracleObject)] = []
    for part in many({ $0.one(of: parts) }) where !unique.contains(where: { $0.1 === part.1 }) {
      unique.append(part)
    }
    object.partSet.insert(objectsIn: unique.map(\.0))
    let boxes = (0..<pool.number(0..<3)).map { _ in makeBox(parts) }
    object.boxes.append(objectsIn: boxes.map(\.0))
    known.values["ints"] = .list(ints.map { .int(Int64($0)) })
    known.values["maybeInts"] = .list(maybeInts.map { $0.map { .int(Int64($0)) } ?? .none })
    known.values["doubles"] = .list(doubles.map { .double($0) })
    known.values["decimals"] = .list(decimals.map { .decimal($0) })
    known.values["strings"] = .list(strings.map { .text($0) })
    known.values["anys"] = .list(anys.map { oracle($0) })
    known.values["parts"] = .list(listed.map { .object($0.1) })
    known.values["partSet"] = .list(unique.map { .object($0.1) })
    known.values["boxes"] = .list(boxes.map { .object($0.1) })
    fillMaps(object, known, parts)
  }

  private mutating func fillMaps(
    _ object: Queried.Whole, _ known: OracleObject, _ parts: [(Queried.Part, OracleObject)]
  ) {
    var ints: [(key: String, value: OracleValue)] = []
    var texts = ints
    var targets = ints
    for key in ["a", "b", "k.1"] {
      if pool.chance(40) {
        let value = pool.int()
        object.intMap[key] = value
        ints.append((key, .int(Int64(value))))
      }
      if pool.chance(40) {
        let value = pool.chance(60) ? pool.one(of: QueryValuePool.texts) : nil
        object.stringMap[key] = .some(value)
        texts.append((key, value.map { .text($0) } ?? .none))
      }
      if pool.chance(40) {
        let part = pool.chance(70) ? pool.one(of: parts) : nil
        object.partMap[key] = .some(part?.0)
        targets.append((key, part.map { .object($0.1) } ?? .none))
      }
    }
    known.values["intMap"] = .map(ints)
    known.values["stringMap"] = .map(texts)
    known.values["partMap"] = .map(targets)
  }
}
