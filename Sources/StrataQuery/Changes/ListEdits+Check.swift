extension ListEdits {
  /// Whether these edits can have made one list of another: what they left in its place is the same
  /// in both.
  ///
  /// They can't when something else changed the list as well, which they don't know of.
  package func leads<Element: Equatable>(from old: [Element], to new: [Element]) -> Bool {
    guard isKnown, old.count == oldCount, new.count == count else { return false }
    var position = 0
    for run in runs {
      if let start = run.old, !run.isReplaced {
        guard old[start..<start + run.count] == new[position..<position + run.count] else {
          return false
        }
      }
      position += run.count
    }
    return true
  }
}
