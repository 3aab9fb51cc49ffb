package import StrataSchema

/// The changes between two states of a list, as positions.
///
/// Deleting the elements at ``deletions`` from the end, and then inserting those at ``insertions``
/// in order, turns the old list into the new one. An element that moved is one of each.
public struct ChangeSet: Equatable, Sendable {
  /// Positions in the old list of elements that are gone or have moved, ascending.
  public let deletions: [Int]
  /// Positions in the new list of elements that are new or have moved, ascending.
  public let insertions: [Int]
  /// Positions in the old list of elements that stayed and changed, ascending.
  public let modifications: [Int]

  /// Creates a change set; each of the arrays is ascending.
  package init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// The positions in the new list of the elements at ``modifications``, ascending.
  ///
  /// Computed from the three arrays, in time that grows with their lengths only.
  public var modificationsInNewVersion: [Int] {
    var result: [Int] = []
    result.reserveCapacity(modifications.count)
    var deleted = 0
    var inserted = 0
    for position in modifications {
      while deleted < deletions.count, deletions[deleted] < position { deleted += 1 }
      // Each insertion at or before the place moves the element one further.
      while inserted < insertions.count, insertions[inserted] <= position - deleted + inserted {
        inserted += 1
      }
      result.append(position - deleted + inserted)
    }
    return result
  }
}

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
