import Strata
import TestKit

/// One step of a chain of queries that random programs observe.
enum ObservedStep: CaseIterable {
  case limit, distinct, sort, filter

  /// Each chain of steps, to a depth of four.
  static let chains: [[ObservedStep]] = (1...4).flatMap { depth in
    (0..<depth).reduce([[]]) { chains, _ in
      chains.flatMap { chain in allCases.map { chain + [$0] } }
    }
  }

  /// Most of what a step reads is of the row itself, so that only touched rows are looked at.
  func of(
    _ results: Results<Node>, _ random: inout SplitMix64
  ) -> (results: Results<Node>, text: String) {
    func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
    switch self {
    case .limit:
      let (count, offset) = (one([0, 1, 2, 3, 5, 8]), one([0, 0, 0, 1, 2]))
      return (results.limit(count, offset: offset), "limit \(count) offset \(offset)")
    case .distinct:
      let name = one(["rank", "name", "next.rank"])
      return (results.distinct(by: [name]), "distinct \(name)")
    case .sort:
      let (name, ascending) = (one(["rank", "name", "rank", "next.rank"]), one([true, false]))
      return (
        results.sorted(byKeyPath: name, ascending: ascending), "sorted \(name) \(ascending)"
      )
    case .filter:
      let text = one(["rank > 3", "rank < 9", "name != 'b'", "name == nil", "nodes.@count == 0"])
      return (results.filter(text), "filter \(text)")
    }
  }
}
