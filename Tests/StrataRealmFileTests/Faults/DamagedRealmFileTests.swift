import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// Files with some changed bytes. Child processes read them, so that a crash or a hang is noticed.
@Suite("Damaged .realm files")
struct DamagedRealmFileTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isLong = environment["STRATA_FAULTS"] == "all"
  private static let batch: UInt64 = isLong ? 5_000 : 250

  /// The first seed of each process: a thousand seeds, or a hundred thousand.
  static let batches: [UInt64] = {
    if let seed = environment["STRATA_DAMAGE_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(stride(from: 1, through: isLong ? 100_000 : 1_000, by: Int(batch)))
  }()

  private static let count = environment["STRATA_DAMAGE_SEED"] == nil ? batch : 1

  @Test(arguments: batches)
  func `Damaged files end in an error with its place, or are read`(first: UInt64) async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [first = first as UInt64] in
      try DamagedRealmFileTests.run(from: first)
    }
    guard result == nil else { return }
    Issue.record(
      "Run one of them alone, with the last seed that was named: STRATA_DAMAGE_SEED=\(first)")
  }

  private static func run(from first: UInt64) throws {
    let files = try RealFile.plain.map { name in
      let bytes = try RealFile.bytes(name)
      return (name: name, bytes: bytes, nodes: Mutation.nodes(of: bytes))
    }
    var outcomes: [String: Int] = [:]
    var slowest = 0.0
    for seed in first..<first + count {
      endProcess(afterSecondsOfProcessor: 20)
      let file = files[Int(seed % UInt64(files.count))]
      FileHandle.standardError.write(Data("seed \(seed)\n".utf8))
      let mutation = Mutation(seed: seed, file.bytes, nodes: file.nodes)
      let start = clock()
      outcomes[outcome(mutation.bytes, "\(file.name), seed \(seed)"), default: 0] += 1
      slowest = max(slowest, Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }
    let memory = try largestMemory()
    expectTrue(memory < 1_500_000_000, "The process took \(memory) bytes")
    let summary = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
    FileHandle.standardError.write(
      Data("outcomes: \(summary), slowest \(slowest) s, \(memory) bytes\n".utf8))
    // Both happen in each batch, or the mutations are not worth much.
    expectTrue(count == 1 || outcomes.count > 3, "\(summary)")
  }

  /// Ends this process when it has worked that long from now on.
  ///
  /// Not the time of a clock, as `alarm` has it: on a busy machine a process may wait that long for
  /// its turn.
  private static func endProcess(afterSecondsOfProcessor seconds: Int) {
    var limit = itimerval()
    limit.it_value.tv_sec = seconds
    #if canImport(Darwin)
      let timer = ITIMER_PROF
    #else
      let timer = __itimer_which_t(ITIMER_PROF.rawValue)
    #endif
    setitimer(timer, &limit, nil)
  }

  private static func outcome(_ bytes: [UInt8], _ name: String) -> String {
    do throws(RealmFileError) {
      _ = try WholeReading.run(RealmFile(bytes: bytes))
      return "read"
    } catch {
      let needsPlace = error.code == .damaged || error.code == .limitExceeded
      expectTrue(
        !needsPlace || error.place.offset != nil || error.place.className != nil,
        "\(name): \(error)")
      expectTrue(!error.repair.isEmpty && !error.problem.isEmpty)
      expectTrue(
        [
          .damaged, .truncated, .notRealmFile, .olderFormat, .newerFormat, .limitExceeded, .empty,
          .encrypted,
        ].contains(error.code), "\(name): \(error)")
      return error.code.description
    }
  }

  /// The most memory that this process had, in bytes.
  private static func largestMemory() throws -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // Not `getrusage`, which counts the memory of the process that started this one.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try 1024 * #require(Int(line.filter(\.isNumber)))
    #endif
  }
}
