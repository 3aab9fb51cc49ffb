/// The shortest way from one list to another, by Myers' algorithm: for each number of deletions and
/// insertions, how far they lead on each diagonal.
///
/// E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
struct ShortestScript {
  private let old: [Int32]
  private let new: [Int32]

  init(_ old: [Int32], _ new: [Int32]) {
    self.old = old
    self.new = new
  }

  /// The pairs of positions that stay, ascending; nil when there are more differences than `limit`.
  ///
  /// Takes memory for `limit` · `limit` positions of four bytes at most.
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

  /// Where a diagonal is entered with one difference more, and from which other diagonal.
  private static func start(
    _ diagonal: Int, _ differences: Int, _ reach: (Int) -> Int
  ) -> (position: Int, from: Int) {
    let isInsertion =
      diagonal == -differences
      || (diagonal != differences && reach(diagonal - 1) < reach(diagonal + 1))
    return isInsertion
      ? (reach(diagonal + 1), diagonal + 1) : (reach(diagonal - 1) + 1, diagonal - 1)
  }

  /// Goes along a diagonal as long as the elements are the same.
  private func advance(_ position: Int, _ diagonal: Int) -> Int {
    var x = position
    while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
    return x
  }

  /// Goes back from the ends of both lists to their beginnings.
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
