import StrataQuery

extension Query {
  /// Whether both are equal; nil equals nil.
  ///
  /// Strings are compared by their bytes, decimals by their value, objects by identity. A custom
  /// type that is stored as an embedded object is compared by its members, which must not be links
  /// or collections.
  public static func == (property: Query, value: T) -> Query<Bool> {
    property.compared(.equal, value)
  }

  /// Whether two properties are equal; nil equals nil.
  public static func == (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.equal, other.content))
  }

  /// Whether both are different; nil is different from any other value.
  ///
  /// For a collection, whether any element is different: `!($0.tags == "a")` means that no element
  /// is equal.
  public static func != (property: Query, value: T) -> Query<Bool> {
    property.compared(.notEqual, value)
  }

  /// Whether two properties are different.
  public static func != (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.notEqual, other.content))
  }

  /// Whether the value is in a sequence.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.name.in(["Ada", "Bob"]) }
  /// ```
  ///
  /// The condition is false for an empty sequence. The number of values is not limited.
  public func `in`<Values: Sequence>(_ values: Values) -> Query<Bool> where Values.Element == T {
    isIn(values)
  }
}

extension Query where T: RealmCollectionValue, T.PersistedType: _QueryOrdered {
  /// Whether the property is less than a value; false if one of them is nil. Strings are compared
  /// by bytes.
  public static func < (property: Query, value: T) -> Query<Bool> {
    property.compared(.less, value)
  }

  /// Whether one property is less than the other; false if one of them is nil.
  public static func < (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.less, other.content))
  }

  /// Whether the property is at most a value; true if both are nil.
  public static func <= (property: Query, value: T) -> Query<Bool> {
    property.compared(.lessOrEqual, value)
  }

  /// Whether one property is at most the other; true if both are nil.
  public static func <= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.lessOrEqual, other.content))
  }

  /// Whether the property is greater than a value; false if one of them is nil.
  public static func > (property: Query, value: T) -> Query<Bool> {
    property.compared(.greater, value)
  }

  /// Whether one property is greater than the other; false if one of them is nil.
  public static func > (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greater, other.content))
  }

  /// Whether the property is at least a value; true if both are nil.
  public static func >= (property: Query, value: T) -> Query<Bool> {
    property.compared(.greaterOrEqual, value)
  }

  /// Whether one property is at least the other; true if both are nil.
  public static func >= (property: Query, other: Query) -> Query<Bool> {
    Query<Bool>(property.content.compared(.greaterOrEqual, other.content))
  }
}

extension Query {
  func compared<Value>(
    _ operator: QueryOperator, _ value: Value, _ options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(content.compared(`operator`, QueryValue(of: value), options: options.forTree))
  }

  func isIn(_ values: some Sequence) -> Query<Bool> {
    Query<Bool>(content.compared(.in, .list(values.map { QueryValue($0) })))
  }

  func compared<Other>(
    _ operator: QueryOperator, to other: Query<Other>, _ options: StringOptions
  ) -> Query<Bool> {
    Query<Bool>(content.compared(`operator`, other.content, options: options.forTree))
  }

  /// Returns a condition for a range that includes its upper bound.
  func between(_ lower: Any, _ upper: Any) -> Query<Bool> {
    let bounds = [QueryValue(lower), QueryValue(upper)]
    // Format strings support `BETWEEN` only for numbers and dates.
    let isOfBytes = bounds[0].type == .string || bounds[0].type == .data
    if isOfBytes, !content.isPlural {
      return compared(.greaterOrEqual, bounds[0]) && compared(.lessOrEqual, bounds[1])
    }
    return Query<Bool>(content.compared(.between, .list(bounds)))
  }

  /// Returns a condition for a range that doesn't include its upper bound.
  func from(_ lower: Any, below upper: Any) -> Query<Bool> {
    compared(.greaterOrEqual, lower) && compared(.less, upper)
  }
}

extension Query where T: Comparable {
  /// Whether the value is in a range; false for nil.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    from(range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range; false for nil.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound)
  }
}

extension Query where T: _OptionalProtocol, T.Wrapped: Comparable {
  /// Whether the value is in a range; false for nil.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    from(range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range; false for nil.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound)
  }
}

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
