import StrataQuery
import TestKit
import Testing

@Suite struct ListEditsTests {
  @Test func `An object that changed by itself is a modification where it stayed`() {
    var edits = ListEdits(count: 3)
    edits.insert(at: 0)
    expectEqual(
      edits.changes { $0 == 0 || $0 == 3 }, ChangeSet(insertions: [0], modifications: [2]))
  }

  @Test func `Edits that don't fit say that something else was done to the list`() {
    var edits = ListEdits(count: 1)
    edits.remove(at: 1)
    expectFalse(edits.isKnown)
    expectNil(edits.changes())
    edits.insert(at: 0)
    expectNil(edits.changes())
    expectNil(ListEdits(count: 2).followed(by: ListEdits(count: 3)).changes())
    expectNil(ListEdits(count: 1).followed(by: edits).changes())
  }

  @Test func `Many edits side by side take little time`() {
    var edits = ListEdits(count: 100_000)
    for position in 0..<50_000 { edits.replace(at: position) }
    for _ in 0..<100_000 { edits.insert(at: edits.count) }
    for _ in 0..<10_000 { edits.remove(at: 0) }
    let changes = edits.changes()
    expectEqual(changes?.deletions.count, 10_000)
    expectEqual(changes?.modifications.count, 40_000)
    expectEqual(changes?.insertions.count, 100_000)
  }

  /// A list of elements that each know where they were, which is the truth.
  private struct Model {
    struct Element: Equatable {
      var old: Int?
      var isReplaced = false
    }
    let oldCount: Int
    var elements: [Element]

    init(count: Int) {
      oldCount = count
      elements = (0..<count).map { Element(old: $0) }
    }

    var changes: ChangeSet {
      let kept = elements.compactMap(\.old)
      return ChangeSet(
        deletions: Array(0..<oldCount).filter { !kept.contains($0) },
        insertions: elements.indices.filter { elements[$0].old == nil },
        modifications: elements.filter(\.isReplaced).compactMap(\.old))
    }
  }

  @Test func `Random programs of edits give the right changes, as one and composed`() {
    for seed in 0..<4_000 {
      var random = SplitMix64(seed: UInt64(seed))
      let count = Int.random(in: 0...8, using: &random)
      var model = Model(count: count)
      var edits = ListEdits(count: count)
      var parts = [ListEdits(count: count)]
      for _ in 0..<Int.random(in: 0...14, using: &random) {
        if random.percent(20) { parts.append(ListEdits(count: model.elements.count)) }
        step(&model, &edits, &parts[parts.count - 1], &random)
        expectEqual(edits.count, model.elements.count, "seed \(seed)")
      }
      expectEqual(edits.changes(), model.changes, "seed \(seed)")
      // Composed from both sides.
      let left = parts.reduce(ListEdits(count: count)) { $0.followed(by: $1) }
      let right = parts.dropLast().reversed().reduce(parts[parts.count - 1]) {
        $1.followed(by: $0)
      }
      expectEqual(left.changes(), model.changes, "seed \(seed)")
      expectEqual(right.changes(), model.changes, "seed \(seed)")
    }
  }

  private func step(
    _ model: inout Model, _ edits: inout ListEdits, _ part: inout ListEdits,
    _ random: inout SplitMix64
  ) {
    let count = model.elements.count
    func both(_ body: (inout ListEdits) -> Void) {
      body(&edits)
      body(&part)
    }
    guard count > 0, !random.percent(35) else {
      let position = Int.random(in: 0...count, using: &random)
      let added = Int.random(in: 1...3, using: &random)
      model.elements.insert(contentsOf: repeatElement(.init(), count: added), at: position)
      both { $0.insert(at: position, count: added) }
      return
    }
    let first = Int.random(in: 0..<count, using: &random)
    let second = Int.random(in: 0..<count, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      model.elements.removeAll()
      both { $0.removeAll() }
    case 1...4:
      if model.elements[first].old != nil { model.elements[first].isReplaced = true }
      both { $0.replace(at: first) }
    case 5...8:
      if first != second {
        model.elements.remove(at: first)
        model.elements.insert(.init(), at: second)
      }
      both { $0.move(from: first, to: second) }
    default:
      let removed = Int.random(in: 1...min(3, count - first), using: &random)
      model.elements.removeSubrange(first..<(first + removed))
      both { $0.remove(at: first, count: removed) }
    }
  }
}
