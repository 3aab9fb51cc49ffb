public import Foundation

/// A type whose values have a smallest and a greatest.
public protocol MinMaxType: _Scalar {}

/// A type whose values can be added up.
public protocol AddableType: _Scalar {}

extension Int: MinMaxType {}
extension Int8: MinMaxType {}
extension Int16: MinMaxType {}
extension Int32: MinMaxType {}
extension Int64: MinMaxType {}
extension Float: MinMaxType {}
extension Double: MinMaxType {}
extension Date: MinMaxType {}
extension Decimal128: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType & _OptionalPersistable {}

extension Int: AddableType {}
extension Int8: AddableType {}
extension Int16: AddableType {}
extension Int32: AddableType {}
extension Int64: AddableType {}
extension Float: AddableType {}
extension Double: AddableType {}
extension Decimal128: AddableType {}
extension Optional: AddableType where Wrapped: AddableType & _OptionalPersistable {}
