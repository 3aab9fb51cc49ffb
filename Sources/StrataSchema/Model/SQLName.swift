/// Names of tables, columns and indexes in SQL.
package enum SQLName {
  /// Returns the name between double quotes, with quotes inside it doubled.
  ///
  /// Every name is quoted everywhere, so a class may be called `order` and a property `a"b`.
  package static func quote(_ name: String) -> String { name.quoted("\"") }

  /// Returns the quoted names, with commas between them.
  package static func list(_ names: some Sequence<String>) -> String {
    names.map(quote).joined(separator: ", ")
  }

  /// Returns the name as SQLite compares it: ASCII letters in lower case, all others unchanged.
  package static func folded(_ name: String) -> String {
    guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
    return String(
      decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Whether the names are the same, byte for byte.
  ///
  /// `==` is not strict enough here: Swift treats `é` and `e` with a combining accent as equal, but
  /// they are two names for SQLite.
  package static func same(_ first: String, _ second: String) -> Bool {
    first == second && first.utf8.elementsEqual(second.utf8)
  }

  /// Whether SQLite or Swift treats the two names as equal.
  package static func collide(_ first: String, _ second: String) -> Bool {
    first == second || folded(first) == folded(second)
  }

  /// Whether the first name precedes the second in UTF-8 byte order.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}

extension String {
  /// Returns the text between quotation marks, with the marks inside it doubled, as in SQL and CSV.
  ///
  /// Scalar by scalar: a mark with a combining accent is another character in Swift, but still ends
  /// the text in SQL and CSV.
  package func quoted(_ mark: Unicode.Scalar) -> String {
    var result = UnicodeScalarView()
    result.append(mark)
    for scalar in unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    result.append(mark)
    return String(result)
  }
}
