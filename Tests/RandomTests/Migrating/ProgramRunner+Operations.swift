import Foundation
import StrataSchema
import TestKit

@testable import Strata
@testable import StrataStorage

extension ProgramRunner {
  /// Does something with a row, where it still exists.
  func run(
    _ operation: MigrationProgram.Operation, old: DynamicObject?, new: DynamicObject?
  ) throws {
    let new = new.flatMap { model.new.exists(ref($0)) ? $0 : nil }
    switch operation {
    case .readOld(let number, let typed):
      try withProperty(of: old, number) { try read($0, $1, isNew: false, typed: typed) }
    case .readNew(let number, let typed):
      try withProperty(of: new, number) { try read($0, $1, isNew: true, typed: typed) }
    case .readAll:
      for number in 0..<(old?.objectSchema.properties.count ?? 0) {
        try withProperty(of: old, number) { try read($0, $1, isNew: false, typed: false) }
      }
      for number in 0..<(new?.objectSchema.properties.count ?? 0) {
        try withProperty(of: new, number) { try read($0, $1, isNew: true, typed: false) }
      }
    case .set(let number, let seed, let typed):
      try withProperty(of: new, number) { try set($0, $1, seed, typed: typed) }
    case .copy(let number): try copy(from: old, to: new, number)
    case .changeCollection(let number, let seed):
      try withProperty(of: new, number, where: { $0.collection != nil || $0.type == .any }) {
        try changeCollection($0, $1, seed)
      }
    case .follow(let number, let inner):
      try withProperty(of: new, number, where: { $0.type == .object && $0.collection == nil }) {
        object, property in
        let value = object[property.name]
        try check(object, property, value, isNew: true)
        guard let linked = value as? DynamicObject else { return }
        try located("through \(property.columnName)") { try run(inner, old: nil, new: linked) }
      }
    case .keepOld: if let old { keep(old, isNew: false) }
    case .keepNew: if let new { keep(new, isNew: true) }
    case .kept(let number, let inner):
      try useKept(number) { try run(inner, old: $1 ? nil : $0, new: $1 ? $0 : nil) }
    case .create(let name, let seed):
      var random = SplitMix64(seed: seed ^ UInt64(bitPattern: old?.rowID ?? new?.rowID ?? 0))
      try create(name, random.next())
    case .deleteThis: if let new { try delete(new) }
    case .delete(let name, let seed):
      var random = SplitMix64(seed: seed ^ UInt64(bitPattern: old?.rowID ?? new?.rowID ?? 0))
      guard let row = model.new.rows(name).randomElement(using: &random), model.isVisible(name)
      else { return }
      if let object = handle(Ref(className: name, row: row)) { try delete(object) }
    case .deleteKept(let number):
      try useKept(number) { if $1 { try delete($0) } }
    case .deleteData(let name): try deleteData(name)
    case .rename(let name, let from, let to): try rename(name, from, to)
    case .loop(let name, let stages): try loop(name, stages)
    case .fail: throw Thrown()
    case .mistake(let kind): try makeMistake(kind, old: old, new: new)
    }
  }

  private func keep(_ object: DynamicObject, isNew: Bool) {
    if kept.count < 8 { kept.append((object, isNew)) } else { kept[0] = (object, isNew) }
  }

  private func withProperty(
    of object: DynamicObject?, _ number: Int, where fits: (Property) -> Bool = { _ in true },
    _ body: (DynamicObject, Property) throws -> Void
  ) throws {
    guard let object, !(object.table.isNew && !model.new.exists(ref(object))) else { return }
    let properties = object.objectSchema.properties.filter { !$0.isComputed && fits($0) }
    guard !properties.isEmpty else { return }
    try body(object, properties[number % properties.count])
  }

  // MARK: Reading

  private func read(
    _ object: DynamicObject, _ property: Property, isNew: Bool, typed: Bool
  ) throws {
    let value = typed ? typedValue(object, property) : object[property.name]
    try check(object, property, value, isNew: isNew)
  }

  func check(
    _ object: DynamicObject, _ property: Property, _ value: Any?, isNew: Bool
  ) throws {
    let found = Value(value, property)
    try checkSound()
    let key = property.columnName
    guard isNew else {
      let expected = model.old[ref(object), key]
      // A realm shows no embedded object whose parent is of a class that it lacks.
      guard found.fits(expected) else {
        throw mismatch("old \(key) is \(found), not \(expected)")
      }
      return
    }
    // Objects of classes that the program doesn't have can't be shown.
    let expected = model.new[ref(object), key].shown(with: Set(model.target.keys))
    guard found.fits(expected) else { throw mismatch("new \(key) is \(found), not \(expected)") }
    if expected == .unknown { model.new[ref(object), key] = found }
  }

  private func typedValue(_ object: DynamicObject, _ property: Property) -> Any? {
    func get<Scalar: _Scalar>(_: Scalar.Type) -> Any? {
      let value: Scalar? = object[property.name]
      return value
    }
    guard property.collection == nil else { return object[property.name] }
    switch property.type {
    case .int: return get(Int.self)
    case .bool: return get(Bool.self)
    case .double: return get(Double.self)
    case .float: return get(Float.self)
    case .string: return get(String.self)
    case .data: return get(Data.self)
    case .date: return get(Date.self)
    case .UUID: return get(UUID.self)
    case .objectId: return get(ObjectId.self)
    case .decimal128: return get(Decimal128.self)
    case .any, .object, .linkingObjects: return object[property.name]
    }
  }

  // MARK: Writing

  private func set(
    _ object: DynamicObject, _ property: Property, _ seed: UInt64, typed: Bool
  ) throws {
    var random = SplitMix64(seed: seed ^ UInt64(bitPattern: object.rowID))
    guard let value = proposal(property, &random) else { return }
    try assign(value, to: object, property, typed: typed)
  }

  /// Gives a new property the value of an old one of the same type.
  private func copy(from old: DynamicObject?, to new: DynamicObject?, _ number: Int) throws {
    guard let old, let new else { return }
    let scalars = old.objectSchema.properties.filter {
      $0.type != .object && $0.type != .any
    }
    guard !scalars.isEmpty else { return }
    let source = scalars[number % scalars.count]
    let fitting = new.objectSchema.properties.filter {
      $0.typeName == source.typeName && ($0.isNullable || !source.isNullable)
    }
    guard !fitting.isEmpty else { return }
    let value = old[source.name]
    let stored = Value(value, source)
    try check(old, source, value, isNew: false)
    try assign(
      Proposal(value: value, model: .value(stored)), to: new, fitting[number % fitting.count],
      typed: false)
  }

  private func assign(
    _ proposal: Proposal, to object: DynamicObject, _ property: Property, typed: Bool
  ) throws {
    if !(typed && setTyped(proposal.value, object, property)) {
      object[property.name] = proposal.value
    }
    try checkSound()
    let value = try resolve(proposal.model) { object[property.name] }
    model.new.set(ref(object), property.columnName, value)
  }

  private func setTyped(_ value: Any?, _ object: DynamicObject, _ property: Property) -> Bool {
    func set<Scalar: _Scalar>(_: Scalar.Type) -> Bool {
      guard value == nil || value is Scalar else { return false }
      let typed = value as? Scalar
      object[property.name] = typed
      return true
    }
    guard property.collection == nil else { return false }
    switch property.type {
    case .int: return set(Int.self)
    case .bool: return set(Bool.self)
    case .double: return set(Double.self)
    case .float: return set(Float.self)
    case .string: return set(String.self)
    case .data: return set(Data.self)
    case .date: return set(Date.self)
    case .UUID: return set(UUID.self)
    case .objectId: return set(ObjectId.self)
    case .decimal128: return set(Decimal128.self)
    case .any, .object, .linkingObjects: return false
    }
  }

  func delete(_ object: DynamicObject) throws {
    guard model.new.exists(ref(object)) else { return }
    let ref = ref(object)
    migration.delete(object)
    try checkSound()
    model.new.delete(ref)
  }

  func create(_ name: String, _ seed: UInt64) throws {
    do {
      try model.checkCanCreate(name)
    } catch let failure as ModelMigration.Failure {
      _ = migration.create(name)
      try expectFailure(failure.text)
    }
    var random = SplitMix64(seed: seed)
    let (values, models) = dictionary(name, &random)
    let object = migration.create(name, value: values)
    try checkSound()
    try insert(name, object, models)
    if Int.random(in: 0..<4, using: &random) == 0 { keep(object, isNew: true) }
  }

  private func makeMistake(_ kind: Int, old: DynamicObject?, new: DynamicObject?) throws {
    switch (kind, old, new) {
    case (0, let old?, _):
      _ = old["nowhere"]
      try expectFailure("Invalid property name")
    case (1, let old?, _):
      guard let property = old.objectSchema.properties.first else { return }
      old[property.name] = 1
      try expectFailure("outside of a write transaction")
    case (2, _, let new?):
      new["nowhere"] = 1
      try expectFailure("Invalid property name")
    case (3, let old?, _):
      migration.delete(old)
      try expectFailure("Can only delete an object from the Realm it belongs to")
    case (4, _, let new?):
      guard let property = new.objectSchema.properties.first(where: { $0.type == .int }) else {
        return
      }
      new[property.name] = "no number"
      try expectFailure("Invalid value")
    default: return
    }
  }
}
