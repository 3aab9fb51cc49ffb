import StrataSchema

/// The difference of two lists whose edits are unknown.
package enum SequenceDifference {
  /// Returns the difference of two lists of identities, each without duplicates.
  ///
  /// The number of moved rows is minimal. A row in both lists that didn't move is a modification if
  /// it was touched; a moved row is a deletion and an insertion.
  ///
  /// - Parameter touched: Whether a row was touched. Called only for rows in both lists.
  package static func identities(
    old: [Int64], new: [Int64], touched: (Int64) -> Bool
  ) -> ChangeSet {
    let ends = CommonEnds(old, new)
    var difference = Difference(old: ends.old, new: ends.new)
    difference.keep(0..<ends.start) { touched(old[$0]) }
    if !ends.old.isEmpty {
      for pair in keptIdentities(old, new, ends) {
        difference.keep(pair.old, as: pair.new, isModified: touched(old[pair.old]))
      }
    }
    difference.endMiddle()
    difference.keep(ends.old.upperBound..<old.count) { touched(old[$0]) }
    let changes = difference.changes
    assert(changes.leads(from: old, to: new))
    return changes
  }

  /// Returns the pairs of positions of the rows that stay, between the common ends.
  private static func keptIdentities(
    _ old: [Int64], _ new: [Int64], _ ends: CommonEnds
  ) -> [(old: Int, new: Int)] {
    var places: [Int64: Int] = Dictionary(minimumCapacity: ends.new.count)
    for position in ends.new { places[new[position]] = position }
    var common: [(old: Int, new: Int)] = []
    for position in ends.old {
      if let place = places[old[position]] { common.append((position, place)) }
    }
    return IncreasingRun.positions(in: common.map(\.new)).map { common[$0] }
  }

  /// Returns the difference of two lists that may have equal elements.
  ///
  /// The difference is minimal up to 1,000 deletions and insertions between the common ends. Beyond
  /// that, all elements between the common ends are deleted and inserted.
  ///
  /// - Parameter modified: Whether an element that stays counts as modified.
  package static func elements<Element: Hashable>(
    old: [Element], new: [Element], modified: (Element) -> Bool
  ) -> ChangeSet {
    let ends = CommonEnds(old, new)
    var difference = Difference(old: ends.old, new: ends.new)
    difference.keep(0..<ends.start) { modified(old[$0]) }
    if !ends.old.isEmpty, !ends.new.isEmpty {
      // Comparing small numbers is faster than comparing strings.
      var numbers: [Element: Int32] = [:]
      let script = ShortestScript(
        old: old[ends.old].map { number(of: $0, &numbers) },
        new: new[ends.new].map { number(of: $0, &numbers) })
      for pair in script.kept(limit: 1000) ?? [] {
        let position = ends.start + pair.old
        difference.keep(
          position, as: ends.start + pair.new, isModified: modified(old[position]))
      }
    }
    difference.endMiddle()
    difference.keep(ends.old.upperBound..<old.count) { modified(old[$0]) }
    let changes = difference.changes
    assert(changes.leads(from: old, to: new))
    return changes
  }

  private static func number<Element: Hashable>(
    of element: Element, _ numbers: inout [Element: Int32]
  ) -> Int32 {
    if let number = numbers[element] { return number }
    let number = Int32(truncatingIfNeeded: numbers.count)
    numbers[element] = number
    return number
  }
}

/// A change set under construction, from the elements that stay, in order.
private struct Difference {
  private let oldEnd: Int
  private let newEnd: Int
  /// The next positions in the middle of the lists.
  private var old: Int
  private var new: Int
  private var deletions: [Int] = []
  private var insertions: [Int] = []
  private var modifications: [Int] = []

  /// - Parameter old: The range between the common ends.
  init(old: Range<Int>, new: Range<Int>) {
    self.old = old.lowerBound
    self.new = new.lowerBound
    oldEnd = old.upperBound
    newEnd = new.upperBound
  }

  var changes: ChangeSet {
    ChangeSet(deletions: deletions, insertions: insertions, modifications: modifications)
  }

  /// Keeps the positions at a common end.
  mutating func keep(_ positions: Range<Int>, isModified: (Int) -> Bool) {
    for position in positions where isModified(position) { modifications.append(position) }
  }

  /// Keeps an element in the middle. Elements before it that weren't kept are deleted or inserted.
  mutating func keep(_ position: Int, as newPosition: Int, isModified: Bool) {
    deletions += old..<position
    insertions += new..<newPosition
    if isModified { modifications.append(position) }
    old = position + 1
    new = newPosition + 1
  }

  /// Ends the middle: its remaining elements are deleted or inserted.
  mutating func endMiddle() {
    deletions += old..<oldEnd
    insertions += new..<newEnd
  }
}

/// The common beginning and the common end of two lists.
package struct CommonEnds {
  /// The number of equal elements at the beginning.
  package let start: Int
  /// The ranges between the common ends.
  package let old: Range<Int>
  package let new: Range<Int>

  package init<Element: Equatable>(_ first: [Element], _ second: [Element]) {
    let shorter = min(first.count, second.count)
    var start = 0
    while start < shorter, first[start] == second[start] { start += 1 }
    var end = 0
    while end < shorter - start, first[first.count - 1 - end] == second[second.count - 1 - end] {
      end += 1
    }
    self.start = start
    old = start..<(first.count - end)
    new = start..<(second.count - end)
  }
}

/// The longest ascending subsequence: the elements that stay while the others move.
enum IncreasingRun {
  /// Returns the positions of the members of a longest ascending subsequence, ascending.
  ///
  /// Takes at most n · log n comparisons, and n if the whole sequence ascends.
  ///
  /// - Parameter values: The values, without duplicates.
  static func positions(in values: [Int]) -> [Int] {
    if zip(values, values.dropFirst()).allSatisfy(<) { return Array(values.indices) }
    // The end of the subsequence with the smallest last value, for each length.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (position, value) in values.enumerated() {
      let length = ends.indices.bisected { values[ends[$0]] < value }
      if length > 0 { before[position] = ends[length - 1] }
      if length == ends.count { ends.append(position) } else { ends[length] = position }
    }
    var result: [Int] = []
    result.reserveCapacity(ends.count)
    var position = ends.last ?? -1
    while position >= 0 {
      result.append(position)
      position = before[position]
    }
    result.reverse()
    return result
  }
}

/// The shortest edit script between two lists, by Myers' algorithm: the furthest position on each
/// diagonal, for each number of deletions and insertions.
///
/// E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
struct ShortestScript {
  let old: [Int32]
  let new: [Int32]

  /// Returns the pairs of positions that stay, ascending; nil if there are more differences than
  /// `limit`.
  ///
  /// Takes memory for at most `limit` · `limit` positions of four bytes.
  func kept(limit: Int) -> [(old: Int, new: Int)]? {
    let most = min(limit, old.count + new.count)
    guard abs(old.count - new.count) <= most else { return nil }
    var reach = [Int32](repeating: 0, count: 2 * most + 2)
    var history: [[Int32]] = []
    for differences in 0...most {
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        let x = advance(
          Self.start(diagonal, differences) { Int(reach[most + $0]) }.position, diagonal)
        reach[most + diagonal] = Int32(x)
        if x >= old.count, x - diagonal >= new.count { return pairs(history, differences) }
      }
      history.append(Array(reach[(most - differences)...(most + differences)]))
    }
    return nil
  }

  /// Returns the position at which a diagonal is entered with one more difference, and the diagonal
  /// before.
  private static func start(
    _ diagonal: Int, _ differences: Int, _ reach: (Int) -> Int
  ) -> (position: Int, from: Int) {
    let isInsertion =
      diagonal == -differences
      || (diagonal != differences && reach(diagonal - 1) < reach(diagonal + 1))
    return isInsertion
      ? (reach(diagonal + 1), diagonal + 1) : (reach(diagonal - 1) + 1, diagonal - 1)
  }

  /// Moves along a diagonal while the elements are the same.
  private func advance(_ position: Int, _ diagonal: Int) -> Int {
    var x = position
    while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
    return x
  }

  /// Returns the pairs, from the ends of both lists back to their beginnings.
  private func pairs(_ history: [[Int32]], _ differences: Int) -> [(old: Int, new: Int)] {
    var result: [(old: Int, new: Int)] = []
    var x = old.count
    var y = new.count
    for count in stride(from: differences, to: 0, by: -1) {
      // The middle of the array is diagonal 0.
      let reach = history[count - 1]
      let entry = Self.start(x - y, count) { Int(reach[count - 1 + $0]) }
      while x > entry.position {
        x -= 1
        y -= 1
        result.append((x, y))
      }
      x = Int(reach[count - 1 + entry.from])
      y = x - entry.from
    }
    while x > 0 {
      x -= 1
      y -= 1
      result.append((x, y))
    }
    return result.reversed()
  }
}

/// The changes between two states of a map, as keys.
package struct MapDifference: Equatable, Sendable {
  /// Keys of the old map that were deleted, in its order.
  package private(set) var deletions: [String] = []
  /// Keys of the new map that were inserted, in its order.
  package private(set) var insertions: [String] = []
  /// Keys of both maps whose values changed, in their order.
  package private(set) var modifications: [String] = []

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
