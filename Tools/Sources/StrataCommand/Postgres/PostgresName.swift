import StrataSchema

/// The rules for names in PostgreSQL.
///
/// PostgreSQL cuts a name after 63 bytes without an error. Its own tables, whose names begin with
/// `pg_`, hide others of the same name.
enum PostgresName {
  static let maxBytes = 63

  /// The system columns that every table of PostgreSQL has.
  static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// Shortens a name to the maximum length. A checksum of the whole name keeps names with the same
  /// beginning apart.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > maxBytes else { return name }
    let checksum = "_" + hexDigits(of: checksum(name))
    return prefix(of: name, bytes: maxBytes - checksum.utf8.count) + checksum
  }

  /// Returns the longest prefix of a text with at most `bytes` bytes, without splitting a
  /// character.
  static func prefix(of text: String, bytes: Int) -> String {
    var result = String.UnicodeScalarView()
    var rest = bytes
    for scalar in text.unicodeScalars {
      rest -= UTF8.width(scalar)
      guard rest >= 0 else { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// FNV-1a, of 32 bits.
  private static func checksum(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

/// The names of one namespace: tables and indexes of a schema, or columns of a table.
struct PostgresNames: Hashable {
  private var taken: Set<StoredText>

  /// - Parameter reserved: Names that can't be used.
  init(reserved: Set<String> = []) { taken = Set(reserved.map(StoredText.init)) }

  /// Returns the wanted name if it is valid and free, and a similar name otherwise.
  mutating func take(_ wanted: String) -> String {
    let own = wanted.utf8.starts(with: "pg_".utf8) ? "_" + wanted : wanted
    var name = PostgresName.shortened(own)
    var number = 2
    while !taken.insert(StoredText(name)).inserted {
      let suffix = "_\(number)"
      name =
        PostgresName.prefix(of: own, bytes: PostgresName.maxBytes - suffix.utf8.count) + suffix
      number += 1
    }
    return name
  }
}
