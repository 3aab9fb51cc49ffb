import Foundation
import StrataTestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Random migration blocks on random files; each stage is compared with the rules.
@Suite("Random migration blocks")
struct RandomClosureTests {
  /// A chain has up to three migrations, and ends with the first one that must fail: seven chains
  /// have about ten. The long form has more than 10,000 migrations.
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String) -> UInt64? { environment[name].flatMap(UInt64.init) }
    if let seed = number("STRATA_RANDOM_SEED") { return [seed] }
    let isLong = environment["STRATA_FAULTS"] == "all"
    return Array(1...(number("STRATA_RANDOM_COUNT") ?? (isLong ? 7_500 : 50)))
  }()

  @Test(arguments: seeds)
  func `Random migration blocks follow the rules`(seed: UInt64) throws {
    var chain = RandomChain(seed: seed)
    do {
      // Half of them write every few rows, while the block goes on.
      try RowBuffer.$rowsAtOnce.withValue(seed.isMultiple(of: 2) ? 2 : 1_000) { try chain.run() }
    } catch let failure as RandomChain.Failure {
      let isAlone = Self.seeds.count == 1
      Issue.record(
        """
        \(isAlone ? chain.shortened(failure) : failure)
        STRATA_RANDOM_SEED=\(seed) swift test --filter RandomClosureTests
        """)
    }
  }
}
