/// Names of tables, columns and indexes in SQL.
package enum SQLName {
  /// The name between double quotes, with quotes inside it doubled.
  ///
  /// Every name is quoted everywhere, so a class may be called `order` and a property `a"b`.
  package static func quote(_ name: String) -> String { name.quoted("\"") }

  /// The names quoted, with commas between them.
  package static func list(_ names: some Sequence<String>) -> String {
    names.map(quote).joined(separator: ", ")
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all others as they are.
  package static func folded(_ name: String) -> String {
    guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
    var result = ""
    for scalar in name.unicodeScalars {
      if (65...90).contains(scalar.value) {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether the names are the same, byte for byte.
  ///
  /// `==` is too kind here: to Swift `é` equals `e` with an accent, to SQLite they are two names.
  package static func same(_ first: String, _ second: String) -> Bool {
    first == second && first.utf8.elementsEqual(second.utf8)
  }

  /// Whether SQLite or Swift would take the two names for one.
  package static func collide(_ first: String, _ second: String) -> Bool {
    first == second || folded(first) == folded(second)
  }

  /// Whether the first name precedes the second in UTF-8 byte order.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}

extension String {
  /// The text between marks, with the marks inside of it doubled, as SQL and CSV have it.
  ///
  /// Scalar by scalar: a mark with an accent behind it is another character to Swift, and ends the
  /// text in SQL and CSV all the same.
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
