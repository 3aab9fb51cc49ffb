import Foundation
import TestKit

/// Names that a program might give to a class or a column, by seed.
struct HostileNames {
  var classNames: [String]
  var columns: [String]

  static let fixed = [
    "select", "SELECT", "table", "order", "group", "where", "from", "null", "default", "values",
    "\"", "\"\"", "'", "''", "a\"b", "a'b", "a`b", "`", "[", "]", "[a]", "a]b", "--", "a--b", "/*",
    "*/", ";", "a;b", "; DROP TABLE x; --", "\"; DROP TABLE \"x", "?", "?1", ":a", "@a", "$a", "%",
    "_", "__", "%s", "\\", "\\0", "\n", "\r\n", "\t", " ", "  a  ", "a b", "", "\0", "a\0b", ".",
    "a.b", "a.b.c", ",", "(", ")", "a,b", "()", "=", "<", ">", "<A>", "<>", "+", "-", "#", "&", "|",
    "sqlite_", "sqlite_master", "sqlite_schema", "SQLITE_sequence", "sqlite", "strata_",
    "strata_schema_version", "STRATA_x", "strata_delete_x", "strata_rebuild_x", "strata",
    "grdb_migrations", "GRDB_migrations", "grdb", "rowid", "ROWID", "oid", "_rowid_", "_id", "_ID",
    "_row_id", "_ROW_ID", "_id_while_migrating", "owner", "OWNER", "value", "Value", "key",
    "position", "value_type", "schema", "version", "name", "main", "temp", "old", "new", "OLD",
    "NEW", "excluded", "true", "false", "1", "0", "-1", "1e5", "x'00'", "NaN", "é", "e\u{301}", "É",
    "E\u{301}", "ﬁ", "ß", "ẞ", "İ", "ı", "I", "i", "Å", "Å", "ö", "Ö", "名前", "имя", "שם", "اسم",
    "\u{202E}abc", "\u{200B}", "a\u{200B}", "\u{FEFF}", "\u{FEFF}a", "👩‍👩‍👧", "🏳️‍🌈", "🙂",
    "\u{10FFFF}", "\u{FFFD}", "\u{FFFE}", "a\u{300}\u{301}\u{302}", "\u{301}", "\u{1F}", "\u{7F}",
    String(repeating: "n", count: 300), String(repeating: "名", count: 1_000),
    String(repeating: "\"", count: 50), "a_b", "a_b_type", "a link", "a nil", "x_type", "x",
    "x link", "x nil", "Class", "Object", "self", "Self", "init", "description", "hash",
    "className", "number", "text",
  ]

  init(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    func any(_ simple: String) -> String {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: return Self.fixed[Int.random(in: 0..<Self.fixed.count, using: &random)]
      case 5..<7: return simple + Self.fixed[Int.random(in: 0..<Self.fixed.count, using: &random)]
      case 7: return Self.unicode(&random)
      default: return simple
      }
    }
    classNames = ["Aa", "Bb", "Ee"].map(any)
    columns = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10"].map(any)
    // Most schemas must be possible, or nothing but refusals is tested.
    if Int.random(in: 0..<4, using: &random) > 0 { removeImpossible() }
  }

  private static func unicode(_ random: inout SplitMix64) -> String {
    var name = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1..<12, using: &random) {
      let limit: UInt32 = [0x80, 0x800, 0x3000, 0x11_0000].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 1..<limit, using: &random)) {
        name.append(scalar)
      }
    }
    return String(name)
  }

  /// Takes away what the rules refuse, as far as it can be told from a name alone.
  private mutating func removeImpossible() {
    func cleaned(_ name: String, _ index: Int, isClass: Bool) -> String {
      let lower = name.lowercased()
      let isReserved = isClass && (lower.hasPrefix("sqlite_") || lower.hasPrefix("strata_"))
      let hasBadBytes = name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: ".") }
      if name.isEmpty || hasBadBytes || isReserved
        || ["grdb_migrations", "_id", "_row_id", "old"].contains(lower)
      {
        return "plain \(index)"
      }
      return name
    }
    var seen: Set<String> = []
    classNames = classNames.enumerated().map { index, name in
      let name = cleaned(name, index, isClass: true)
      return seen.insert(name.lowercased()).inserted ? name : "Class\(index)"
    }
    columns = columns.enumerated().map { index, name in
      let name = cleaned(name, index, isClass: false)
      return seen.insert(name.lowercased()).inserted ? name : "column\(index)"
    }
  }
}
