public import Foundation
import StrataSchema
import StrataStorage

/// A value together with its type.
///
/// ```swift
/// class Setting: Object { @Persisted var value: AnyRealmValue }
/// setting.value = .string("dark")
/// setting.value = .object(theme)
/// ```
///
/// The case is the type: `.int(1)`, `.double(1)` and `.bool(true)` are three values. When the
/// object of an `.object` is deleted, a property becomes `.none`, and so does an element of a list
/// or a map; a set loses the element.
///
/// A list or a dictionary may contain others, nested up to 100 levels. Lists and dictionaries of a
/// managed object are live, and change only inside of `write`. A set can't contain them.
/// ```swift
/// setting.value = .fromDictionary(["sizes": .fromArray([10, 12])])
/// setting.value["sizes"]?.listValue?.append(14)
/// ```
public enum AnyRealmValue {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A number with the precision of a `Float`.
  case float(Float)
  /// A number with the precision of a `Double`.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object of a model class.
  case object(Object)
  /// An object id.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A list of values.
  case list(List<AnyRealmValue>)
  /// Values by keys.
  case dictionary(Map<String, AnyRealmValue>)

  /// `.none`.
  public init() { self = .none }

  /// The value without its case; nil for `.none`.
  public var rawValue: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): (value as? LinkInMigration)?.target ?? value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .list(let value): value
    case .dictionary(let value): value
    }
  }
}

extension AnyRealmValue {
  /// The integer; nil for another case.
  public var intValue: Int? { rawValue as? Int }
  /// The Boolean; nil for another case.
  public var boolValue: Bool? { rawValue as? Bool }
  /// The `Float`; nil for another case.
  public var floatValue: Float? { rawValue as? Float }
  /// The `Double`; nil for another case.
  public var doubleValue: Double? { rawValue as? Double }
  /// The text; nil for another case.
  public var stringValue: String? { rawValue as? String }
  /// The bytes; nil for another case.
  public var dataValue: Data? { rawValue as? Data }
  /// The date; nil for another case.
  public var dateValue: Date? { rawValue as? Date }
  /// The object id; nil for another case.
  public var objectIdValue: ObjectId? { rawValue as? ObjectId }
  /// The decimal number; nil for another case.
  public var decimal128Value: Decimal128? { rawValue as? Decimal128 }
  /// The UUID; nil for another case.
  public var uuidValue: UUID? { rawValue as? UUID }

  /// The object; nil for another case, and for an object of another class.
  public func object<T: Object>(_ objectType: T.Type) -> T? { rawValue as? T }
}

extension AnyRealmValue {
  /// Converts a value of unknown type; nil for a type without a case.
  ///
  /// - Parameter level: The number of collections around the value.
  static func converting(_ value: Any?, level: Int = 0) -> AnyRealmValue? {
    guard let value = unwrapped(value).map(unboxedNumber) else { return AnyRealmValue.none }
    return switch value {
    case let value as AnyRealmValue: value
    case let value as any PersistableEnum: converting(value._dynamic)
    case let value as any _CustomPersistable: converting(value._dynamicElement)
    case let value as Bool: .bool(value)
    case let value as Float: .float(value)
    case let value as Double: .double(value)
    case let value as String: .string(value)
    case let value as Data: .data(value)
    case let value as Date: .date(value)
    case let value as Object: .object(value)
    case let value as ObjectId: .objectId(value)
    case let value as Decimal128: .decimal128(value)
    case let value as UUID: .uuid(value)
    default: Int._convert(value).map { .int($0) } ?? convertingCollection(value, level: level)
    }
  }

  /// The stored form of the value. Nil for an object, which has a row, for a list or a dictionary
  /// in memory, and for a value that SQLite can't store.
  var storedElement: _StoredElement? {
    func element(_ value: some _Scalar) -> _StoredElement? {
      value._stored.map { _StoredElement($0, type: type(of: value)._propertyType.rawValue) }
    }
    return switch self {
    case .none: .null
    case .int(let value): element(value)
    case .bool(let value): element(value)
    case .float(let value): element(value)
    case .double(let value): element(value)
    case .string(let value): element(value)
    case .data(let value): element(value)
    case .date(let value): element(value)
    case .object: nil
    case .objectId(let value): element(value)
    case .decimal128(let value): element(value)
    case .uuid(let value): element(value)
    case .list, .dictionary: (nestedRows as? CarriedRows)?.carried
    }
  }

  /// Converts a stored value. Nil for an object, a list or a dictionary, and for a value that
  /// doesn't match its type.
  init?(_ stored: _StoredElement) {
    guard let name = stored.type else {
      guard stored.value == .null else { return nil }
      self = .none
      return
    }
    func value<Value: _Scalar>(_: Value.Type) -> Value? { Value(_stored: stored.value) }
    let read: AnyRealmValue? =
      switch PropertyType(rawValue: name) {
      case .int: value(Int.self).map { .int($0) }
      case .bool: value(Bool.self).map { .bool($0) }
      case .float: value(Float.self).map { .float($0) }
      case .double: value(Double.self).map { .double($0) }
      case .string: value(String.self).map { .string($0) }
      case .data: value(Data.self).map { .data($0) }
      case .date: value(Date.self).map { .date($0) }
      case .objectId: value(ObjectId.self).map { .objectId($0) }
      case .decimal128: value(Decimal128.self).map { .decimal128($0) }
      case .UUID: value(UUID.self).map { .uuid($0) }
      case .any, .object, .linkingObjects, nil: nil
      }
    guard let read else { return nil }
    self = read
  }
}

extension AnyRealmValue: SortableType, _QueryNumeric, MinMaxType, AddableType {}

extension AnyRealmValue: CustomStringConvertible {
  public var description: String { describeValue(rawValue) }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: Hashable {
  // Disfavored compared with all other literal types: otherwise `results.sum(ofProperty: "x") == 0`
  // would be ambiguous.

  /// Whether both have the same type and value. Texts must have the same bytes. Lists and
  /// dictionaries are equal if their elements are equal, wherever they belong to. Objects must be
  /// the same object.
  @_disfavoredOverload
  public static func == (first: AnyRealmValue, second: AnyRealmValue) -> Bool {
    isEqual(first, second, level: 0)
  }

  private static func isEqual(
    _ first: AnyRealmValue, _ second: AnyRealmValue, level: Int
  ) -> Bool {
    switch (first, second) {
    case (.none, .none): true
    case (.int(let one), .int(let two)): one == two
    case (.bool(let one), .bool(let two)): one == two
    case (.float(let one), .float(let two)): one == two
    case (.double(let one), .double(let two)): one == two
    case (.string(let one), .string(let two)): StoredText(one) == StoredText(two)
    case (.data(let one), .data(let two)): one == two
    case (.date(let one), .date(let two)): one == two
    case (.object(let one), .object(let two)): one == two
    case (.objectId(let one), .objectId(let two)): one == two
    case (.decimal128(let one), .decimal128(let two)): one == two
    case (.uuid(let one), .uuid(let two)): one == two
    case (.list(let one), .list(let two)):
      // A list in memory may contain itself. No stored list is nested this deeply.
      one == two
        || (level < NestedValue.maxLevels && one.count == two.count
          && zip(one, two).allSatisfy { isEqual($0, $1, level: level + 1) })
    case (.dictionary(let one), .dictionary(let two)):
      one == two
        || (level < NestedValue.maxLevels && one.count == two.count
          && one.allSatisfy { key, value in
            two[key].map { isEqual(value, $0, level: level + 1) } ?? false
          })
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(StoredText(value))
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    // Only the count, because elements may change. A value in a set must not change.
    case .list(let list): hasher.combine(list.count)
    case .dictionary(let map): hasher.combine(map.count)
    }
  }
}

extension AnyRealmValue: Persistable {
  public static var _propertyType: PropertyType { .any }
  public static var _isOptional: Bool { true }
  public static func _zero() -> AnyRealmValue { .none }

  public static func _managed(
    _ stored: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> AnyRealmValue {
    guard let context = owner.managedContext(slot) else { return stored }
    guard let link = owner.linkRow(slot) else {
      return stored.isNested ? managedNested(stored, of: owner, slot) : stored
    }
    guard let className = link.className,
      let object = context.linkedObject(className: className, row: link.row) as? Object
    else { return .none }
    return .object(object)
  }

  /// The live collection of a property; `.none` if the stored text is damaged.
  private static func managedNested(
    _ stored: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> AnyRealmValue {
    guard let carried = stored.nestedRows as? CarriedRows else { return stored }
    let holder = PropertyHolder.of(owner, slot, carried.carried)
    guard let top = holder.top else { return .none }
    return AnyRealmValue(nested: NestedRows(holder, top), typeName: top.kind.rawValue) ?? .none
  }

  public static func _set(_ value: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Bool
  {
    guard let context = owner.managedContext else { return false }
    if value.isNested { return setNested(value, of: owner, slot, context) }
    PropertyHolder.end(owner, slot)
    guard case .object(let object) = value else {
      owner.setLinkRow(slot, nil)
      return false
    }
    context.setLink(slot, of: owner, to: object)
    return true
  }

  private static func setNested(
    _ value: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot, _ context: ManagedContext
  ) -> Bool {
    if let rows = value.nestedRows as? NestedRows, let holder = rows.holder as? PropertyHolder,
      holder.owner == owner, holder.slot == slot, rows.node === holder.top, !rows.isInvalidated
    {
      return true
    }
    do throws(RealmError) {
      let nested = try value.nested { object throws(RealmError) in
        try context.element(linkingTo: object, from: owner, slot)
      }
      PropertyHolder.end(owner, slot)
      // Reading objects in the value may have flushed pending changes.
      guard owner._willWrite(slot), let info = ClassInfo.reporting(Swift.type(of: owner)) else {
        return true
      }
      owner.setLinkRow(slot, nil)
      info.accessors[slot].setNested?(
        Unmanaged.passUnretained(owner).toOpaque(), _StoredElement(nested))
    } catch {
      context.record(error)
    }
    return true
  }
}

extension AnyRealmValue: RealmCollectionValue {
  public typealias PersistedType = AnyRealmValue
  public static var _elementType: PropertyType { .any }
  public static var _elementIsOptional: Bool { true }
  public static var _elementClass: ObjectBase.Type? { nil }

  public static func _element(
    _ element: _ReadElement, in rows: _CollectionRows
  ) -> AnyRealmValue? {
    let stored = element.stored
    if let value = AnyRealmValue(stored) { return value }
    if let nested = element.nested {
      return AnyRealmValue(nested: nested, typeName: stored.type)
    }
    if let object = rows.object(stored) as? Object { return .object(object) }
    // An object of a class that this program lacks is no error.
    if let className = stored.linkedClassName, case .integer = stored.value,
      !rows.hasClass(className)
    {
      return AnyRealmValue.none
    }
    return nil
  }

  public static func _zeroElement() -> AnyRealmValue { .none }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    if case .object(let object) = self { return try rows.row(of: object) }
    if isNested {
      guard rows.holdsNested else { throw RealmError(.fail, ErrorText.nestedInSet) }
      return _StoredElement(
        try nested(level: rows.nestingLevel) { object throws(RealmError) in
          try rows.row(of: object)
        })
    }
    if let stored = storedElement { return stored }
    guard rows.nestingLevel > 0 else {
      throw RealmError(.fail, ErrorText.unstorableElement(of: unstorableType))
    }
    return _StoredElement(
      try nested(level: rows.nestingLevel) { object throws(RealmError) in try rows.row(of: object) }
    )
  }

  /// The type of a value that SQLite can't store.
  var unstorableType: PropertyType {
    if case .date = self { .date } else { .double }
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> AnyRealmValue? {
    converting(value)
  }

  public var _dynamicElement: Any? { rawValue }
}
