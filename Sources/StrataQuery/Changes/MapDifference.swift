import StrataSchema

/// The changes between two states of a map, as keys.
package struct MapDifference: Equatable, Sendable {
  /// Keys of the old map that were deleted, in its order.
  package private(set) var deletions: [String] = []
  /// Keys of the new map that were inserted, in its order.
  package private(set) var insertions: [String] = []
  /// Keys of both maps whose values changed, in their order.
  package private(set) var modifications: [String] = []

  /// Whether nothing changed.
  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// Compares two maps in one pass over both.
  ///
  /// - Parameters:
  ///   - old: The entries, sorted by the bytes of their keys in UTF-8, as in SQLite.
  ///   - new: The entries, in the same order.
  ///   - isTouched: Whether an equal value changed nevertheless, for example an object whose
  ///     properties were set.
  package init<Value: Equatable>(
    old: [(key: String, value: Value)], new: [(key: String, value: Value)],
    isTouched: (Value) -> Bool
  ) {
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      guard before < old.count else {
        insertions += new[after...].map(\.key)
        return
      }
      guard after < new.count else {
        deletions += old[before...].map(\.key)
        return
      }
      let (first, second) = (old[before], new[after])
      if SQLName.same(first.key, second.key) {
        if first.value != second.value || isTouched(second.value) {
          modifications.append(second.key)
        }
        before += 1
        after += 1
      } else if SQLName.precedes(first.key, second.key) {
        deletions.append(first.key)
        before += 1
      } else {
        insertions.append(second.key)
        after += 1
      }
    }
  }
}
