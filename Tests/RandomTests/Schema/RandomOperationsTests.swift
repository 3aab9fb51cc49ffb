import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations between two random schemas")
struct RandomOperationsTests {
  /// Enough for every kind of operation and all their common combinations.
  private static let seeds = 0..<800

  @Test
  func `The operations lead from one random schema to the other, with and without a block`() throws
  {
    for seed in Self.seeds {
      let pair = RandomPair(seed: seed)
      for phases in [[SchemaTranslator.Phase.noBlock], [.beforeBlock, .afterBlock]] {
        try pair.check(phases)
      }
    }
  }

  @Test func `A table is rebuilt once at most, and keys come last`() {
    for seed in Self.seeds {
      for plan in RandomPair(seed: seed).allPlans {
        let last = plan.operations.last { $0.kind != "createPrimaryKey" }
        let hasKinds = plan.operations.contains { $0.kind == "changeKind" }
        expectTrue(!hasKinds || last?.kind == "changeKind", "seed \(seed)")
        let rebuilt = plan.operations.compactMap { operation -> String? in
          if case .rebuildTable(let rebuild) = operation { rebuild.table } else { nil }
        }
        expectEqual(Set(rebuilt).count, rebuilt.count, "seed \(seed)")
        let keys = plan.operations.map { if case .createPrimaryKey = $0 { true } else { false } }
        expectEqual(keys, keys.sorted { !$0 && $1 }, "seed \(seed)")
      }
    }
  }

  @Test func `Nothing is left to do after the operations`() {
    for seed in Self.seeds {
      let pair = RandomPair(seed: seed)
      let done = pair.plan(from: pair.old, .noBlock).schema
      for phase in [SchemaTranslator.Phase.noBlock, .afterBlock] {
        expectEqual(pair.plan(from: done, phase).operations, [], "seed \(seed)")
      }
    }
  }

  @Test func `The random schemas need every kind of operation often`() {
    var counts: [String: Int] = [:]
    for seed in Self.seeds {
      for operation in RandomPair(seed: seed).allPlans.flatMap(\.operations) {
        counts[operation.kind, default: 0] += 1
      }
    }
    let kinds = [
      "createTable", "addColumn", "rebuildTable", "fillColumns", "fillNulls", "dropColumn",
      "renameColumn", "renameIdentity", "createIndex", "dropIndex", "createPrimaryKey",
      "dropPrimaryKey", "createCollection", "dropCollection", "renameCollection",
      "rebuildCollection", "createElementsIndex", "dropElementsIndex", "changeKind",
      "createCompoundIndex", "dropCompoundIndex",
    ]
    expectEqual(Set(counts.keys), Set(kinds))
    expectTrue(counts.values.allSatisfy { $0 >= 8 }, "\(counts)")
  }
}

extension TableOperation {
  /// The name of the case, and a little more.
  fileprivate var kind: String {
    switch self {
    case .createTable: "createTable"
    case .addColumn: "addColumn"
    case .rebuildTable: "rebuildTable"
    case .fillColumns(_, _, onlyNull: false): "fillColumns"
    case .fillColumns(_, _, onlyNull: true): "fillNulls"
    case .dropColumn: "dropColumn"
    case .renameColumn(_, let from, _):
      ["_id", "_row_id"].contains(from) ? "renameIdentity" : "renameColumn"
    case .createIndex(_, let columns): columns.count == 1 ? "createIndex" : "createCompoundIndex"
    case .dropIndex(_, let columns): columns.count == 1 ? "dropIndex" : "dropCompoundIndex"
    case .createPrimaryKey: "createPrimaryKey"
    case .dropPrimaryKey: "dropPrimaryKey"
    case .createCollection: "createCollection"
    case .dropCollection: "dropCollection"
    case .createTextIndex: "createTextIndex"
    case .dropTextIndex: "dropTextIndex"
    case .createElementsIndex: "createElementsIndex"
    case .dropElementsIndex: "dropElementsIndex"
    case .renameCollection: "renameCollection"
    case .rebuildCollection: "rebuildCollection"
    case .changeKind: "changeKind"
    case .dropTable: "dropTable"
    case .renameTable: "renameTable"
    case .setColumns: "setColumns"
    case .retire: "retire"
    }
  }
}
