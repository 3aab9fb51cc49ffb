import StrataSchema

/// Names as PostgreSQL can hold them.
///
/// It cuts a name behind 63 bytes without an error, and finds its own tables first, whose names
/// begin with `pg_`.
enum PostgresName {
  static let mostBytes = 63

  /// The columns that each of its tables has already.
  static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// A name that is short enough: what fits of it, and a checksum of all of it, so that names that
  /// begin alike stay apart.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > mostBytes else { return name }
    let checksum = "_" + hexadecimal(checksum(name))
    return prefix(of: name, bytes: mostBytes - checksum.utf8.count) + checksum
  }

  /// The longest beginning of a text that has at most so many bytes, and no half of a character.
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

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// The names of one space: tables and indexes of a schema, or columns of a table.
struct PostgresNames: Hashable {
  private var taken: Set<[UInt8]>

  /// - Parameter reserved: Names that nothing else may have.
  init(reserved: Set<String> = []) {
    taken = Set(reserved.map { Array($0.utf8) })
  }

  /// The name for something: the wanted one where it can be, another one like it otherwise.
  mutating func take(_ wanted: String) -> String {
    let own = wanted.utf8.starts(with: "pg_".utf8) ? "_" + wanted : wanted
    var name = PostgresName.shortened(own)
    var number = 2
    while !taken.insert(Array(name.utf8)).inserted {
      let suffix = "_\(number)"
      name =
        PostgresName.prefix(of: own, bytes: PostgresName.mostBytes - suffix.utf8.count) + suffix
      number += 1
    }
    return name
  }
}
