import CustomDump
import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Migrations of random objects through random versions, compared with the rules.
@Suite("Random changes of links, collections and values")
struct ShuffledSchemaTests {
  static let seeds = 1...25

  @Test(arguments: seeds)
  func `Random changes of links, collections and values follow the rules, with and without a block`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let folder = try TestFolder()
    var model = ObjectModel()
    var last: [ObjectBase.Type] = []
    let path = (0..<4).map { _ in Int.random(in: 0..<10, using: &random) }
    for (stage, number) in path.enumerated() {
      let types = Shuffled.versions[number]
      let withBlock = Bool.random(using: &random)
      let doomed = stage == 0 ? nil : model.ids("A").randomElement(using: &random)
      let block: MigrationBlock = { migration, _ in
        for name in ["A", "B"] {
          migration.enumerateObjects(ofType: name) { old, new in
            expectEqual(old!["id"] as? Int, new!["id"] as? Int)
            if name == "A", old!["id"] as? Int == doomed { migration.delete(new!) }
          }
        }
      }
      try folder.open(types, version: UInt64(stage), withBlock ? block : nil) { realm in
        model.migrate(from: last, to: types)
        if withBlock, let doomed { model.delete("A", doomed) }
        expectNoDifference(
          try ObjectModel(realm, types), model, "seed \(seed), path \(path), stage \(stage)")
        try realm.write {
          for type in types { RandomValues.addObjects(type, to: realm, &random) }
          for type in types {
            for object in realm.objects(of: type) {
              RandomValues.fill(object, realm, types, &random)
            }
          }
        }
        model = try ObjectModel(realm, types)
      }
      try expectTrue(folder.isSound(), "seed \(seed), path \(path), stage \(stage)")
      last = types
    }
  }
}

/// A model of the contents of a realm, in memory.
struct ObjectModel: Equatable {
  indirect enum Value: Hashable {
    case none
    case scalar(String)
    case link(String, Int)
    case list([Value])
    case set(Set<Value>)
    case map([String: Value])
  }

  /// The properties of each object, by class and `id`.
  var objects: [String: [Int: [String: Value]]] = ["A": [:], "B": [:]]

  init() {}

  init(_ realm: Realm, _ types: [ObjectBase.Type]) throws {
    for type in types {
      var found: [Int: [String: Value]] = [:]
      for object in realm.objects(of: type) {
        var values: [String: Value] = [:]
        for property in object.objectSchema.properties {
          values[property.name] = Self.value(object[property.name], property)
        }
        found[object["id"] as? Int ?? -1] = values
      }
      objects[type.className()] = found
    }
  }

  func ids(_ className: String) -> [Int] { (objects[className]?.keys).map { $0.sorted() } ?? [] }

  private static func value(_ value: Any?, _ property: Property) -> Value {
    switch property.collection {
    case nil: return element(value)
    case .list?: return .list((value as? any Sequence)?.elements.map(element) ?? [])
    case .set?: return .set(Set((value as? any Sequence)?.elements.map(element) ?? []))
    case .map?: return .map((value as? any EntriesOfMap)?.entries.mapValues(element) ?? [:])
    }
  }

  static func element(_ value: Any?) -> Value {
    guard let value else { return .none }
    if let optional = value as? any OptionalForText {
      return optional.content.map { element($0) } ?? .none
    }
    if let any = value as? AnyRealmValue { return element(any.rawValue) }
    if let object = value as? ObjectBase {
      return .link(type(of: object).className(), object["id"] as? Int ?? -1)
    }
    if let date = value as? Date { return .scalar("\(date.timeIntervalSince1970)") }
    if let data = value as? Data { return .scalar("\(Array(data))") }
    return .scalar("\(unboxedNumber(value))")
  }

  // MARK: The rules

  mutating func migrate(from old: [ObjectBase.Type], to new: [ObjectBase.Type]) {
    guard !old.isEmpty else { return }
    for (before, after) in zip(old, new) {
      let name = after.className()
      let oldSchema = before.init().objectSchema
      for property in after.init().objectSchema.properties {
        for id in ids(name) {
          let value = objects[name]?[id]?[property.name]
          objects[name]?[id]?[property.name] = Self.migrated(
            value, oldSchema[property.name], property)
        }
      }
      let kept = Set(after.init().objectSchema.properties.map(\.name))
      for id in ids(name) {
        for key in oldSchema.properties.map(\.name) where !kept.contains(key) {
          objects[name]?[id]?[key] = nil
        }
      }
    }
  }

  private static func migrated(_ value: Value?, _ old: Property?, _ new: Property) -> Value {
    guard let value, let old, old.type == new.type, old.collection == new.collection,
      old.objectClassName == new.objectClassName
    else { return empty(new) }
    guard old.isOptional, !new.isOptional, new.type != .object else { return value }
    switch value {
    case .none: return zero(new)
    case .list(let values): return .list(values.map { $0 == .none ? zero(new) : $0 })
    case .set(let values): return .set(Set(values.map { $0 == .none ? zero(new) : $0 }))
    case .map(let values): return .map(values.mapValues { $0 == .none ? zero(new) : $0 })
    case .scalar, .link: return value
    }
  }

  private static func empty(_ property: Property) -> Value {
    switch property.collection {
    case .list?: .list([])
    case .set?: .set([])
    case .map?: .map([:])
    case nil: property.isOptional || property.type == .object ? .none : zero(property)
    }
  }

  private static func zero(_ property: Property) -> Value {
    switch property.type {
    case .int, .decimal128: .scalar("0")
    case .bool: .scalar("false")
    case .float, .double, .date: .scalar("0.0")
    case .string: .scalar("")
    case .data: .scalar("[]")
    case .UUID: .scalar("00000000-0000-0000-0000-000000000000")
    case .objectId: .scalar("000000000000000000000000")
    case .any, .object, .linkingObjects: .none
    }
  }

  mutating func delete(_ className: String, _ id: Int) {
    objects[className]?[id] = nil
    let gone = Value.link(className, id)
    for (name, rows) in objects {
      for (row, values) in rows {
        for (key, value) in values { objects[name]?[row]?[key] = Self.without(gone, value, key) }
      }
    }
  }

  /// A list of `AnyRealmValue` keeps an element for an object that is gone, which is `.none`.
  private static func without(_ gone: Value, _ value: Value, _ property: String) -> Value {
    let isAny = property == "p9"
    return switch value {
    case gone: .none
    case .list(let values):
      .list(isAny ? values.map { $0 == gone ? .none : $0 } : values.filter { $0 != gone })
    case .set(let values): .set(values.filter { $0 != gone })
    case .map(let values): .map(values.mapValues { $0 == gone ? .none : $0 })
    default: value
    }
  }
}

protocol EntriesOfMap { var entries: [String: Any?] { get } }
extension Map: EntriesOfMap {
  var entries: [String: Any?] {
    Dictionary(uniqueKeysWithValues: map { ("\($0.key)", $0.value as Any?) })
  }
}

extension Sequence {
  fileprivate var elements: [Any?] { map { $0 as Any? } }
}

/// Values that fit properties.
enum RandomValues {
  static func addObjects(_ type: ObjectBase.Type, to realm: Realm, _ random: inout SplitMix64) {
    guard let type = type as? Object.Type else { return }
    let next = (realm.objects(of: type).compactMap { $0["id"] as? Int }.max() ?? 0) + 1
    for offset in 0..<Int.random(in: 1...4, using: &random) {
      realm.create(type, value: ["id": next + offset])
    }
  }

  static func fill(
    _ object: Object, _ realm: Realm, _ types: [ObjectBase.Type], _ random: inout SplitMix64
  ) {
    for property in object.objectSchema.properties where property.name != "id" {
      func one() -> Any? { value(property, realm, types, &random) }
      let count = Int.random(in: 0..<4, using: &random)
      switch property.collection {
      case nil: object[property.name] = one()
      case .list?, .set?: object[property.name] = (0..<count).map { _ in one() }
      case .map?:
        var entries: [String: Any?] = [:]
        for index in 0..<count { entries.updateValue(one(), forKey: "k\(index)") }
        object[property.name] = entries
      }
    }
  }

  private static func value(
    _ property: Property, _ realm: Realm, _ types: [ObjectBase.Type], _ random: inout SplitMix64
  ) -> Any? {
    let number = Int.random(in: 0..<50, using: &random)
    let isElementOfObjects = property.isArray || property.isSet
    if property.isOptional || property.type == .object, number % 4 == 0,
      !isElementOfObjects || property.type != .object
    {
      return nil
    }
    switch property.type {
    case .int: return number
    case .bool: return number % 2 == 0
    case .float, .double: return Double(number) / 4
    case .string: return "s\(number)"
    case .data: return Data([UInt8(number)])
    case .date: return Date(timeIntervalSince1970: Double(number))
    case .UUID: return UUID(uuidString: "00000000-0000-0000-0000-0000000000\(number + 10)")
    case .objectId:
      return ObjectId(
        timestamp: Date(timeIntervalSince1970: Double(number)), machineId: 1, processId: 1)
    case .decimal128: return Decimal128(value: number)
    case .object:
      let type = types.first { $0.className() == property.objectClassName } ?? types[0]
      return realm.objects(of: type).randomElement(using: &random)
    case .any:
      if number % 3 == 0 { return realm.objects(of: types[0]).randomElement(using: &random) }
      return number % 3 == 1 ? number as Any : "any\(number)"
    case .linkingObjects: return nil
    }
  }
}
