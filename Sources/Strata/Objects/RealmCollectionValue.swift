import StrataStorage

/// A type that the elements of a ``List``, a ``MutableSet``, a ``Map`` or of ``Results`` can have.
///
/// These are the scalar types, enums that adopt ``PersistableEnum``, types that adopt
/// ``CustomPersistable``, the optionals of these, ``AnyRealmValue``, and model classes. The
/// requirements with a leading underscore belong to the library.
public protocol RealmCollectionValue: Hashable {
  /// The stored type: the type itself for scalar types and objects, the wrapped type's stored type
  /// for an optional.
  associatedtype PersistedType: RealmCollectionValue

  /// The element type in schemas and messages.
  static var _elementType: PropertyType { get }

  /// Whether nil is a value of this type.
  static var _elementIsOptional: Bool { get }

  /// The class of the elements, if they are objects.
  static var _elementClass: ObjectBase.Type? { get }

  /// Converts a stored element; nil if it is not of this type.
  static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self?

  /// Converts the value in a column, an `sqlite3_value *`, with the name of its type for an
  /// ``AnyRealmValue``; nil for a value of another type.
  static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> Self?

  /// The value of an element whose stored form is invalid.
  static func _zeroElement() -> Self

  /// Stops the process for a type without a zero, before a file can need one.
  static func _checkElement()

  /// The value to store in the file. Adds an unmanaged object.
  ///
  /// - Throws: ``RealmError`` with code `fail` if the value can't be stored.
  func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement

  /// Converts a value of unknown type; nil if it doesn't fit.
  static func _convertElement(_ value: Any?) throws(RealmError) -> Self?

  /// Whether a value of unknown type can be stored in place of a value of this type, but not
  /// converted to one. An optional element is then nil.
  static func _isUnknownElement(_ value: Any) throws(RealmError) -> Bool

  /// The element for dynamic access.
  var _dynamicElement: Any? { get }

  /// The element for an object: the object itself, or an element that shows it. Nil for another
  /// class.
  static func _showing(_ object: ObjectBase) -> Self?

  /// The object that the element is or shows; nil for a value.
  var _shownObject: ObjectBase? { get }

  /// The key paths whose changes count as modifications of observed elements.
  ///
  /// - Parameter keyPaths: The caller's key paths; nil for everything that elements show.
  static func _countedKeyPaths(_ keyPaths: [String]?) -> [String]?
}

extension RealmCollectionValue {
  public static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> Self? { nil }
  public static func _checkElement() {}
  public static func _isUnknownElement(_ value: Any) throws(RealmError) -> Bool { false }
  public static func _showing(_ object: ObjectBase) -> Self? { object as? Self }
  public var _shownObject: ObjectBase? { self as? ObjectBase }
  public static func _countedKeyPaths(_ keyPaths: [String]?) -> [String]? { keyPaths }
}

extension RealmCollectionValue where Self: _Scalar {
  public static var _elementType: PropertyType { _propertyType }
  public static var _elementIsOptional: Bool { _isOptional }
  public static var _elementClass: ObjectBase.Type? { nil }

  public static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self? {
    Self(_stored: element.stored.value)
  }

  public static func _zeroElement() -> Self { _zero() }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    guard let stored = _stored else {
      throw RealmError(.fail, ErrorText.unstorableElement(of: Self._propertyType))
    }
    return _StoredElement(stored)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> Self? {
    value.flatMap { _convert($0) }
  }

  public static func _isUnknownElement(_ value: Any) throws(RealmError) -> Bool {
    _isUnknownForm(value)
  }

  public var _dynamicElement: Any? { _dynamic }
}

extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue {
  public typealias PersistedType = Wrapped.PersistedType
  public static var _elementType: PropertyType { Wrapped._elementType }
  public static var _elementIsOptional: Bool { true }
  public static var _elementClass: ObjectBase.Type? { Wrapped._elementClass }

  public static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self? {
    if element.stored.value == .null { return .some(.none) }
    return Wrapped._element(element, in: rows).map { .some($0) }
  }

  public static func _zeroElement() -> Self { .none }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    guard let self else { return .null }
    return try self._stored(in: rows)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> Self? {
    guard let value else { return .some(.none) }
    guard let converted = try Wrapped._convertElement(value) else {
      return try Wrapped._isUnknownElement(value) ? .some(.none) : nil
    }
    return .some(converted)
  }

  public var _dynamicElement: Any? { self?._dynamicElement }
}

extension ObjectBase: RealmCollectionValue {
  public typealias PersistedType = ObjectBase
  public static var _elementType: PropertyType { .object }
  public static var _elementIsOptional: Bool { false }
  public static var _elementClass: ObjectBase.Type? { self }

  public static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self? {
    rows.object(element.stored) as? Self
  }

  /// A deleted object, without values, because they are no longer known.
  public static func _zeroElement() -> Self {
    let object = self.init()
    object._state = ObjectState.vanished
    return object
  }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    try rows.row(of: self)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> Self? {
    guard let value else { return nil }
    return try converting(value) as? Self
  }

  public var _dynamicElement: Any? { self }

  public static func _showing(_ object: ObjectBase) -> Self? {
    // Comparing types takes a part of the time of a cast.
    type(of: object) == self ? unsafeDowncast(object, to: self) : object as? Self
  }
}
