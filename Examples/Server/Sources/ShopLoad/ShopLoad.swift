import ArgumentParser
import Foundation

/// A load generator that sends orders and queries over many connections, and records the responses.
@main struct ShopLoad: AsyncParsableCommand {
  @Option(help: "The file with the address of the server: it may change.")
  var addressFile: String
  @Option(help: "The names of the tenants, with commas.") var tenants: String
  @Option(help: "How many connections send at once.") var connections = 100
  @Option(help: "For how long.") var seconds = 10.0
  @Option(help: "The file for what was answered, as JSON.") var output: String

  func validate() throws {
    guard 1...1_000 ~= connections, 0.1...600 ~= seconds else {
      throw ValidationError("There are up to 1000 connections, for up to 600 seconds.")
    }
  }

  func run() async throws {
    let client = try Client(addressFile: addressFile, connections: connections)
    let names = tenants.split(separator: ",").map(String.init)
    let end = ContinuousClock.now + .seconds(seconds)
    let all = await withTaskGroup(of: Record.self) { group in
      for number in 0..<connections {
        group.addTask {
          var worker = Worker(client, tenant: names[number % names.count], end: end)
          return await worker.run()
        }
      }
      return await group.reduce(into: Record()) { $0.add($1) }
    }
    try await client.end()
    try JSONEncoder().encode(all).write(to: URL(fileURLWithPath: output))
  }
}

/// The results of one connection, or of all.
struct Record: Codable, Sendable {
  struct Answered: Codable, Sendable {
    var tenant: String
    var id: String
    /// Seconds since 1970.
    var at: Double
    /// Whether the request had been done before, and its response was lost.
    var isReplay: Bool
  }

  var answered: [Answered] = []
  /// The times of successful attempts in milliseconds.
  var writes: [Double] = []
  var reads: [Double] = []
  var conflicts = 0
  /// The number of attempts that were answered with 503, and of those without an answer.
  var unavailable = 0
  var failures = 0
  /// The number of orders without an answer at the end.
  var open = 0
  /// Some of the unexpected answers.
  var unexpected: [String] = []

  mutating func add(_ other: Record) {
    answered += other.answered
    writes += other.writes
    reads += other.reads
    conflicts += other.conflicts
    unavailable += other.unavailable
    failures += other.failures
    open += other.open
    unexpected = Array((unexpected + other.unexpected).prefix(20))
  }
}
