/// A value in one of SQLite's five storage classes.
public enum StoredValue: Sendable, Hashable {
  /// NULL.
  case null
  /// INTEGER.
  case integer(Int64)
  /// REAL.
  case real(Double)
  /// TEXT.
  case text(String)
  /// BLOB.
  case blob([UInt8])
}

extension StoredValue {
  /// Whether both are the same value. Texts and blobs are compared by their bytes.
  public static func == (first: StoredValue, second: StoredValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): StoredText(one) == StoredText(other)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let text): hasher.combine(StoredText(text))
    case .blob(let bytes): hasher.combine(bytes)
    }
  }

  /// Whether both have the same bytes in a file. In contrast, `==` treats 0 and -0 as equal, and no
  /// NaN as equal to another one.
  package func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.real(let first), .real(let second)): first.bitPattern == second.bitPattern
    default: self == other
    }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Returns Realm's value for an unset required property: 0, `""`, 1970, all zeros.
  package static func zero(for type: PropertyType) -> StoredValue {
    switch type {
    case .int, .bool: .integer(0)
    case .float, .double: .real(0)
    case .string: .text("")
    case .data: .blob([])
    case .date: .text("1970-01-01 00:00:00.000000000")
    case .UUID: .text("00000000-0000-0000-0000-000000000000")
    case .objectId: .text("000000000000000000000000")
    case .decimal128: .text("0")
    case .any, .object, .linkingObjects: .null
    }
  }
}

/// A text of the user's data, compared by its bytes.
///
/// Swift treats canonically equivalent texts as equal, such as "é" with one scalar and with two. In
/// a file they are two different keys, elements or values.
package struct StoredText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: Self, second: Self) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Separates successive texts in the hash.
    hasher.combine(UInt8.max)
  }
}

/// The rule for which of several objects with the same value is kept.
package enum SurvivorRule<Key: Sendable & Hashable>: Sendable, Hashable {
  /// The object that was added first, or last.
  case first, last
  /// The object with the greatest value of a property, or the least; the first one of several.
  case greatest(Key)
  case least(Key)

  /// Returns the rule with a transformed property.
  package func map<Other, Failure>(
    _ transform: (Key) throws(Failure) -> Other
  ) throws(Failure) -> SurvivorRule<Other> {
    switch self {
    case .first: .first
    case .last: .last
    case .greatest(let key): .greatest(try transform(key))
    case .least(let key): .least(try transform(key))
    }
  }
}
