import ArgumentParser
import Foundation

/// Sends orders and questions over many connections, and writes down what was answered.
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

/// What a connection, or all of them, got.
struct Record: Codable, Sendable {
  struct Answered: Codable, Sendable {
    var tenant: String
    var id: String
    /// Seconds since 1970.
    var at: Double
    /// Whether the request was done before, and its answer lost.
    var isReplay: Bool
  }

  var answered: [Answered] = []
  /// In milliseconds, of the attempts that were answered.
  var writes: [Double] = []
  var reads: [Double] = []
  var conflicts = 0
  /// Attempts that were answered with 503, and those that weren't answered.
  var unavailable = 0
  var failures = 0
  /// Orders that weren't answered until the end.
  var open = 0
  /// Answers that nobody expects, some of them.
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
