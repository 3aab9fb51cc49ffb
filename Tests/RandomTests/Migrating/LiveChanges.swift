import Foundation
import StrataSchema
import StrataTestKit
import TestKit

@testable import Strata
@testable import StrataStorage

/// Random changes of the objects of a realm.
struct LiveChanges {
  let realm: Realm
  let types: [ObjectBase.Type]
  /// How many objects each class gets.
  let rows: [String: Int]
  /// All objects by class, when they are there.
  private var objects: [String: [Object]] = [:]

  init(realm: Realm, types: [ObjectBase.Type], rows: [String: Int]) {
    self.realm = realm
    self.types = types
    self.rows = rows
  }

  private var objectTypes: [Object.Type] { types.compactMap { $0 as? Object.Type } }

  /// Deletes, creates and fills objects.
  ///
  /// Only what may reach into classes that the realm doesn't have is done to the model as well; the
  /// rest is read afterwards.
  mutating func make(_ model: inout ModelFile, _ random: inout SplitMix64) throws {
    try realm.write {
      for type in objectTypes {
        for object in realm.objects(of: type) where Int.random(in: 0..<8, using: &random) == 0 {
          model.delete(ModelFile.Ref(className: type.className(), row: object._rowID))
          realm.delete(object)
        }
      }
      for type in objectTypes {
        for _ in 0..<(rows[type.className()] ?? 0) { add(type, &random) }
      }
      for type in objectTypes { objects[type.className()] = realm.objects(of: type) }
      for type in objectTypes {
        for object in objects[type.className()] ?? [] { try fill(object, &model, &random) }
      }
    }
  }

  private func add(_ type: Object.Type, _ random: inout SplitMix64) {
    var value: [String: Any] = [:]
    if let key = type.primaryKey(), let property = type.init().objectSchema[key] {
      value[key] = uniqueValue(property, &random)
    }
    realm.create(type, value: value)
  }

  private func uniqueValue(_ property: Property, _ random: inout SplitMix64) -> Any {
    let number = Int.random(in: 0..<1_000_000_000, using: &random)
    return switch property.type {
    case .string: "key \(number)"
    case .UUID: UUID()
    case .objectId: ObjectId.generate()
    default: number
    }
  }

  private func fill(
    _ object: Object, _ model: inout ModelFile, _ random: inout SplitMix64
  ) throws {
    let ref = ModelFile.Ref(className: type(of: object).className(), row: object._rowID)
    let info = try ClassInfo.of(type(of: object))
    for property in info.objectSchema.properties
    where property.name != info.declarations.primaryKeys.first {
      guard Int.random(in: 0..<4, using: &random) > 0 else { continue }
      let count = Int.random(in: 0..<4, using: &random)
      // Values that the realm couldn't show are replaced, too.
      if property.collection != nil { model[ref, property.columnName] = .none }
      switch property.collection {
      case nil:
        guard let value = value(property, &random) else { continue }
        object[property.name] = value
        model[ref, property.columnName] = .none
      case .list?, .set?:
        object[property.name] = (0..<count).compactMap { _ in value(property, &random) }
      case .map?:
        var entries: [String: Any?] = [:]
        for index in 0..<count {
          if let value = value(property, &random) {
            entries.updateValue(value, forKey: "k\(index)")
          }
        }
        object[property.name] = entries
      }
    }
  }

  /// A random value, which may be nil; nil outside if no value is possible.
  private func value(_ property: Property, _ random: inout SplitMix64) -> Any?? {
    let number = Int.random(in: 0..<60, using: &random)
    switch property.type {
    case .object:
      guard let type = types.first(where: { $0.className() == property.objectClassName }) else {
        return nil
      }
      if !property.isArray, !property.isSet, number % 4 == 0 { return .some(nil) }
      guard let target = type as? Object.Type else {
        return .some(["int1": number, "string1": "inside \(number)", "ints": [number]])
      }
      return anyObject(target, &random)
    case .any:
      return anyValue(&random, nestsAtMost: property.isSet ? 0 : 3)
    default:
      return .some(
        property.isOptional && number % 5 == 0 ? nil : RandomScalar.value(property, number))
    }
  }

  private func anyValue(_ random: inout SplitMix64, nestsAtMost levels: Int) -> Any?? {
    let number = Int.random(in: 0..<60, using: &random)
    if levels > 0, number % 4 == 1 {
      let elements = (0..<number % 5).compactMap { _ in
        anyValue(&random, nestsAtMost: levels - 1)
      }
      if number % 8 == 1 { return .some(elements) }
      return .some(
        Dictionary(uniqueKeysWithValues: elements.enumerated().map { ("k\($0)", $1) }))
    }
    if number % 3 == 0, let target = objectTypes.randomElement(using: &random) {
      return anyObject(target, &random)
    }
    return .some(RandomScalar.anyValue(number))
  }

  private func anyObject(_ type: Object.Type, _ random: inout SplitMix64) -> Any?? {
    guard let object = objects[type.className()]?.randomElement(using: &random) else { return nil }
    return .some(object)
  }
}
