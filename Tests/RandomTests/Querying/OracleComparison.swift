import Foundation
import Strata

@testable import StrataQuery

extension Oracle {
  func compare(
    _ left: OracleValue, _ operator: QueryOperator, _ right: OracleValue, _ options: QueryOptions
  ) -> Bool {
    switch `operator` {
    case .equal, .in:
      if left.isNone || right.isNone { return left.isNone && right.isNone }
      return isEqual(left, right, options)
    case .notEqual: return !compare(left, .equal, right, options)
    case .less: return order(left, right) == -1
    case .greater: return order(left, right) == 1
    case .lessOrEqual:
      return compare(left, .equal, right, []) || order(left, right) == -1
    case .greaterOrEqual:
      return compare(left, .equal, right, []) || order(left, right) == 1
    case .contains: return texts(left, right, options) { contains($0, $1) }
    case .beginsWith: return texts(left, right, options) { !$1.isEmpty && $0.starts(with: $1) }
    case .endsWith:
      return texts(left, right, options) {
        !$1.isEmpty && $0.reversed().starts(with: $1.reversed())
      }
    case .like:
      if left.isNone && right.isNone { return true }
      return texts(left, right, options) { isLike($0[...], $1[...]) }
    case .between, .text, .geoWithin: return false
    }
  }

  private func isEqual(
    _ left: OracleValue, _ right: OracleValue, _ options: QueryOptions
  ) -> Bool {
    switch (left, right) {
    case (.bool(let one), .bool(let two)): one == two
    case (.text(let one), .text(let two)):
      fold(Array(one.unicodeScalars), options) == fold(Array(two.unicodeScalars), options)
    case (.data(let one), .data(let two)):
      options.isEmpty ? one == two : fold(scalars(one), options) == fold(scalars(two), options)
    case (.named(let kind, let one), .named(let other, let two)): kind == other && one == two
    case (.object(let one), .object(let two)): one === two
    default: order(left, right) == 0
    }
  }

  /// -1, 0 or 1; nil for values without an order.
  func order(_ left: OracleValue, _ right: OracleValue) -> Int? {
    switch (left, right) {
    case (.int(let one), .int(let two)): return one < two ? -1 : one > two ? 1 : 0
    case (.double(let one), .double(let two)):
      return one < two ? -1 : one > two ? 1 : one == two ? 0 : nil
    case (.int, .double(let two)) where two.isNaN: return nil
    case (.text(let one), .text(let two)): return order(Array(one.utf8), Array(two.utf8))
    case (.data(let one), .data(let two)): return order(one, two)
    case (.named("date", let one), .named("date", let two)):
      return order(Array(one.utf8), Array(two.utf8))
    case (.int(let one), .double(let two)):
      // The numbers of these tests are exact in a `Double`, but for the greatest.
      if two >= 9.2e18 { return -1 }
      if two <= -9.3e18 { return 1 }
      let (one, two) = (Decimal(one), Decimal(two))
      return one < two ? -1 : one > two ? 1 : 0
    case (.double, .int): return order(right, left).map { -$0 }
    default:
      guard let one = left.decimal, let two = right.decimal else { return nil }
      return one < two ? -1 : one > two ? 1 : one == two ? 0 : nil
    }
  }

  private func order(_ one: [UInt8], _ two: [UInt8]) -> Int {
    one == two ? 0 : one.lexicographicallyPrecedes(two) ? -1 : 1
  }

  // MARK: Texts

  private func texts(
    _ left: OracleValue, _ right: OracleValue, _ options: QueryOptions,
    _ isTrue: ([UInt32], [UInt32]) -> Bool
  ) -> Bool {
    switch (left, right) {
    case (.text(let one), .text(let two)):
      isTrue(
        fold(Array(one.unicodeScalars), options), fold(Array(two.unicodeScalars), options))
    case (.data(let one), .data(let two)):
      options.isEmpty
        ? isTrue(one.map { UInt32($0) }, two.map { UInt32($0) })
        : isTrue(fold(scalars(one), options), fold(scalars(two), options))
    default: false
    }
  }

  private func scalars(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private func fold(_ text: [Unicode.Scalar], _ options: QueryOptions) -> [UInt32] {
    var result = text
    if options.contains(.caseInsensitive) {
      result = result.flatMap { scalar in
        scalar == "ı"
          ? [scalar]
          : scalar.properties.uppercaseMapping.unicodeScalars.flatMap {
            Array($0.properties.lowercaseMapping.unicodeScalars)
          }
      }
    }
    if options.contains(.diacriticInsensitive) {
      result = result.flatMap { scalar in
        String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter {
          $0.properties.canonicalCombiningClass.rawValue == 0
        }
      }
    }
    return result.map(\.value)
  }

  private func contains(_ text: [UInt32], _ part: [UInt32]) -> Bool {
    guard !part.isEmpty, text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)] == part[...] }
  }

  private func isLike(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == UInt32(("*" as Unicode.Scalar).value) {
      return isLike(text, pattern.dropFirst())
        || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    }
    guard let scalar = text.first else { return false }
    return (first == UInt32(("?" as Unicode.Scalar).value) || first == scalar)
      && isLike(text.dropFirst(), pattern.dropFirst())
  }
}

extension OracleValue {
  var decimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value: value)
    case .double(let value): Decimal128(value: value)
    case .decimal(let value): value
    default: nil
    }
  }
}
