import StrataStorage

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
