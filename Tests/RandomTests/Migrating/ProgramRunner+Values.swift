import Foundation
import StrataSchema
import TestKit

@testable import Strata
@testable import StrataStorage

extension ProgramRunner {
  /// A value to set, and what the model makes of it.
  struct Proposal {
    var value: Any?
    var model: Expected
  }

  /// The expected value of a property after it is set. Objects inside get their rows then.
  indirect enum Expected {
    case value(Value)
    case object(String, [String: Expected])
    case list([Expected])
    case map([String: Expected])
  }

  /// A random value for a property; nil if no value is possible.
  func proposal(_ property: Property, _ random: inout SplitMix64) -> Proposal? {
    let count = Int.random(in: 0..<4, using: &random)
    switch property.collection {
    case nil: return single(property, &random)
    case .list?:
      let values = (0..<count).compactMap { _ in single(property, &random) }
      return Proposal(value: values.map(\.value), model: .list(values.map(\.model)))
    case .set?:
      let values = (0..<count).compactMap { _ in single(property, &random) }
      let models = values.compactMap { proposal -> Value? in
        if case .value(let value) = proposal.model { value } else { nil }
      }
      guard models.count == values.count else { return nil }
      return Proposal(value: values.map(\.value), model: .value(.set(Set(models))))
    case .map?:
      var values: [String: Any?] = [:]
      var models: [String: Expected] = [:]
      for index in 0..<count {
        guard let value = single(property, &random) else { continue }
        values.updateValue(value.value, forKey: "k\(index)")
        models["k\(index)"] = value.model
      }
      return Proposal(value: values, model: .map(models))
    }
  }

  private func single(_ property: Property, _ random: inout SplitMix64) -> Proposal? {
    let isElement = property.isArray || property.isSet
    let number = Int.random(in: 0..<60, using: &random)
    switch property.type {
    case .object: return link(property, isElement, number, &random)
    case .any: return anyValue(&random, nestsAtMost: property.isSet ? 0 : 3)
    default:
      let value =
        property.isOptional && number % 5 == 0 ? nil : RandomScalar.value(property, number)
      return Proposal(value: value, model: .value(Value(element: value)))
    }
  }

  /// A value for an `AnyRealmValue`: a scalar, an object, or a list or dictionary of such values.
  private func anyValue(_ random: inout SplitMix64, nestsAtMost levels: Int) -> Proposal? {
    let number = Int.random(in: 0..<60, using: &random)
    if levels > 0, number % 4 == 1 {
      let elements = (0..<number % 5).compactMap { _ -> (Any?, Value)? in
        guard let element = anyValue(&random, nestsAtMost: levels - 1),
          case .value(let value) = element.model
        else { return nil }
        return (element.value, value)
      }
      if number % 8 == 1 {
        return Proposal(value: elements.map(\.0), model: .value(.list(elements.map(\.1))))
      }
      let keyed = elements.enumerated().map { ("k\($0)", $1) }
      return Proposal(
        value: Dictionary(uniqueKeysWithValues: keyed.map { ($0, $1.0) }),
        model: .value(.map(Dictionary(uniqueKeysWithValues: keyed.map { ($0, $1.1) }))))
    }
    let names = model.target.keys.sorted().filter { !model.isEmbedded($0) }
    if number % 3 == 0, let name = names.randomElement(using: &random) {
      guard let row = model.new.rows(name).randomElement(using: &random),
        let object = handle(Ref(className: name, row: row))
      else { return nil }
      return Proposal(value: object, model: .value(.link(ref(object))))
    }
    let value = RandomScalar.anyValue(number)
    return Proposal(value: value, model: .value(Value(element: value)))
  }

  private func link(
    _ property: Property, _ isElement: Bool, _ number: Int, _ random: inout SplitMix64
  ) -> Proposal? {
    let name = property.objectClassName ?? ""
    if !isElement, number % 4 == 0 { return Proposal(value: nil, model: .value(.none)) }
    if model.isEmbedded(name) || number % 9 == 1, !property.isSet {
      let (values, models) = dictionary(name, &random)
      return Proposal(value: values, model: .object(name, models))
    }
    guard let row = model.new.rows(name).randomElement(using: &random),
      let object = handle(Ref(className: name, row: row))
    else { return nil }
    return Proposal(value: object, model: .value(.link(ref(object))))
  }

  /// Values for some of the single properties of a class that are no objects.
  func dictionary(
    _ name: String, _ random: inout SplitMix64
  ) -> ([String: Any], [String: Expected]) {
    var values: [String: Any] = [:]
    var models: [String: Expected] = [:]
    for property in model.target[name]?.objectSchema.properties ?? []
    where property.type != .object && property.type != .any && !property.isComputed {
      let isKey = property.name == model.target[name]?.declarations.primaryKeys.first
      guard isKey || Bool.random(using: &random), let value = proposal(property, &random),
        let present = value.value
      else { continue }
      values[property.name] = present
      models[property.columnName] = value.model
    }
    return (values, models)
  }

  /// The value, with the rows of objects that were made on the way.
  func resolve(_ expected: Expected, _ read: () -> Any?) throws -> Value {
    switch expected {
    case .value(let value): return value
    case .object(let name, let values):
      guard let object = read() as? DynamicObject else {
        throw mismatch("an object of \(name) was not made")
      }
      try checkSound()
      try insert(name, object, values)
      return .link(ref(object))
    case .list(let elements):
      let found =
        elements.contains { $0.makesObjects } ? Array(read() as? List<DynamicObject> ?? List()) : []
      return .list(
        try elements.enumerated().map { index, element in
          try resolve(element) { found.indices.contains(index) ? found[index] : nil }
        })
    case .map(let elements):
      let found =
        elements.values.contains { $0.makesObjects } ? read() as? Map<String, DynamicObject?> : nil
      return .map(
        try Dictionary(
          uniqueKeysWithValues: elements.map { key, element in
            (key, try resolve(element) { found?[key] ?? nil })
          }))
    }
  }

  func insert(_ name: String, _ object: DynamicObject, _ values: [String: Expected]) throws {
    if model.new.exists(ref(object)) { throw mismatch("\(name) \(object.rowID) is no new row") }
    model.insert(name, row: object.rowID, try values.mapValues { try resolve($0) { nil } })
  }

  // MARK: Collections

  /// Changes one element, or adds or removes some: of a collection, or of a list or dictionary that
  /// an `AnyRealmValue` holds at the moment.
  func changeCollection(_ object: DynamicObject, _ property: Property, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed ^ UInt64(bitPattern: object.rowID))
    guard let collection = object[property.name],
      property.collection != nil || collection is any ChangeableCollection
    else {
      if property.collection == nil { return }
      throw mismatch("\(property.columnName) is no collection")
    }
    try check(object, property, collection, isNew: true)
    let before = model.new[ref(object), property.columnName]
    guard let element = single(property, &random), case .value(let value) = element.model else {
      return
    }
    guard let changeable = collection as? any ChangeableCollection,
      let after = changeable.change(before, element.value, value, &random)
    else { throw mismatch("\(property.columnName) can't be changed") }
    try checkSound()
    model.new.set(ref(object), property.columnName, after)
    try check(object, property, object[property.name], isNew: true)
  }
}

extension ProgramRunner.Expected {
  var makesObjects: Bool {
    if case .object = self { true } else { false }
  }
}

/// A small value of a type, by number.
enum RandomScalar {
  static func anyValue(_ number: Int) -> Any? {
    if number % 7 == 1 { return nil }
    if number % 2 == 0 { return number }
    return "any \(number)"
  }

  static func value(_ property: Property, _ number: Int) -> Any {
    switch property.type {
    case .int: number
    case .bool: number % 2 == 0
    case .float: Float(number) / 4
    case .double: Double(number) / 4
    case .string: number % 6 == 0 ? "" : "text \(number)"
    case .data: Data(repeating: UInt8(number), count: number % 4)
    case .date: Date(timeIntervalSince1970: Double(number) * 100_000.5)
    case .UUID: UUID(uuidString: "00000000-0000-0000-0000-0000000000\(number + 10)") as Any
    case .objectId:
      ObjectId(
        timestamp: Date(timeIntervalSince1970: Double(number)), machineId: 1, processId: 1)
    case .decimal128: Decimal128(value: number)
    case .any, .object, .linkingObjects: number
    }
  }
}
