import StrataQuery

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
