import Foundation
package import StrataRealmFile
import StrataSchema
import StrataStorage

/// The value of a column that a value of a file of Realm becomes.
enum ConvertedValue: Hashable {
  /// A value as a property of the same type has it.
  case stored(StoredValue)
  /// A link, whose object gets its row from the converter.
  case link(RealmLink)
  /// A list, a set or a dictionary: rows of a table, or elements of an `AnyRealmValue`.
  case collection(RealmCollectionKind)
  /// A value that no column has.
  case refused(Reason)

  /// The reason why a value can't be stored in a file of SQLite.
  enum Reason: Hashable {
    /// NaN, in whose place SQLite stores NULL.
    case notANumber
    /// A date whose year is outside of 0000 to 9999.
    case yearOutOfRange
  }

  init(_ value: RealmValue) {
    switch value {
    case .null: self = .stored(.null)
    case .int(let number): self = .stored(.integer(number))
    case .bool(let isTrue): self = .stored(.integer(isTrue ? 1 : 0))
    case .float(let number): self.init(real: Double(number))
    case .double(let number): self.init(real: number)
    case .string(let text): self = .stored(.text(text))
    case .data(let bytes): self = .stored(.blob(Array(bytes)))
    case .date(let date):
      // What Realm gives its users is this nearest `Date`, and queries compare texts.
      self = DateText.encode(date.date).map { .stored(.text($0)) } ?? .refused(.yearOutOfRange)
    case .decimal(let number): self = .stored(.text(Decimal128(number).exactText))
    case .objectId(let id): self = .stored(.text(id.description))
    case .uuid(let id): self = .stored(.text(id.uuidString))
    case .object(let link): self = .link(link)
    case .list: self = .collection(.list)
    case .set: self = .collection(.set)
    case .dictionary: self = .collection(.dictionary)
    }
  }

  private init(real number: Double) {
    self = number.isNaN ? .refused(.notANumber) : .stored(.real(number))
  }
}

extension Decimal128 {
  /// The same number, with the same number of digits.
  package init(_ number: RealmDecimal) {
    if number.isNaN {
      self = .nan
    } else if number.isInfinite {
      self = number.isNegative ? -.infinity : .infinity
    } else {
      // Only a zero that Realm doesn't write has another exponent.
      let exponent = Swift.min(
        Swift.max(number.exponent, Self.leastExponent), Self.greatestExponent)
      self.init(
        Parts(
          isNegative: number.isNegative, coefficient: number.coefficient, exponent: exponent))
    }
  }
}
