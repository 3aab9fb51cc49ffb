import StrataStorage
import Synchronization

/// A maker of model classes for classes that are known only by their schema.
///
/// Types are never released. Classes are therefore made once for equal schemas, and reused by each
/// file with the same schema.
enum DynamicClassMaker {
  static let maxClasses = 10_000

  /// The classes of a file, and the classes of the program that they may link to.
  private struct Key: Hashable {
    var schema: Schema
    var program: [ObjectIdentifier]
  }

  /// A class with a number: a dynamic class, or a class of the program that dynamic ones link to.
  private struct Numbered {
    var type: ObjectBase.Type
    var schema: ObjectSchema
  }

  private struct State {
    var numbered: [Numbered] = []
    var known: [Key: [ObjectBase.Type]] = [:]
  }

  private static let state = Mutex(State())

  static func schema(of number: (some ClassNumber).Type) -> ObjectSchema {
    state.withLock { $0.numbered[number.number].schema }
  }

  static func target(of number: (some ClassNumber).Type) -> ObjectBase.Type {
    state.withLock { $0.numbered[number.number].type }
  }

  /// The classes for a schema, in its order.
  ///
  /// - Parameters:
  ///   - program: The classes of the program that the dynamic ones may link to.
  ///   - limit: The number of classes that the process can make.
  static func types(
    for schema: Schema, besides program: [ClassInfo] = [], limit: Int = maxClasses
  ) throws(RealmError) -> [ObjectBase.Type] {
    let program = program.sorted { $0.className < $1.className }
    let key = Key(schema: schema, program: program.map { ObjectIdentifier($0.type) })
    return try state.withLock { state throws(RealmError) in
      if let known = state.known[key] { return known }
      // Classes of the program that others link to get numbers after the classes of the file.
      let names = schema.objectSchema.map(\.className) + program.map(\.className)
      let first = state.numbered.count
      guard first + names.count <= limit else {
        throw RealmError(
          .fail,
          "This process has opened \(limit) different dynamic classes, and can't make more. Start it "
            + "again.")
      }
      let numbers = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($1, classNumber(first + $0)) })
      let types = schema.objectSchema.map { type(for: $0, numbers) }
      state.numbered += zip(types, schema.objectSchema).map { Numbered(type: $0, schema: $1) }
      state.numbered += program.map { Numbered(type: $0.type, schema: $0.objectSchema) }
      state.known[key] = types
      return types
    }
  }

  private static func type(
    for schema: ObjectSchema, _ numbers: [String: any ClassNumber.Type]
  ) -> ObjectBase.Type {
    func row<Number: ClassNumber, Storage: DynamicStorage>(
      _: Number.Type, _: Storage.Type
    ) -> ObjectBase.Type {
      schema.isEmbedded
        ? DynamicEmbeddedRow<Number, Storage>.self : DynamicRow<Number, Storage>.self
    }
    func number(_ className: String?) -> any ClassNumber.Type {
      guard let className, let number = numbers[className] else {
        stopForProgrammerError("The schema has no class '\(className ?? "")'.")
      }
      return number
    }
    let wrappers = schema.properties.map { property in
      property.type == .object
        ? wrapper(ofLink: property, number(property.objectClassName)) : wrapper(of: property)
    }
    return row(number(schema.className), dynamicStorage(of: wrappers[...]))
  }
}

// MARK: Types of properties

extension DynamicClassMaker {
  private static func wrapper(
    ofLink property: Property, _ target: (some ClassNumber).Type
  ) -> any DynamicStorage.Type {
    func link<Number: ClassNumber>(_: Number.Type) -> any DynamicStorage.Type {
      switch property.collection {
      case nil: Persisted<DynamicLink<Number>?>.self
      case .list: Persisted<List<DynamicLink<Number>>>.self
      case .set: Persisted<MutableSet<DynamicLink<Number>>>.self
      case .map: Persisted<Map<String, DynamicLink<Number>?>>.self
      }
    }
    return link(target)
  }

  private static func wrapper(of property: Property) -> any DynamicStorage.Type {
    func values<Value: Persistable & RealmCollectionValue>(
      _: Value.Type
    ) -> any DynamicStorage.Type {
      switch property.collection {
      case nil: Persisted<Value>.self
      case .list: Persisted<List<Value>>.self
      case .set: Persisted<MutableSet<Value>>.self
      case .map: Persisted<Map<String, Value>>.self
      }
    }
    func scalar<Value: _Scalar & _OptionalPersistable>(
      _: Value.Type
    ) -> any DynamicStorage.Type {
      property.allowsNil ? values(Value?.self) : values(Value.self)
    }
    if let type = property.type.scalar { return scalar(type) }
    guard property.type == .any else {
      stopForProgrammerError(
        "'\(property.name)' is a link or computed: it has no value of its own.")
    }
    return values(AnyRealmValue.self)
  }
}
