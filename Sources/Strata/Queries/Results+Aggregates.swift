public import Foundation
import IssueReporting

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
extension Optional: MinMaxType where Wrapped: MinMaxType {}

extension Int: AddableType {}
extension Int8: AddableType {}
extension Int16: AddableType {}
extension Int32: AddableType {}
extension Int64: AddableType {}
extension Float: AddableType {}
extension Double: AddableType {}
extension Decimal128: AddableType {}
extension Optional: AddableType where Wrapped: AddableType {}

extension Results {
  /// The smallest value of a property, or nil when no object has one.
  ///
  /// The property is an integer, floating point or a date; anything else is reported, and nil.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate("min", property).flatMap(T.init(_stored:))
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    aggregate("max", property).flatMap(T.init(_stored:))
  }

  /// The sum of a property; nil values count as nothing, and so does a sum that `T` can't hold.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    T(_stored: aggregate("sum", property) ?? .integer(0)) ?? T._zero()
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    aggregate("avg", property).flatMap(T.init(_stored:))
  }

  /// The smallest value of a property, or nil when no object has one.
  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    min(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The greatest value of a property, or nil when no object has one.
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    max(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The sum of a property.
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The average of a property over the objects where it isn't nil; nil when there are none.
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    average(ofProperty: propertyName(of: keyPath) ?? "\(keyPath)")
  }

  /// The result of an aggregate function, or nil when there is none.
  private func aggregate(_ function: String, _ property: String) -> StoredValue? {
    let info = query.table.info
    guard let slot = info.slot(property), let column = query.table.column(property) else {
      let known = info.properties.map(\.name)
      reportIssue("\(ErrorText.invalidPropertyName(property, info.className, known: known))")
      return nil
    }
    let type = info.properties[slot].type
    let isNumber = type == .int || type == .float || type == .double
    guard isNumber || (type == .date && (function == "min" || function == "max")) else {
      reportIssue(
        "Cannot use '\(function)' on '\(info.className).\(property)': it is of type '\(type.rawValue)'."
      )
      return nil
    }
    // `sum` fails when integers overflow, and Realm goes around: so does this loop.
    let stored =
      function == "sum" && type == .int
      ? .integer(query.table.exists ? session.wrappingSum(query.aggregate(column)) : 0)
      : value("\(function)(\(column))")
    return stored == .null ? nil : stored
  }
}
