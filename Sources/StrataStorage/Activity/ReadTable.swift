/// The table that a statement of the library reads first.
enum ReadTable {
  /// The name behind the first `FROM` that has a name; nil for a statement without one.
  static func name(in sql: String) -> String? {
    var rest = sql[...]
    while let from = rest.firstRange(of: "FROM ") {
      rest = rest[from.upperBound...]
      guard rest.first == "\"" else { continue }
      return quoted(rest.dropFirst())
    }
    return nil
  }

  /// A name up to its quotation mark; two of them are one in the name.
  private static func quoted(_ text: Substring) -> String? {
    var name = ""
    var rest = text
    while let end = rest.firstIndex(of: "\"") {
      name += rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard rest.first == "\"" else { return name }
      name += "\""
      rest = rest.dropFirst()
    }
    return nil
  }
}
