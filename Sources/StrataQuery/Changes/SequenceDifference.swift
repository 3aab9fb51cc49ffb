/// The difference of two lists of which only the contents are known.
package enum SequenceDifference {
  /// The difference of two lists of identities, each of which is in a list once.
  ///
  /// As few rows as possible move. A row that is in both and didn't move is a modification if it
  /// was touched; one that moved is a deletion and an insertion.
  ///
  /// - Parameter touched: Whether a row was touched. Asked for rows that are in both lists only.
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
    return difference.changes
  }

  /// The pairs of positions between the common ends of rows that stay.
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

  /// The difference of two lists that may have equal elements.
  ///
  /// It is a shortest one up to 1,000 deletions and insertions between the common ends; beyond that
  /// everything between them is deleted and inserted.
  ///
  /// - Parameter modified: Whether an element that stays is to be called modified.
  package static func elements<Element: Hashable>(
    old: [Element], new: [Element], modified: (Element) -> Bool
  ) -> ChangeSet {
    let ends = CommonEnds(old, new)
    var difference = Difference(old: ends.old, new: ends.new)
    difference.keep(0..<ends.start) { modified(old[$0]) }
    if !ends.old.isEmpty, !ends.new.isEmpty {
      // Small numbers are compared faster than texts.
      var numbers: [Element: Int32] = [:]
      let script = ShortestScript(
        old[ends.old].map { number(of: $0, &numbers) },
        new[ends.new].map { number(of: $0, &numbers) })
      for pair in script.kept(limit: 1000) ?? [] {
        let position = ends.start + pair.old
        difference.keep(
          position, as: ends.start + pair.new, isModified: modified(old[position]))
      }
    }
    difference.endMiddle()
    difference.keep(ends.old.upperBound..<old.count) { modified(old[$0]) }
    return difference.changes
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

/// A change set in the making, from the elements that stay, in order.
private struct Difference {
  private let oldEnd: Int
  private let newEnd: Int
  /// What comes next in the middle of the lists.
  private var old: Int
  private var new: Int
  private var deletions: [Int] = []
  private var insertions: [Int] = []
  private var modifications: [Int] = []

  /// - Parameter old: What is between the common ends.
  init(old: Range<Int>, new: Range<Int>) {
    self.old = old.lowerBound
    self.new = new.lowerBound
    oldEnd = old.upperBound
    newEnd = new.upperBound
  }

  var changes: ChangeSet {
    ChangeSet(deletions: deletions, insertions: insertions, modifications: modifications)
  }

  /// Positions at a common end.
  mutating func keep(_ positions: Range<Int>, isModified: (Int) -> Bool) {
    for position in positions where isModified(position) { modifications.append(position) }
  }

  /// An element in the middle that stays; what is before it and wasn't kept doesn't.
  mutating func keep(_ position: Int, as newPosition: Int, isModified: Bool) {
    deletions += old..<position
    insertions += new..<newPosition
    if isModified { modifications.append(position) }
    old = position + 1
    new = newPosition + 1
  }

  /// Nothing further of the middle stays.
  mutating func endMiddle() {
    deletions += old..<oldEnd
    insertions += new..<newEnd
  }
}
