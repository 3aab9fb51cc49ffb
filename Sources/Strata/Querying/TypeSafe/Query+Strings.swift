import StrataQuery

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryString {
  /// Whether a text is like a pattern, in which `?` is one character and `*` any number of them.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.name.like("A?a*") }
  /// ```
  ///
  /// The whole text must fit, and no character can be taken literally by another before it.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether a text is like the pattern in another property.
  public func like<Other>(
    _ property: Query<Other>, caseInsensitive: Bool = false
  ) -> Query<Bool> {
    compared(.like, to: property, caseInsensitive ? .caseInsensitive : [])
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryString {
  /// Whether a text has some words, by its full-text index.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.bio.text("swift -java comp*") }
  /// ```
  ///
  /// Each word must occur, in any order; one after `-` must not occur; one before `*` is the
  /// beginning of a word. Neither case nor accents count. A word has letters and numbers only:
  /// anything else is a mistake, as are a text without a word that must occur and a property
  /// without `@Persisted(fullText: true)`. A mistake finds nothing, and is reported; inside of
  /// `write` it is thrown.
  ///
  /// Objects that are in no file are searched without an index, by almost the same rules: `ß` is
  /// like `ss` there.
  public func text(_ words: String) -> Query<Bool> { compared(.text, words) }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryBinary {
  /// Whether a text or data has a part that is equal to another one.
  ///
  /// An empty text, and nil, are in none.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Whether a text or data has a part that is equal to another property.
  public func contains<Other: RealmCollectionValue>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> where Other.PersistedType: _QueryBinary {
    compared(.contains, to: property, options)
  }

  /// Whether a text or data begins with another one; nothing begins with an empty one.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Whether a text or data begins with another property.
  public func starts<Other>(
    with property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.beginsWith, to: property, options)
  }

  /// Whether a text or data ends with another one; nothing ends with an empty one.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// Whether a text or data ends with another property.
  public func ends<Other>(
    with property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.endsWith, to: property, options)
  }

  /// Whether two texts or data are equal; nil equals nil.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Whether two properties are equal; nil equals nil.
  public func equals<Other>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.equal, to: property, options)
  }

  /// Whether two texts or data are unlike; nil is unlike everything else.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Whether two properties are unlike.
  public func notEquals<Other>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.notEqual, to: property, options)
  }
}

/// Options for comparing texts in a query.
///
/// All of Unicode is known: `[.caseInsensitive]` takes `Ä` for `ä`, and `[.diacriticInsensitive]`
/// takes it for `A`.
///
/// ```swift
/// realm.objects(Person.self).where { $0.name.starts(with: "ä", options: .caseInsensitive) }
/// ```
///
/// A query with options reads each row: an index on the property doesn't help.
public struct StringOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int8

  /// Makes options of their bits.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// Upper and lower case are the same.
  public static let caseInsensitive = StringOptions(rawValue: 1)

  /// Letters with and without accents are the same.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var forTree: QueryOptions {
    var options = QueryOptions()
    // The operations of option sets are generic and slow.
    guard rawValue != 0 else { return options }
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}
