import Foundation
import Testing

/// Damaged files, which are opened, read, written and migrated.
///
/// Child processes do this, so that a crash or a hang is noticed, with its seed.
@Suite("Damaged files")
struct DamagedFileTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let batch: UInt64 = 25

  /// The first seed of each process.
  static let batches: [UInt64] = {
    if let seed = environment["STRATA_DAMAGE_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(
      stride(from: 1, through: environment["STRATA_FAULTS"] == "all" ? 1_000 : 50, by: 25))
  }()

  static let count = environment["STRATA_DAMAGE_SEED"] == nil ? batch : 1

  @Test(arguments: batches)
  func `Damaged files end in an error, or show what they have`(first: UInt64) async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [first = first as UInt64] in
      try DamagedFileTests.run(from: first)
    }
    guard result == nil else { return }
    Issue.record(
      """
      Run each of these alone, for the last seed that its process names: for seed in \
      $(seq \(first) \(first + Self.count - 1)); do STRATA_DAMAGE_SEED=$seed swift test --filter \
      DamagedFileTests; done
      """)
  }

  static func run(from first: UInt64) throws {
    let watchdog = Watchdog()
    let files = try [false, true].map { try EverythingFile.bytes(hasLog: $0) }
    var failures: [String] = []
    var outcomes: [String: Int] = [:]
    for seed in first..<(first + count) {
      FileHandle.standardError.write(Data("seed \(seed)\n".utf8))
      watchdog.restart(seconds: 60)
      var trial = DamageTrial(seed: seed, files[Int(seed / 2 % 2)])
      try trial.run()
      if !trial.failures.isEmpty { failures.append(trial.description) }
      for outcome in trial.outcomes { outcomes[outcome, default: 0] += 1 }
    }
    let summary = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    FileHandle.standardError.write(Data("outcomes: \(summary.joined(separator: ", "))\n".utf8))
    for failure in failures { Issue.record("\(failure)") }
  }
}
