import StrataStorage

/// A choice for something in a file of Realm that a file of this library can't hold.
///
/// Without a choice the conversion is refused, and the error lists what there is of each kind.
///
/// ```swift
/// try Realm.convert(
///   realmFile: old, to: configuration, choices: [.nan(.asNil), .dates(.clamped)])
/// ```
/// ``ConversionReport/findings`` says afterwards what was changed. One choice of each kind can be
/// made; two are an error with code `fail`.
public enum ConversionChoice: Sendable, Hashable {
  /// A `Float` or `Double` that is not a number: SQLite would store NULL.
  case nan(NaN)
  /// A date before the year 0 or after 9999.
  case dates(DateOutOfRange)
  /// A text, or the key of a map, whose bytes are not UTF-8.
  case invalidText(InvalidText)
  /// A link to an object that the file doesn't have. Sound files have none.
  case danglingLinks(DanglingLink)
  /// A set inside of an `AnyRealmValue`, or more than 100 lists and maps inside of each other.
  case nestedCollections(NestedCollection)
  /// A class of objects that Realm only sends to a server. The file has none of them.
  case asymmetricClasses(OmittedClass)
  /// A class in which a synchronised file keeps accounts of its own. Its name begins with `__`. The
  /// classes `__Class`, `__Permission`, `__Realm`, `__Role` and `__User` are left out of every file
  /// with this choice; without it, those of a file that was never synchronised are converted as any
  /// other class.
  case bookkeepingClasses(OmittedClass)

  /// A choice for a number that is NaN.
  public enum NaN: Sendable, Hashable {
    /// Nil. Where the property, or an element, is required, it is still refused.
    case asNil
    /// Nil, or 0 where a value is required.
    case asNilOrZero
  }

  /// A choice for a date that has no text.
  public enum DateOutOfRange: Sendable, Hashable {
    /// Nil. Where the property, or an element, is required, it is still refused.
    case asNil
    /// The first moment of the year 0, or the last one of 9999.
    case clamped
  }

  /// A choice for a text that is not UTF-8.
  public enum InvalidText: Sendable, Hashable {
    /// A text with U+FFFD in place of what can't be read.
    case repaired
  }

  /// A choice for a link that leads nowhere.
  public enum DanglingLink: Sendable, Hashable {
    /// Nil. In a list or a set it is left out.
    case asNil
  }

  /// A choice for a collection inside of an `AnyRealmValue` that can't be stored there.
  public enum NestedCollection: Sendable, Hashable {
    /// `.none`.
    case asNil
  }

  /// A choice for a class.
  public enum OmittedClass: Sendable, Hashable {
    /// The class is left out, and with it each property that leads to its objects.
    case leftOut
  }
}

/// The choices of a conversion, by what they are about.
package struct ConversionChoices: Sendable, Hashable {
  package private(set) var nan: ConversionChoice.NaN?
  package private(set) var dates: ConversionChoice.DateOutOfRange?
  package private(set) var invalidText: ConversionChoice.InvalidText?
  package private(set) var danglingLinks: ConversionChoice.DanglingLink?
  package private(set) var nestedCollections: ConversionChoice.NestedCollection?
  package private(set) var asymmetricClasses: ConversionChoice.OmittedClass?
  package private(set) var bookkeepingClasses: ConversionChoice.OmittedClass?

  /// - Throws: ``RealmError`` with code `fail` for two choices about the same.
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
