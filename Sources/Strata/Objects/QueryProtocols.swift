public import Foundation
import StrataStorage

/// A type whose values a query can compare by `<`, and compute with.
public protocol _QueryNumeric {}

/// A type in whose values a query can look for a part: `String` and `Data`.
public protocol _QueryBinary {}

/// A type whose values a query can compare with a pattern: `String`.
public protocol _QueryString: _QueryBinary {}

/// An optional, in conditions of extensions.
public protocol _OptionalProtocol<Wrapped> {
  /// The type that is optional.
  associatedtype Wrapped
}

extension Optional: _OptionalProtocol {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
