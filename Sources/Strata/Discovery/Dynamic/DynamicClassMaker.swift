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

/// The wrappers of several properties, as one value.
protocol DynamicStorage: SendableMetatype {
  init()

  /// The wrappers in order, with their offsets, for a value at the offset `start`.
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)]
}

extension Persisted: DynamicStorage {
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    [(start, self)]
  }
}

/// The storage of a class without properties.
struct NoStorage: DynamicStorage {
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] { [] }
}

/// Two values one after the other. A balanced tree of pairs holds any number of wrappers.
struct StoragePair<First: DynamicStorage, Second: DynamicStorage>: DynamicStorage {
  private var first = First()
  private var second = Second()

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    guard let distance = MemoryLayout<Self>.offset(of: \.second) else {
      stopForProgrammerError("The layout of '\(Self.self)' isn't known.")
    }
    return First.wrappers(at: start) + Second.wrappers(at: start + distance)
  }
}

func dynamicStorage(of parts: ArraySlice<any DynamicStorage.Type>) -> any DynamicStorage.Type {
  func pair<First: DynamicStorage, Second: DynamicStorage>(
    _: First.Type, _: Second.Type
  ) -> any DynamicStorage.Type {
    StoragePair<First, Second>.self
  }
  guard let first = parts.first else { return NoStorage.self }
  guard parts.count > 1 else { return first }
  let middle = parts.startIndex + parts.count / 2
  return pair(dynamicStorage(of: parts[..<middle]), dynamicStorage(of: parts[middle...]))
}

/// The choice of classes in a file for which the program has no class: see
/// ``RealmConfiguration/dynamicClasses``.
public enum DynamicClasses: Sendable {
  /// Only the classes of the program.
  case none
  /// The classes of the program, and each class of the file that the program lacks.
  case others
  /// The classes of the file. Classes of the program are not used.
  case all
}

/// A number as a type.
///
/// The runtime creates a class when a generic class gets new arguments. A number that no other
/// class uses therefore creates a separate class.
protocol ClassNumber: SendableMetatype {
  static var number: Int { get }
}

/// The end of a binary number as nested types. The outermost type is the lowest digit.
enum NoDigits: ClassNumber {
  static var number: Int { 0 }
}

enum DigitZero<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number }
}

enum DigitOne<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number + 1 }
}

func classNumber(_ number: Int) -> any ClassNumber.Type {
  func zero<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitZero<Rest>.self }
  func one<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitOne<Rest>.self }
  guard number > 0 else { return NoDigits.self }
  let rest = classNumber(number / 2)
  return number % 2 == 0 ? zero(rest) : one(rest)
}

/// A model class for a class of a file that the program lacks: one for each number.
final class DynamicRow<Number: ClassNumber, Storage: DynamicStorage>: Object, MadeClass {
  private var storage = Storage()

  override class func className() -> String { madeSchema.className }
  override class func primaryKey() -> String? { madeSchema.primaryKey }
  override class func compoundIndexes() -> [[String]] { madeSchema.compoundIndexes }

  static var madeSchema: ObjectSchema { DynamicClassMaker.schema(of: Number.self) }

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    Storage.wrappers(at: start)
  }
}

/// A model class for an embedded class of a file that the program lacks: one for each number.
final class DynamicEmbeddedRow<Number: ClassNumber, Storage: DynamicStorage>: EmbeddedObject,
  MadeClass
{
  private var storage = Storage()

  override class func className() -> String { madeSchema.className }
  override class func compoundIndexes() -> [[String]] { madeSchema.compoundIndexes }

  static var madeSchema: ObjectSchema { DynamicClassMaker.schema(of: Number.self) }

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    Storage.wrappers(at: start)
  }
}

/// A link to an object of a numbered class.
///
/// In types, this link stands for a class that may not exist yet: two classes may link to each
/// other, and the type of a property can't contain the storage of its own class. In memory it is
/// the object, like a link to a class of the program.
struct DynamicLink<Number: ClassNumber> {
  private let object: ObjectBase

  private static var target: ObjectBase.Type { DynamicClassMaker.target(of: Number.self) }
}

extension DynamicLink: Hashable {
  static func == (first: DynamicLink, second: DynamicLink) -> Bool {
    first.object == second.object
  }

  func hash(into hasher: inout Hasher) { hasher.combine(object) }
}

extension DynamicLink: _OptionalPersistable {
  static var _propertyType: PropertyType { .object }
  static var _objectType: ObjectBase.Type? { target }

  static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    target._optionalAccessor(offset: offset)
  }
}

extension DynamicLink: RealmCollectionValue {
  typealias PersistedType = ObjectBase
  static var _elementType: PropertyType { .object }
  static var _elementIsOptional: Bool { false }
  static var _elementClass: ObjectBase.Type? { target }

  static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> DynamicLink? {
    (rows.object(element.stored) as? ObjectBase).map { DynamicLink(object: $0) }
  }

  static func _zeroElement() -> DynamicLink { DynamicLink(object: target._zeroElement()) }

  func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    try rows.row(of: object)
  }

  static func _convertElement(_ value: Any?) throws(RealmError) -> DynamicLink? {
    guard let value else { return nil }
    if let link = value as? DynamicLink { return link }
    return try target.converting(value).map { DynamicLink(object: $0) }
  }

  var _dynamicElement: Any? { object }

  static func _showing(_ object: ObjectBase) -> DynamicLink? {
    type(of: object) == target ? DynamicLink(object: object) : nil
  }

  var _shownObject: ObjectBase? { object }
}
