package import StrataSchema

/// The identities of rows as one parameter of a statement.
///
/// A connection keeps the statement of each text that it has run. So the text depends neither on
/// which rows these are nor on how many: there is one for a single row, which is the most frequent,
/// and one for all other numbers of them.
///
/// ```swift
/// let touched = BoundIdentities([4, 7])
/// let sql = "SELECT name FROM Person WHERE _id \(touched.condition(at: 1))"
/// let names = try database.texts(sql, [touched.parameter])
/// ```
package struct BoundIdentities: Sendable {
  private let identities: [Int64]

  /// Which of the two texts it takes.
  package var isOne: Bool { identities.count == 1 }

  package init(_ identities: [Int64]) { self.identities = identities }

  /// The condition behind a column: that its value is one of them.
  ///
  /// - Parameter number: The number of the parameter.
  package func condition(at number: Int) -> String {
    Self.condition(at: number, isOne: isOne)
  }

  /// The same where the text is made before the rows are known.
  package static func condition(at number: Int, isOne: Bool) -> String {
    isOne ? "= ?\(number)" : "IN (SELECT value FROM json_each(?\(number)))"
  }

  /// The parameter: the identity, or an array of JSON.
  package var parameter: StoredValue {
    if isOne { return .integer(identities[0]) }
    return .text("[" + identities.lazy.map(String.init).joined(separator: ",") + "]")
  }
}
