import Foundation
package import StrataRealmFile
import StrataSchema
import StrataStorage

/// The column value for a value of a Realm file.
enum ConvertedValue: Hashable {
  /// A value in the form that a property of the same type stores.
  case stored(StoredValue)
  /// A link, whose row the converter looks up.
  case link(RealmLink)
  /// A list, a set or a dictionary: rows of a table, or elements of an `AnyRealmValue`.
  case collection(RealmCollectionKind)
  /// A value that no column can store.
  case refused(Reason)

  /// The reason why a value can't be stored in an SQLite file.
  enum Reason: Hashable {
    /// NaN, for which SQLite stores NULL.
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
      // Realm also gives this nearest `Date` to its users, and queries compare texts.
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
  /// Creates the same number, with the same number of digits.
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
