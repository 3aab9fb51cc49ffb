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
  /// Whether a file would have the same bytes: `==` takes texts for equal that look alike, and 0
  /// and -0, and no NaN for another one.
  package func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.text(let first), .text(let second)): first.utf8.elementsEqual(second.utf8)
    case (.real(let first), .real(let second)): first.bitPattern == second.bitPattern
    default: self == other
    }
  }

  /// Realm's value for an unset required property: 0, `""`, 1970, all zeros.
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
