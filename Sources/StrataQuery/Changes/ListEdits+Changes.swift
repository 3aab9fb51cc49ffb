extension ListEdits {
  /// The change set of all edits; nil unless ``isKnown``.
  ///
  /// A moved element is a deletion and an insertion, a replaced one a modification.
  ///
  /// - Parameter elementChanged: Whether the element at a position in the new list changed by
  ///   itself, as an object whose properties were set. Asked for elements that stayed and weren't
  ///   replaced.
  package func changes(elementChanged: ((_ newIndex: Int) -> Bool)? = nil) -> ChangeSet? {
    guard isKnown else { return nil }
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []
    var (old, new) = (0, 0)
    for run in runs {
      defer { new += run.count }
      guard let start = run.old else {
        insertions += new..<(new + run.count)
        continue
      }
      deletions += old..<start
      old = start + run.count
      if run.isReplaced {
        modifications += start..<old
      } else if let elementChanged {
        for offset in 0..<run.count where elementChanged(new + offset) {
          modifications.append(start + offset)
        }
      }
    }
    deletions += old..<oldCount
    return ChangeSet(
      deletions: deletions, insertions: insertions, modifications: modifications)
  }

  /// These edits and then others as if they were made one after the other.
  ///
  /// - Parameter newer: The edits of the list that these edits have led to.
  package func followed(by newer: ListEdits) -> ListEdits {
    guard isKnown, newer.isKnown, newer.oldCount == count else {
      return ListEdits(oldCount: oldCount, runs: [], isKnown: false)
    }
    var result: [Run] = []
    func append(_ run: Run) {
      if let last = result.last, last.isContinued(by: run) {
        result[result.count - 1].count += run.count
      } else {
        result.append(run)
      }
    }
    // What the newer edits left of the list is in its order: one pass over both finds its past.
    var index = 0
    var start = 0
    for run in newer.runs {
      guard var position = run.old else {
        append(run)
        continue
      }
      let end = position + run.count
      while position < end {
        while start + runs[index].count <= position {
          start += runs[index].count
          index += 1
        }
        let older = runs[index]
        let next = min(end, start + older.count)
        append(
          Run(
            old: older.old.map { $0 + position - start }, count: next - position,
            isReplaced: older.old != nil && (older.isReplaced || run.isReplaced)))
        position = next
      }
    }
    return ListEdits(oldCount: oldCount, runs: result, isKnown: true)
  }
}
