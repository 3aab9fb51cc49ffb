import StrataQuery
import TestKit
import Testing

@Suite struct RowOrderTests {
  @Test func `All rows go, and all come`() {
    expectEqual(
      RowOrder(delivered: [1, 2], touched: [1, 2]).change(to: []).rows, [Int64]())
    let new = RowOrder(delivered: [], touched: [7, 5])
      .change(to: [(row: 7, gap: 0), (row: 5, gap: 0)])
    expectEqual(new.rows, [7, 5])
    expectEqual(new.changes, ChangeSet(insertions: [0, 1]))
  }

  @Test(arguments: [Int64(1), 3, 1 << 50])
  func `Rows that ascend are looked up, with the same outcome`(spread: Int64) {
    var random = SplitMix64(seed: UInt64(spread))
    for count in [0, 1, 2, 3, 10, 40, 200] {
      for _ in 0..<30 {
        let all = (0..<Int64(count + 4)).map { ($0 - 2) * spread }
        let list = all.dropFirst(2).dropLast(2).filter { _ in random.percent(80) }
        // A few are looked up, and many are passed.
        let share = random.percent(50) ? 30 : 2
        let touched = Array(all.filter { _ in random.percent(share) }.reversed())
        expectEqual(
          RowOrder.positions(of: touched, in: list, isAscending: true),
          RowOrder.positions(of: touched, in: list))
        let order = RowOrder(delivered: list, touched: touched, isAscending: true)
        let other = RowOrder(delivered: list, touched: touched)
        expectEqual(order.untouchedCount, other.untouchedCount)
        expectEqual(all.map { order.deliveredGap(of: $0) }, all.map { other.deliveredGap(of: $0) })
        let present = list.filter { touched.contains($0) && random.percent(50) }
          .map { (row: $0, gap: order.deliveredGap(of: $0) ?? 0) }
        let (rows, changes) = order.change(to: present)
        let expected = other.change(to: present)
        expectEqual(rows, expected.rows)
        expectEqual(changes, expected.changes)
      }
    }
    let long: [Int64] = [.min] + (1...100) + [.max]
    expectEqual(RowOrder.positions(of: [5, 700, -3], in: long, isAscending: true), [5])
    expectEqual(RowOrder.positions(of: [.max, .min], in: long, isAscending: true), [0, 101])
  }

  /// Rows with a value each, which orders them; equal values are ordered by row.
  private struct Sorted {
    var values: [Int64: Int]

    var rows: [Int64] { values.keys.sorted { precedes($0, $1) } }

    func precedes(_ first: Int64, _ second: Int64) -> Bool {
      (values[first] ?? 0, first) < (values[second] ?? 0, second)
    }
  }

  @Test(arguments: [Int64(1), 1_000_003, 1 << 40])
  func `Random commits give the new rows, and untouched rows never move`(spread: Int64) {
    var random = SplitMix64(seed: UInt64(spread))
    for _ in 0..<1_500 {
      let all = (1...10).map { Int64($0) * spread - 4 * spread }
      var table = Sorted(values: [:])
      for row in all where random.percent(70) {
        table.values[row] = Int.random(in: 0...5, using: &random)
      }
      let old = table.rows
      let touched = all.filter { _ in random.percent(35) }
      for row in touched {
        if random.percent(25) {
          table.values[row] = nil
        } else if table.values[row] != nil || random.percent(60) {
          table.values[row] = Int.random(in: 0...5, using: &random)
        }
      }
      let order = RowOrder(delivered: old, touched: touched)
      var present: [(row: Int64, gap: Int)] = []
      for row in table.rows where touched.contains(row) {
        let hint = random.percent(50) ? order.deliveredGap(of: row) : nil
        let gap = order.gap(atLeast: present.last?.gap ?? 0, near: hint) {
          table.precedes($0, row)
        }
        present.append((row, gap))
      }
      let (rows, changes) = order.change(to: present)
      expectEqual(rows, table.rows)
      expect(changes, old, rows, touched: Set(touched))
    }
  }

  private func expect(
    _ changes: ChangeSet, _ old: [Int64], _ new: [Int64], touched: Set<Int64>
  ) {
    expectEqual(changes.applied(to: old, from: new), new)
    expectTrue(changes.isWellFormed(old: old.count, new: new.count))
    expectTrue(changes.deletions.allSatisfy { touched.contains(old[$0]) })
    expectTrue(changes.insertions.allSatisfy { touched.contains(new[$0]) })
    let staying = Set(old.indices.filter { touched.contains(old[$0]) })
      .subtracting(changes.deletions)
    expectEqual(Set(changes.modifications), staying)
    // As few touched rows move as can be while the others stay: each choice is tried.
    let choices = old.indices.filter { touched.contains(old[$0]) }
    var fewest = choices.count
    for mask in 0..<(1 << choices.count) {
      let gone = choices.indices.filter { mask & (1 << $0) != 0 }.map { choices[$0] }
      guard gone.count < fewest else { continue }
      var rest = old.indices.filter { !gone.contains($0) }.map { old[$0] }[...]
      for row in new where rest.first == row { rest.removeFirst() }
      if rest.isEmpty { fewest = gone.count }
    }
    expectEqual(changes.deletions.count, fewest)
  }

  @Test func `A right hint asks for two rows, and none for a wrong one fails`() {
    let order = RowOrder(delivered: Array(0..<1_000), touched: [500])
    var asked = 0
    let gap = order.gap(near: order.deliveredGap(of: 500)) { row in
      asked += 1
      return row < 500
    }
    expectEqual(gap, 500)
    expectEqual(asked, 2)
    for target in 0...999 {
      expectEqual(
        order.gap(near: 500) { $0 < Int64(target) }, (target <= 500 ? target : target - 1))
    }
  }

  @Test func `An error while comparing is passed on`() {
    struct Failure: Error {}
    let order = RowOrder(delivered: [1, 2, 3], touched: [2])
    #expect(throws: Failure.self) { try order.gap { _ in throw Failure() } }
  }
}
