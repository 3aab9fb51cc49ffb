import StrataQuery

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryString {
  /// Whether a string matches a pattern, in which `?` is one character and `*` any number of
  /// characters.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.name.like("A?a*") }
  /// ```
  ///
  /// The whole string must match. There is no escape character for `?` and `*`.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether a string matches the pattern in another property.
  public func like<Other>(
    _ property: Query<Other>, caseInsensitive: Bool = false
  ) -> Query<Bool> {
    compared(.like, to: property, caseInsensitive ? .caseInsensitive : [])
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryString {
  /// Whether a string contains the given words. Uses the property's full-text index.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.bio.text("swift -java comp*") }
  /// ```
  ///
  /// All words must occur, in any order. A word after `-` must not occur; a word before `*` is a
  /// prefix. Case and diacritics are ignored. Words consist of letters and digits only. Other
  /// characters, a search without a word that must occur, and a property without
  /// `@Persisted(fullText: true)` are errors, and the results are empty. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported.
  ///
  /// Unmanaged objects are searched without an index. The rules are almost the same; the exception
  /// is that `ß` matches `ss`.
  public func text(_ words: String) -> Query<Bool> { compared(.text, words) }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryBinary {
  /// Whether a string or data contains another one.
  ///
  /// The empty string and nil are never contained.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options)
  }

  /// Whether a string or data contains the value of another property.
  public func contains<Other: RealmCollectionValue>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> where Other.PersistedType: _QueryBinary {
    compared(.contains, to: property, options)
  }

  /// Whether a string or data begins with another one; false for an empty prefix.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options)
  }

  /// Whether a string or data begins with the value of another property.
  public func starts<Other>(
    with property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.beginsWith, to: property, options)
  }

  /// Whether a string or data ends with another one; false for an empty suffix.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options)
  }

  /// Whether a string or data ends with the value of another property.
  public func ends<Other>(
    with property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.endsWith, to: property, options)
  }

  /// Whether two strings or data are equal; nil equals nil.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// Whether two properties are equal; nil equals nil.
  public func equals<Other>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.equal, to: property, options)
  }

  /// Whether two strings or data are different; nil is different from any other value.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }

  /// Whether two properties are different.
  public func notEquals<Other>(
    _ property: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.notEqual, to: property, options)
  }
}

/// The options for comparing strings in a query.
///
/// The options support all of Unicode: with `[.caseInsensitive]`, `Ä` equals `ä`; with
/// `[.diacriticInsensitive]`, `Ä` equals `A`.
///
/// ```swift
/// realm.objects(Person.self).where { $0.name.starts(with: "ä", options: .caseInsensitive) }
/// ```
///
/// A query with options reads each row, because SQLite can't use an index on the property.
public struct StringOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int8

  /// Creates options from their bits.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// Ignores the difference between upper and lower case.
  public static let caseInsensitive = StringOptions(rawValue: 1)

  /// Ignores diacritics, such as accents.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var forTree: QueryOptions {
    var options = QueryOptions()
    // Checked first, because the operations of option sets are generic and slow.
    guard rawValue != 0 else { return options }
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}
