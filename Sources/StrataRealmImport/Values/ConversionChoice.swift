import StrataStorage

/// A choice for data in a Realm file that a file of this library can't store.
///
/// Without a choice the conversion is refused, and the error lists the data of each kind.
///
/// ```swift
/// try Realm.convert(
///   realmFile: old, to: configuration, choices: [.nan(.asNil), .dates(.clamped)])
/// ```
/// ``ConversionReport/findings`` then lists the changes. Only one choice of each kind is allowed;
/// two throw an error with code `fail`.
public enum ConversionChoice: Sendable, Hashable {
  /// A `Float` or `Double` that is not a number: SQLite would store NULL.
  case nan(NaN)
  /// A date before the year 0 or after 9999.
  case dates(DateOutOfRange)
  /// A string, or the key of a map, whose bytes are not UTF-8.
  case invalidText(InvalidText)
  /// A link to an object that is missing from the file. Intact files have no such links.
  case danglingLinks(DanglingLink)
  /// A set inside an `AnyRealmValue`, or more than 100 nested lists and maps.
  case nestedCollections(NestedCollection)
  /// A class whose objects Realm only sends to a server. The file contains no such objects.
  case asymmetricClasses(OmittedClass)
  /// A class in which a synchronized file stores internal data. Its name begins with `__`. With
  /// this choice, the classes `__Class`, `__Permission`, `__Realm`, `__Role` and `__User` are left
  /// out of every file. Without the choice, a file that was never synchronized keeps them as
  /// ordinary classes.
  case bookkeepingClasses(OmittedClass)

  /// A choice for a number that is NaN.
  public enum NaN: Sendable, Hashable {
    /// Nil. A required property or element is still refused.
    case asNil
    /// Nil, or 0 for a required value.
    case asNilOrZero
  }

  /// A choice for a date outside the supported years.
  public enum DateOutOfRange: Sendable, Hashable {
    /// Nil. A required property or element is still refused.
    case asNil
    /// The first moment of the year 0, or the last one of 9999.
    case clamped
  }

  /// A choice for a string that is not UTF-8.
  public enum InvalidText: Sendable, Hashable {
    /// A string with U+FFFD in place of invalid bytes.
    case repaired
  }

  /// A choice for a dangling link.
  public enum DanglingLink: Sendable, Hashable {
    /// Nil. In a list or a set the element is left out.
    case asNil
  }

  /// A choice for a collection inside an `AnyRealmValue` that can't be stored there.
  public enum NestedCollection: Sendable, Hashable {
    /// `.none`.
    case asNil
  }

  /// A choice for a class.
  public enum OmittedClass: Sendable, Hashable {
    /// The class is left out, and with it each property with its objects.
    case leftOut
  }
}

/// The choices of a conversion, by kind.
package struct ConversionChoices: Sendable, Hashable {
  package private(set) var nan: ConversionChoice.NaN?
  package private(set) var dates: ConversionChoice.DateOutOfRange?
  package private(set) var invalidText: ConversionChoice.InvalidText?
  package private(set) var danglingLinks: ConversionChoice.DanglingLink?
  package private(set) var nestedCollections: ConversionChoice.NestedCollection?
  package private(set) var asymmetricClasses: ConversionChoice.OmittedClass?
  package private(set) var bookkeepingClasses: ConversionChoice.OmittedClass?

  /// - Throws: ``RealmError`` with code `fail` for two choices of the same kind.
  init(_ choices: Set<ConversionChoice>) throws(RealmError) {
    for choice in choices {
      switch choice {
      case .nan(let choice): try Self.set(&nan, choice, "nan")
      case .dates(let choice): try Self.set(&dates, choice, "dates")
      case .invalidText(let choice): invalidText = choice
      case .danglingLinks(let choice): danglingLinks = choice
      case .nestedCollections(let choice): nestedCollections = choice
      case .asymmetricClasses(let choice): asymmetricClasses = choice
      case .bookkeepingClasses(let choice): bookkeepingClasses = choice
      }
    }
  }

  private static func set<Choice>(
    _ place: inout Choice?, _ choice: Choice, _ name: String
  ) throws(RealmError) {
    guard place == nil else {
      throw RealmError(
        .fail, "A conversion has two different choices '.\(name)'. Leave one of them.")
    }
    place = choice
  }
}
