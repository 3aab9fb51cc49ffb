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
