import StrataStorage

/// The wrappers of some properties, as one value.
protocol DynamicStorage: SendableMetatype {
  init()

  /// The wrappers in their order, and where each is, given where the value is.
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

/// Two values one after the other. Pairs of pairs, a balanced tree, hold any number of wrappers.
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

/// The storage that has some others, in their order.
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

/// The classes of a file that a realm has without a class of the program: see
/// ``RealmConfiguration/dynamicClasses``.
public enum DynamicClasses: Sendable {
  /// No others than those of the program.
  case none
  /// Those of the program, and each class of the file that the program lacks.
  case others
  /// Those of the file. Classes of the program are not used.
  case all
}

/// A number as a type.
///
/// The runtime makes a class when a generic class gets arguments that it never had: a number that
/// no other class has makes it one of its own.
protocol ClassNumber: SendableMetatype {
  static var number: Int { get }
}

/// The numbers as they are written in binary, the last digit outside.
enum NoDigits: ClassNumber {
  static var number: Int { 0 }
}

enum DigitZero<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number }
}

enum DigitOne<Rest: ClassNumber>: ClassNumber {
  static var number: Int { 2 * Rest.number + 1 }
}

/// The type that a number is.
func classNumber(_ number: Int) -> any ClassNumber.Type {
  func zero<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitZero<Rest>.self }
  func one<Rest: ClassNumber>(_: Rest.Type) -> any ClassNumber.Type { DigitOne<Rest>.self }
  guard number > 0 else { return NoDigits.self }
  let rest = classNumber(number / 2)
  return number % 2 == 0 ? zero(rest) : one(rest)
}

/// The model classes of a file that the program has no class for: one for each number.
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

/// The same for classes of embedded objects.
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

/// A link to an object of a class with a number.
///
/// It stands in types for the class, which may not be made yet: two classes may lead to each other,
/// and the type of a property can't contain the storage of the class that has it. In memory it is
/// the object, as a link to a class of the program is.
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
