/// The edits of a list: which of its elements are old ones, and which of these were replaced.
///
/// Positions are valid at the time of each edit. Equal elements are distinct, because only
/// positions count. So removing and adding all elements results in a deletion and an insertion for
/// each.
///
/// The elements are stored as runs, so a list without edits takes no memory, and adjacent edits
/// take constant time each.
package struct ListEdits: Sendable {
  /// The number of elements before the first edit.
  package let oldCount: Int
  /// The present number of elements. Undefined if ``isKnown`` is false.
  package private(set) var count: Int
  /// Whether the edits are complete. If not, the elements have to be compared.
  package private(set) var isKnown = true

  private(set) var runs: [Run]
  /// The place of the last edit: a run, and the number of elements before it.
  private var cursor = (run: 0, position: 0)

  /// Adjacent elements with the same origin.
  struct Run: Sendable, Equatable {
    /// The old position of the first element; nil if the elements are new.
    var old: Int?
    var count: Int
    /// Whether the elements were replaced by other values.
    var isReplaced = false

    func isContinued(by next: Run) -> Bool {
      guard let old else { return next.old == nil }
      return next.old == old + count && next.isReplaced == isReplaced
    }
  }

  package init(count: Int) {
    oldCount = count
    self.count = count
    runs = count > 0 ? [Run(old: 0, count: count)] : []
  }

  init(oldCount: Int, runs: [Run], isKnown: Bool) {
    self.oldCount = oldCount
    self.runs = runs
    self.isKnown = isKnown
    count = runs.reduce(0) { $0 + $1.count }
  }

  /// Records an unknown change of the list, so that the edits are incomplete.
  package mutating func recordUnknownEdits() {
    isKnown = false
    runs = []
    cursor = (0, 0)
  }

  // MARK: Edits

  package mutating func insert(at position: Int, count added: Int = 1) {
    guard check(0...count ~= position), added > 0 else { return }
    count += added
    var index = seek(position)
    if index < runs.count, runs[index].old == nil {
      runs[index].count += added
      return
    }
    if cursor.position == position, index > 0, runs[index - 1].old == nil {
      cursor = (index - 1, position - runs[index - 1].count)
      runs[index - 1].count += added
      return
    }
    index = split(position)
    runs.insert(Run(old: nil, count: added), at: index)
  }

  package mutating func remove(at position: Int, count removed: Int = 1) {
    guard check(position >= 0 && position + removed <= count), removed > 0 else { return }
    count -= removed
    let start = split(position)
    let end = split(position + removed)
    runs.removeSubrange(start..<end)
    cursor = (start, position)
    join(start)
  }

  /// Records that an element was moved to a position, counted without the element.
  package mutating func move(from source: Int, to destination: Int) {
    guard check(0..<count ~= source && 0..<count ~= destination), source != destination else {
      return
    }
    remove(at: source)
    insert(at: destination)
  }

  /// Records that an element was replaced by another value.
  package mutating func replace(at position: Int) {
    guard check(0..<count ~= position) else { return }
    let index = seek(position)
    guard runs[index].old != nil, !runs[index].isReplaced else { return }
    let start = split(position)
    _ = split(position + 1)
    runs[start].isReplaced = true
    cursor = (start, position)
    join(start + 1)
    join(start)
  }

  /// Records that all elements were removed.
  package mutating func removeAll() {
    guard isKnown else { return }
    runs = []
    count = 0
    cursor = (0, 0)
  }

  // MARK: Runs

  /// Checks an edit. An edit that doesn't fit means that the list had an unknown change before.
  private mutating func check(_ fits: Bool) -> Bool {
    guard isKnown else { return false }
    if !fits { recordUnknownEdits() }
    return fits
  }

  /// Moves the cursor to the run at a position, or behind the last run. Returns its index.
  private mutating func seek(_ position: Int) -> Int {
    var (run, start) = cursor
    while start > position {
      run -= 1
      start -= runs[run].count
    }
    while run < runs.count, start + runs[run].count <= position {
      start += runs[run].count
      run += 1
    }
    cursor = (run, start)
    return run
  }

  /// Splits runs so that one begins at a position. Returns its index.
  private mutating func split(_ position: Int) -> Int {
    let index = seek(position)
    let before = position - cursor.position
    guard before > 0 else { return index }
    var rest = runs[index]
    rest.count -= before
    rest.old = rest.old.map { $0 + before }
    runs[index].count = before
    runs.insert(rest, at: index + 1)
    cursor = (index + 1, position)
    return index + 1
  }

  /// Joins the run at an index with the previous one, if it continues that run.
  private mutating func join(_ index: Int) {
    guard index > 0, index < runs.count, runs[index - 1].isContinued(by: runs[index])
    else { return }
    // The cursor is at this run or before it.
    if cursor.run == index { cursor = (index - 1, cursor.position - runs[index - 1].count) }
    runs[index - 1].count += runs[index].count
    runs.remove(at: index)
  }
}

extension ListEdits {
  /// Whether these edits can have turned one list into another: the elements that stayed are the
  /// same in both.
  ///
  /// False if there was another, unrecorded change of the list.
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

extension ListEdits {
  /// Returns the change set of all edits; nil unless ``isKnown``.
  ///
  /// A moved element is a deletion and an insertion, a replaced one a modification.
  ///
  /// - Parameter elementChanged: Whether the element at a position in the new list changed itself,
  ///   for example an object whose properties were set. Called for elements that stayed and weren't
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

  /// Returns these edits followed by other edits.
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
    // The elements that the newer edits kept are in order, so one pass over both finds their
    // origins.
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
