package import StrataSchema

/// The changes between two states of a list, as positions.
///
/// Deleting the elements at ``deletions`` from the end, and then inserting the elements at
/// ``insertions`` in order, turns the old list into the new one. A moved element is in both.
public struct ChangeSet: Equatable, Sendable {
  /// Positions in the old list of elements that were deleted or moved, ascending.
  public let deletions: [Int]
  /// Positions in the new list of elements that were inserted or moved, ascending.
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
  /// Computed from the three arrays, in time that grows only with their lengths.
  public var modificationsInNewVersion: [Int] {
    var result: [Int] = []
    result.reserveCapacity(modifications.count)
    var deleted = 0
    var inserted = 0
    for position in modifications {
      while deleted < deletions.count, deletions[deleted] < position { deleted += 1 }
      // Each insertion at or before the position moves the element one further.
      while inserted < insertions.count, insertions[inserted] <= position - deleted + inserted {
        inserted += 1
      }
      result.append(position - deleted + inserted)
    }
    return result
  }
}

extension ChangeSet {
  /// Whether the changes turn one list into another: the elements that stay are the same in both.
  ///
  /// For assertions. Lists of 1,000 elements or more aren't compared, and count as right.
  func leads<Element: Equatable>(from old: [Element], to new: [Element]) -> Bool {
    guard old.count < 1000, new.count < 1000 else { return true }
    var (deleted, inserted) = (deletions[...], insertions[...])
    var position = 0
    func skipDeleted() {
      while deleted.first == position {
        deleted.removeFirst()
        position += 1
      }
    }
    for (place, element) in new.enumerated() {
      if inserted.first == place {
        inserted.removeFirst()
        continue
      }
      skipDeleted()
      guard position < old.count, old[position] == element else { return false }
      position += 1
    }
    skipDeleted()
    return position == old.count && deleted.isEmpty && inserted.isEmpty
      && modifications.allSatisfy(old.indices.contains)
      && Set(deletions).isDisjoint(with: modifications)
  }
}

/// The identities of rows as one parameter of a statement.
///
/// A connection caches the statement of each text that it has run, so the text depends neither on
/// the rows nor on their number. There is one text for a single row, the most frequent case, and
/// one for all other numbers.
package struct BoundIdentities: Sendable {
  private let identities: [Int64]

  /// Whether the text for a single row is used.
  package var isOne: Bool { identities.count == 1 }

  package init(_ identities: [Int64]) { self.identities = identities }

  /// Returns the condition after a column: that its value is one of the identities.
  package func condition(at number: Int) -> String {
    Self.condition(at: number, isOne: isOne)
  }

  /// Returns the condition before the rows are known.
  package static func condition(at number: Int, isOne: Bool) -> String {
    isOne ? "= ?\(number)" : "IN (SELECT value FROM json_each(?\(number)))"
  }

  /// The parameter: the identity, or a JSON array.
  package var parameter: StoredValue {
    if isOne { return .integer(identities[0]) }
    return .text("[" + identities.lazy.map(String.init).joined(separator: ",") + "]")
  }
}
