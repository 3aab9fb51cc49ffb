import Foundation

// RealmSwift gives a number that is read by name as an `NSNumber`, which casts to each type of
// number that can hold it: `oldObject["x"] as? Int16` of a property that was declared as `Int16`,
// and `as? Int` and `as? Double` of the same. An `Int` in an `Any` casts to nothing but `Int`.

/// A value as access by name gives it: a number as an `NSNumber`, anything else as it is.
func boxedNumber(_ value: Any?) -> Any? {
  // Comparing types takes a tenth of the time of a cast, which asks for conformances.
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

/// What a path of names leads to, with each number in a box, also in an array.
func boxedNumbers(_ value: Any?) -> Any? {
  switch value {
  // An `[Any?]` is an `[Any]`, too, whose elements are optionals.
  case let values as [Any?]: values.map { boxedNumbers($0) }
  case let value: boxedNumber(value)
  }
}

/// A value of unknown type, a number in a box as what it was made of: in a box, 1 casts to a
/// `Bool`, too.
func unboxedNumber(_ value: Any) -> Any {
  guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return value }
  return switch UInt8(bitPattern: number.objCType.pointee) {
  case UInt8(ascii: "B"): number.boolValue
  // On Apple platforms a Boolean is a `char`; the two are told apart by their class.
  case UInt8(ascii: "c") where number === NSNumber(value: number.boolValue): number.boolValue
  case UInt8(ascii: "f"): number.floatValue
  case UInt8(ascii: "d"): number.doubleValue
  case UInt8(ascii: "Q"): number.uint64Value
  default: number.intValue
  }
}
