import StrataStorage

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
