import CStrataRuntime
import IssueReporting
import StrataStorage

/// A custom type for properties, stored in the file as another type.
///
/// ```swift
/// struct Distance: CustomPersistable {
///   var meters: Double
///
///   init(meters: Double) { self.meters = meters }
///   init(persistedValue: Double) { meters = persistedValue }
///   var persistableValue: Double { meters }
/// }
///
/// class Trip: Object {
///   @Persisted var length: Distance
///   @Persisted var detour: Distance?
///   @Persisted var legs: List<Distance>
/// }
/// ```
///
/// `PersistedType` is a scalar type that is not optional, or an embedded class if a value needs
/// several columns. Schemas, migrations, sorting and `object["length"]` use only this type;
/// properties and elements of collections use the custom type. A primary key or an index is
/// possible if `PersistedType` supports it. Replacing a type by another one with the same
/// `PersistedType` doesn't change the schema.
public protocol CustomPersistable: _CustomPersistable {
  /// Makes a value from its stored form.
  init(persistedValue: PersistedType)
}

/// The base of ``CustomPersistable`` and ``FailableCustomPersistable``.
public protocol _CustomPersistable: Persistable, _OptionalPersistable, RealmCollectionValue
where PersistedType: _PersistedForm {
  // Repeated, so that Swift infers the type from the members of a conforming type.
  associatedtype PersistedType

  /// The value to store in the file.
  var persistableValue: PersistedType { get }

  /// The value of a new object's property that declares no default.
  static func _rlmDefaultValue() -> Self

  static func _custom(_ persistedValue: PersistedType) -> Self?
}

/// A type that the file can store in place of another: the scalar types, and embedded classes.
public protocol _PersistedForm: RealmCollectionValue, _OptionalPersistable {
  /// The value of an unset required property.
  static func _zeroForm() -> Self

  /// The value of a new object's property without a default.
  static func _initialForm() -> Self
}

extension CustomPersistable {
  public static func _custom(_ persistedValue: PersistedType) -> Self? {
    Self(persistedValue: persistedValue)
  }
}

extension _CustomPersistable {
  public static var _propertyType: PropertyType { PersistedType._propertyType }
  public static var _objectType: ObjectBase.Type? { PersistedType._objectType }

  /// A link is always nil without an object. A property that isn't optional then has a default
  /// value.
  public static var _isOptional: Bool { PersistedType._objectType != nil }

  public static func _rlmDefaultValue() -> Self {
    if let value = _custom(PersistedType._initialForm()) { return value }
    guard strata_is_trying() else { stopForProgrammerError(missingZero) }
    // The process must not stop because one of its classes can't be used. The object with this
    // value is neither used nor deinitialized: see ``ClassInfo/checkZeros(of:)``.
    strata_record_missing_value(unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
    let memory = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    defer { memory.deallocate() }
    UnsafeMutableRawPointer(memory).initializeMemory(
      as: UInt8.self, repeating: 0, count: MemoryLayout<Self>.size)
    return memory.move()
  }

  static var missingZero: String {
    "'\(Self.self)' can't be made from the zero of '\(PersistedType.self)', which properties and "
      + "elements of this type need. Make them optional, give the property a default value, or "
      + "implement 'static func _rlmDefaultValue() -> \(Self.self)'."
  }

  public static func _zero() -> Self { zeroIfAny ?? ordinarily { _rlmDefaultValue() } }

  public static func _initial() -> Self {
    _isMaterializing() ? _zero() : _rlmDefaultValue()
  }

  public static func _placeholder(_ defaultValue: @autoclosure () -> Self) -> Self {
    zeroIfAny ?? ordinarily { defaultValue() }
  }

  static var zeroIfAny: Self? { ordinarily { _custom(PersistedType._zeroForm()) } }
}

extension _CustomPersistable {
  public static var _elementType: PropertyType { PersistedType._elementType }
  public static var _elementIsOptional: Bool { false }
  public static var _elementClass: ObjectBase.Type? { PersistedType._elementClass }

  public static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self? {
    PersistedType._element(element, in: rows).flatMap(_custom)
  }

  public static func _zeroElement() -> Self { _zero() }

  public static func _checkElement() {
    // In a test for a zero, the replacement must stay in memory: it can't be deinitialized.
    let memory = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    memory.initialize(to: _zero())
    if strata_is_trying() { return }
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    try persistableValue._stored(in: rows)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> Self? {
    if let value = value as? Self { return value }
    // The column of an embedded object is nil, which is read as the value of an empty object.
    if value == nil, PersistedType._objectType != nil { return zeroIfAny }
    return try PersistedType._convertElement(value).flatMap(_custom)
  }

  public static func _isUnknownElement(_ value: Any) throws(RealmError) -> Bool {
    try PersistedType._convertElement(value) != nil
  }

  public var _dynamicElement: Any? { persistableValue._dynamicElement }
}

extension _CustomPersistable where PersistedType: EmbeddedObject {
  public static func _managed(_ stored: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Self {
    guard owner.managedContext(slot) != nil else { return stored }
    guard let object = PersistedType._managedOptional(nil, of: owner, slot) else {
      return _placeholder(stored)
    }
    return converting(object, of: owner, slot) ?? _placeholder(stored)
  }

  public static func _managedOptional(
    _ stored: Self?, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> Self? {
    guard owner.managedContext(slot) != nil else { return stored }
    return PersistedType._managedOptional(nil, of: owner, slot)
      .flatMap { converting($0, of: owner, slot) }
  }

  private static func converting(
    _ object: PersistedType, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> Self? {
    let value = _custom(object)
    if value == nil {
      let rest = "holds an object that can't be converted to '\(Self.self)'."
      reportIssue("\(owner.misuse("A property \(rest)", slot: slot))")
    }
    return value
  }

  public static func _set(_ value: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool {
    PersistedType._setOptional(value.persistableValue, of: owner, slot)
  }

  public static func _setOptional(
    _ value: Self?, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> Bool {
    PersistedType._setOptional(value?.persistableValue, of: owner, slot)
  }
}

/// The name that RealmSwift had for ``PersistableEnum`` before `@Persisted`.
public typealias RealmEnum = PersistableEnum

/// A ``CustomPersistable`` type that doesn't accept every stored value.
///
/// ```swift
/// extension URL: @retroactive FailableCustomPersistable {
///   public typealias PersistedType = String
///   public init?(persistedValue: String) { self.init(string: persistedValue) }
///   public var persistableValue: String { absoluteString }
/// }
/// ```
///
/// A value that can't be converted reads as nil if the property is optional. A required property
/// then has the converted zero of `PersistedType`, or its default value if that conversion fails,
/// too. Both cases are reported through `IssueReporting`. For a required property without a
/// default, and for required elements of collections, the zero must convert, or the type must
/// implement `_rlmDefaultValue()`.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Makes a value from its stored form; nil if that isn't possible.
  init?(persistedValue: PersistedType)
}

extension FailableCustomPersistable {
  public static func _custom(_ persistedValue: PersistedType) -> Self? {
    Self(persistedValue: persistedValue)
  }
}

/// An enum as the type of a `@Persisted` property; the file stores its raw value.
///
/// ```swift
/// enum Kind: String, PersistableEnum { case dog, cat }
/// class Pet: Object { @Persisted var kind = Kind.dog }
/// ```
///
/// The raw value is a `String`, a `Float`, a `Double` or one of the `Int` family. Adding or
/// removing cases doesn't change the schema. A raw value in the file may have no case: it reads as
/// nil if the property is optional, otherwise as the first case, and is reported through
/// `IssueReporting`.
public protocol PersistableEnum: _Scalar, _OptionalPersistable, RawRepresentable,
  CaseIterable, Comparable
where RawValue: _EnumRawValue, PersistedType == RawValue {}

/// A type that can be the raw value of a ``PersistableEnum``.
public protocol _EnumRawValue: _Scalar, Comparable {}

extension PersistableEnum {
  /// Compares the raw values.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

  public static var _propertyType: PropertyType { RawValue._propertyType }

  public static func _zero() -> Self {
    guard let first = allCases.first else {
      stopForProgrammerError("'\(Self.self)' has no cases: it can't be the type of a property.")
    }
    return first
  }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Self.self, offset: offset)
  }

  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Self?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Self? {
    RawValue._read(value).flatMap(Self.init(rawValue:))
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    rawValue._bind(statement, index)
  }

  public var _stored: StoredValue? { rawValue._stored }

  public init?(_stored: StoredValue) {
    guard let rawValue = RawValue(_stored: _stored) else { return nil }
    self.init(rawValue: rawValue)
  }

  public static func _convert(_ value: Any) -> Self? {
    if let value = value as? Self { return value }
    return RawValue._convert(value).flatMap(Self.init(rawValue:))
  }

  public static func _isUnknownForm(_ value: Any) -> Bool { RawValue._convert(value) != nil }

  public var _dynamic: Any? { rawValue._dynamic }
}
