import Foundation
import StrataQuery
import StrataStorage

extension QueryValue {
  /// A value of unknown type as a constant of a condition; nil and `NSNull` are nil.
  package init(_ value: Any?) {
    if let value, let usual = Self(usual: value) {
      self = usual
      return
    }
    guard let value = unwrapped(value) else {
      self = .null
      return
    }
    switch unboxedNumber(value) {
    case let value as QueryValue: self = value
    case let value as any PersistableEnum: self.init(value._dynamic)
    case let value as any _CustomPersistable: self.init(kept: value._dynamicElement)
    case let value as AnyRealmValue where value.isNested: self.init(nested: value)
    case let value as AnyRealmValue: self.init(value.rawValue)
    case let value as ObjectBase: self = .object(QueryObject(value))
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(Int64(value))
    case let value as Float: self = .float(value)
    case let value as Double: self = .double(value)
    case let value as String: self = .string(value)
    case let value as Decimal128: self = .decimal(value.exactText)
    case let value as Data: self = .data(Array(value))
    case let value as Date: self.init(date: value)
    case let value as UUID: self = .uuid(value.uuidString)
    case let value as ObjectId: self = .objectId(value.stringValue)
    case let value as any BinaryInteger:
      self = Int64(exactly: value).map { .int($0) } ?? .decimal("\(value)")
    default: self.init(unusual: value)
    }
  }

  /// Converts a value whose type the caller knows, without boxing it if it is of a common type.
  init<Value>(of value: Value) {
    self = Self(usualType: value) ?? Self(value)
  }

  /// Converts a value of a common type; nil for other types. Comparing types takes some
  /// instructions, a check for a protocol hundreds.
  private init?(usual value: Any) {
    func of<Value>(_ value: Value) -> Self? { Self(usualType: value) }
    guard let value = _openExistential(value, do: of) else { return nil }
    self = value
  }

  /// Converts a value of a known, common type; nil for other types and for a nil value.
  init?<Value>(usualType value: Value) {
    if let text = held(value, as: String.self) {
      self = .string(text)
    } else if let number = held(value, as: Int.self) {
      self = .int(Int64(number))
    } else if let flag = held(value, as: Bool.self) {
      self = .bool(flag)
    } else if let number = held(value, as: Double.self) {
      self = .double(number)
    } else {
      return nil
    }
  }

  /// - Parameter form: The stored form of a custom type. An embedded object made for the comparison
  ///   would equal no stored one, so its values are compared.
  private init(kept form: Any?) {
    guard let object = form as? EmbeddedObject,
      let info = ClassInfo.reporting(Swift.type(of: object))
    else {
      self.init(form)
      return
    }
    var values: [String: QueryValue] = [:]
    for property in info.properties where !property.hasManyValues && property.type != .object {
      values[property.columnName] = QueryValue(object.unboxedValue(property.name))
    }
    self = .members(QueryMembers(className: info.className, values: values))
  }

  /// - Parameter value: A list or a dictionary.
  private init(nested value: AnyRealmValue) {
    do throws(RealmError) {
      let nested = try value.nested { object throws(RealmError) in
        // An unmanaged object is in no stored value.
        _StoredElement(
          .integer(object.managedContext == nil || object.isInvalidated ? -1 : object._rowID),
          type: _StoredElement.typeName(ofLinkTo: object.classNameInFile))
      }
      self = .nested(nested.text)
    } catch {
      self = .unsupported(typeName: "\(AnyRealmValue.self)")
    }
  }

  private init(unusual value: Any) {
    switch value {
    case let value as any GeoArea: self = .shape(value.shape)
    case let value as Decimal: self = .decimal(Decimal128(value: value).exactText)
    case let value as Substring: self = .string(String(value))
    case let value as Character: self = .string(String(value))
    case let value as NSString: self = .string(String(describing: value))
    case let value as NSData: self = .data(Array(Data(referencing: value)))
    case let value as NSDate:
      self.init(
        date: Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as NSUUID: self = .uuid(value.uuidString)
    default:
      // Objects that are read by names, and projections.
      let shown = (value as? any RealmCollectionValue)?._shownObject
      self =
        shown.map { .object(QueryObject($0)) }
        ?? .unsupported(typeName: "\(Swift.type(of: value))")
    }
  }

  /// Creates the constant of a date. A date that can't be stored is less or greater than all dates
  /// that can, and so is its text.
  private init(date: Date) {
    self = .date(
      DateText.encode(date) ?? (date.timeIntervalSinceReferenceDate < 0 ? "" : "~"))
  }
}

extension ObjectBase {
  /// The name of the class in the file of the object; its own name for an unmanaged object.
  fileprivate var classNameInFile: String {
    let type = Swift.type(of: self)
    return managedContext?.className(of: type) ?? type.className()
  }
}

extension QueryObject {
  fileprivate init(_ object: ObjectBase) {
    let isDeleted = object.isInvalidated
    let context = isDeleted ? nil : object.managedContext
    self.init(
      className: object.classNameInFile, row: context == nil ? nil : object._rowID,
      file: context?.file, instance: isDeleted ? nil : object)
  }
}

extension QueryOperand {
  /// An argument of a condition: a value, or a list if the argument is a sequence.
  package init(argument: Any?) {
    let value = QueryValue(argument)
    guard case .unsupported = value, let list = Self.list(argument) else {
      self = .value(value)
      return
    }
    self = .list(list)
  }

  /// The limit of a list's elements: sequences may be endless, and ranges larger than memory.
  private static let maxElements = 1_000_000

  /// The elements of a sequence; nil for other values, also for texts and data.
  private static func list(_ argument: Any?) -> [QueryValue]? {
    guard let sequence = unwrapped(argument) as? any Sequence else { return nil }
    func values(_ sequence: some Sequence) -> [QueryValue]? {
      var values: [QueryValue] = []
      for element in sequence {
        guard values.count < maxElements else { return nil }
        values.append(QueryValue(element))
      }
      return values
    }
    return values(sequence)
  }
}

/// A value, or an optional's value, if it is of one type; nil for other types.
@inline(__always)
private func held<Value, Held>(_ value: Value, as type: Held.Type) -> Held? {
  if Value.self == type { return unsafeBitCast(value, to: type) }
  if Value.self == Held?.self { return unsafeBitCast(value, to: Held?.self) }
  return nil
}
