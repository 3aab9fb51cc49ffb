import Foundation
import Testing

/// Runs random migration blocks on random files, and compares each step with the rules.
@Suite("Random migration blocks")
struct RandomClosureTests {
  /// A chain has up to three migrations: the long form has more than 10,000.
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["STRATA_RANDOM_SEED"].flatMap(UInt64.init) { return [seed] }
    if let count = environment["STRATA_RANDOM_COUNT"].flatMap(UInt64.init) {
      return Array(1...count)
    }
    return Array(1...(environment["STRATA_FAULTS"] == "all" ? 5_500 : 130))
  }()

  @Test("do what the rules say", arguments: seeds)
  func chain(seed: UInt64) throws {
    var chain = RandomChain(seed: seed)
    do {
      try chain.run()
    } catch let failure as RandomChain.Failure {
      let isAlone = Self.seeds.count == 1
      try KnownProblems.accepting(failure.problem) {
        Issue.record(
          """
          \(isAlone ? chain.shortened(failure) : failure)
          STRATA_RANDOM_SEED=\(seed) swift test --filter RandomClosureTests
          """)
      }
    }
  }
}

/// What is known to be wrong; each has a test of its own.
enum KnownProblems {
  private static let signs = [
    "duplicate column name: _id",
    "another program added a column '_id'",
    "can't get a table: the file has a table or view",
    "NOT NULL constraint failed",
    "should not come",
    "would break references",
  ]

  static func accepting(_ problem: String, _ body: () throws -> Void) throws {
    guard signs.contains(where: { problem.contains($0) }) else { return try body() }
    withKnownIssue { try body() }
  }
}
