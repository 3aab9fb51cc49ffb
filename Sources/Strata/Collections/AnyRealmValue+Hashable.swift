import StrataSchema

extension AnyRealmValue: Hashable {
  // Preferred to no other type that a literal can be: `results.sum(ofProperty: "x") == 0` would
  // have two meanings.

  /// Whether both have the same type and value; texts the same bytes. Lists and dictionaries are
  /// equal when their elements are, wherever they belong to; objects when they are the same object.
  @_disfavoredOverload
  public static func == (first: AnyRealmValue, second: AnyRealmValue) -> Bool {
    isEqual(first, second, level: 0)
  }

  private static func isEqual(
    _ first: AnyRealmValue, _ second: AnyRealmValue, level: Int
  ) -> Bool {
    switch (first, second) {
    case (.none, .none): true
    case (.int(let one), .int(let two)): one == two
    case (.bool(let one), .bool(let two)): one == two
    case (.float(let one), .float(let two)): one == two
    case (.double(let one), .double(let two)): one == two
    case (.string(let one), .string(let two)): StoredText(one) == StoredText(two)
    case (.data(let one), .data(let two)): one == two
    case (.date(let one), .date(let two)): one == two
    case (.object(let one), .object(let two)): one == two
    case (.objectId(let one), .objectId(let two)): one == two
    case (.decimal128(let one), .decimal128(let two)): one == two
    case (.uuid(let one), .uuid(let two)): one == two
    case (.list(let one), .list(let two)):
      // A list in memory may contain itself: no stored one is as deep.
      one == two
        || (level < NestedValue.mostLevels && one.count == two.count
          && zip(one, two).allSatisfy { isEqual($0, $1, level: level + 1) })
    case (.dictionary(let one), .dictionary(let two)):
      one == two
        || (level < NestedValue.mostLevels && one.count == two.count
          && one.allSatisfy { key, value in
            two[key].map { isEqual(value, $0, level: level + 1) } ?? false
          })
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(StoredText(value))
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    // Elements may change, and their number too: a value in a set must not change meanwhile.
    case .list(let list): hasher.combine(list.count)
    case .dictionary(let map): hasher.combine(map.count)
    }
  }
}
