import Foundation
import Testing

/// A new database of the server that `with-postgres.sh` has started, removed with the last
/// reference.
final class PostgresDatabase {
  let name: String

  /// Whether there is a server.
  static let hasServer = ProcessInfo.processInfo.environment["STRATA_POSTGRES"] != nil

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init() throws {
    let name = "test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    try Self.succeed(["-c", "CREATE DATABASE \(name)"], in: nil)
    self.name = name
  }

  deinit {
    do {
      try Self.succeed(["-c", "DROP DATABASE \(name) WITH (FORCE)"], in: nil)
    } catch {
      Issue.record("The database of the test can't be removed: \(error)")
    }
  }

  /// Runs a file as a user does.
  func load(_ file: URL) throws -> Tool.Outcome {
    try Self.psql(["--file", file.path], in: name)
  }

  /// Runs statements.
  func execute(_ sql: String) throws { try Self.succeed(["-c", sql], in: name) }

  /// Writes the result of a query to a file, one row a line, as `COPY` writes it.
  func write(_ query: String, to file: URL) throws {
    try Self.succeed(["-o", file.path, "-c", "COPY (\(query)) TO STDOUT"], in: name)
  }

  /// The lines of a query, as `COPY` writes them.
  func lines(_ query: String) throws -> [String] {
    let outcome = try Self.psql(["-c", "COPY (\(query)) TO STDOUT"], in: name)
    guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  @discardableResult
  private static func succeed(_ arguments: [String], in database: String?) throws -> String {
    let outcome = try psql(arguments, in: database)
    guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
    return outcome.output
  }

  private static func psql(_ arguments: [String], in database: String?) throws -> Tool.Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["psql", "--no-psqlrc", "--quiet"] + (database.map { ["--dbname", $0] } ?? []) + arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let errorText = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool.Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }
}
