/// The language of `NSPredicate`, as text: `age > 3 AND ANY dogs.name BEGINSWITH[c] 'R'`.
package enum QueryFormat {
  /// How deep parentheses, `NOT` and lists of conditions may be inside of each other.
  ///
  /// A chain with `AND`, and one with `OR`, is one level, however long it is.
  package static let deepest = 500

  /// How many of these levels a `SUBQUERY` counts for, which asks more of the stack and of SQLite.
  package static let levelsOfSubquery = 20

  /// The condition that a text describes.
  ///
  /// It says nothing of the names in the text: those are looked up when the tree is resolved.
  /// ```swift
  /// try QueryFormat.parse("age > %@ AND name == 'Rex'", [.value(.int(3))])
  /// ```
  ///
  /// - Parameter arguments: What takes the places of the placeholders, in their order.
  /// - Throws: What is wrong with the text, with the column of the first character that is wrong.
  package static func parse(
    _ format: String, _ arguments: [QueryOperand] = []
  ) throws(PredicateProblem) -> QueryPredicate {
    var parser = try FormatParser(format, arguments)
    return try parser.parse()
  }
}
