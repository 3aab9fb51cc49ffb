import CStrataRuntime
import Foundation
import StrataStorage
import Synchronization

extension ClassInfo {
  /// The classes with a property, or elements, of a type that has no initial value.
  static let failures = Mutex<[ObjectIdentifier: RealmError]>([:])

  /// Whether a class can't be used because a type of its properties has no initial value.
  static func lacksValues(_ type: ObjectBase.Type) -> Bool {
    failures.withLock { $0[ObjectIdentifier(type)] != nil }
  }

  /// - Throws: ``RealmError`` with code `fail` for such a class. The process must not stop, and the
  ///   program's other classes must stay usable.
  static func checkZeros(of type: ObjectBase.Type) throws(RealmError) {
    strata_begin_trying()
    let object = type.init()
    guard let missing = strata_end_trying() else { return }
    // The object contains bytes that are no valid value, so it must never be deinitialized.
    _ = Unmanaged.passRetained(object)
    throw failure(of: type, missing)
  }

  /// - Throws: ``RealmError`` with code `fail` for a collection whose elements have no zero.
  static func accessor(
    _ value: any Persistable.Type, offset: Int, of type: ObjectBase.Type
  ) throws(RealmError) -> _PropertyAccessor {
    strata_begin_trying()
    let accessor = value._accessor(offset: offset)
    guard let missing = strata_end_trying() else { return accessor }
    throw failure(of: type, missing)
  }

  private static func failure(
    of type: ObjectBase.Type, _ missing: UnsafeRawPointer
  ) -> RealmError {
    let custom = unsafeBitCast(missing, to: Any.Type.self) as? any _CustomPersistable.Type
    let error = RealmError(
      .fail, "Type '\(type.className())' can't be used: \(custom?.missingZero ?? "\(missing)")")
    failures.withLock { $0[ObjectIdentifier(type)] = error }
    return error
  }
}

// RealmSwift returns a number that is read by name as an `NSNumber`, which casts to each number
// type that can hold it: for a property declared as `Int16`, `oldObject["x"] as? Int16`, `as? Int`
// and `as? Double` all work. An `Int` in an `Any` casts only to `Int`.

/// The value for access by name: a number as an `NSNumber`, other values unchanged.
func boxedNumber(_ value: Any?) -> Any? {
  // Comparing types takes a tenth of the time of a cast, which checks conformances.
  func boxed<Value>(_ value: Value) -> Any {
    if Value.self == Int.self { return NSNumber(value: unsafeBitCast(value, to: Int.self)) }
    if Value.self == Double.self { return NSNumber(value: unsafeBitCast(value, to: Double.self)) }
    if Value.self == Bool.self { return NSNumber(value: unsafeBitCast(value, to: Bool.self)) }
    if Value.self == Float.self { return NSNumber(value: unsafeBitCast(value, to: Float.self)) }
    if Value.self == Int64.self { return NSNumber(value: unsafeBitCast(value, to: Int64.self)) }
    if Value.self == Int32.self { return NSNumber(value: unsafeBitCast(value, to: Int32.self)) }
    if Value.self == Int16.self { return NSNumber(value: unsafeBitCast(value, to: Int16.self)) }
    if Value.self == Int8.self { return NSNumber(value: unsafeBitCast(value, to: Int8.self)) }
    return value
  }
  return value.map { _openExistential($0, do: boxed) }
}

/// The value at a path of names, with each number boxed, also in an array.
func boxedNumbers(_ value: Any?) -> Any? {
  switch value {
  // An `[Any?]` is an `[Any]`, too, whose elements are optionals.
  case let values as [Any?]: values.map { boxedNumbers($0) }
  case let value: boxedNumber(value)
  }
}

/// The value, with a boxed number converted to its original type: boxed, 1 also casts to `Bool`.
func unboxedNumber(_ value: Any) -> Any {
  guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return value }
  return switch UInt8(bitPattern: number.objCType.pointee) {
  case UInt8(ascii: "B"): number.boolValue
  // On Apple platforms, a Boolean is a `char`. Only the class distinguishes them.
  case UInt8(ascii: "c") where number === NSNumber(value: number.boolValue): number.boolValue
  case UInt8(ascii: "f"): number.floatValue
  case UInt8(ascii: "d"): number.doubleValue
  case UInt8(ascii: "Q"): number.uint64Value
  default: number.intValue
  }
}
