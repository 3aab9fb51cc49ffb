import Foundation
import InMemoryLogging
import Logging
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// The shared logger of the process. The path distinguishes the messages of other tests.
@Suite(.serialized) struct SharedLoggerTests {
  final class Heard: Sendable {
    private let lines = Mutex<[(LogLevel, String)]>([])

    func add(_ level: LogLevel, _ line: String) { lines.withLock { $0.append((level, line)) } }

    func lines(about path: String) -> [(LogLevel, String)] {
      lines.withLock { $0.filter { $0.1.contains(path) } }
    }
  }

  class Note: Object {
    @Persisted var text = ""
  }

  private func configuration(_ url: URL, version: UInt64 = 0) -> Realm.Configuration {
    Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: [Note.self])
  }

  private func migrate(_ url: URL) throws {
    _ = try Realm(configuration: configuration(url))
    _ = try Realm(configuration: configuration(url, version: 1))
  }

  @Test func `A logger with a closure hears of the migrations of realms without one`() throws {
    let folder = try TestFolder()
    let heard = Heard()
    let before = Logger.shared
    defer { Logger.shared = before }
    Logger.shared = Logger(level: .info) { heard.add($0, $1) }
    try migrate(folder.file)
    let lines = heard.lines(about: folder.file.path)
    expectEqual(lines.map(\.0), [.info])
    expectEqual(lines.first?.1.contains("to 1"), true, "\(lines)")
  }

  @Test func `Nothing is logged at the beginning, nor when the level is off`() throws {
    let folder = try TestFolder()
    let heard = Heard()
    let before = Logger.shared
    defer { Logger.shared = before }
    expectEqual(before.level, .off)
    Logger.shared = Logger(level: .all) { heard.add($0, $1) }
    Logger.setLogLevel(.off)
    try migrate(folder.file)
    expectTrue(heard.lines(about: folder.file.path).isEmpty)
    expectEqual(Logger.shared.level, .off)
  }

  @Test func `The level is looked at when something happens, also for realms that are open`() throws
  {
    let folder = try TestFolder()
    let heard = Heard()
    let before = Logger.shared
    defer { Logger.shared = before }
    let realm = try Realm(configuration: configuration(folder.file))
    Logger.shared = Logger(level: .error) { heard.add($0, $1) }
    expectNil(realm.configuration.logger)
    let logger = try #require(realm.session.store.logger)
    logger.info("\(folder.file.path) 1")
    Logger.shared.level = .info
    logger.info("\(folder.file.path) 2", metadata: ["b": "x", "a": "y"])
    expectEqual(
      heard.lines(about: folder.file.path).map(\.1), ["\(folder.file.path) 2 (a: y, b: x)"])
  }

  @Test func `The logger of a configuration comes first`() throws {
    let folder = try TestFolder()
    let heard = Heard()
    let before = Logger.shared
    defer { Logger.shared = before }
    Logger.shared = Logger(level: .all) { heard.add($0, $1) }
    let handler = InMemoryLogHandler()
    var first = configuration(folder.file)
    first.logger = Logger(label: "own") { _ in handler }
    _ = try Realm(configuration: first)
    first.schemaVersion = 1
    _ = try Realm(configuration: first)
    expectTrue(handler.entries.contains { "\($0.message)".contains(folder.file.path) })
    expectTrue(heard.lines(about: folder.file.path).isEmpty)
  }

  @Test func `A logger of swift-log can be the shared one, with levels of both names`() {
    let before = Logger.shared
    defer { Logger.shared = before }
    let handler = InMemoryLogHandler()
    Logger.shared = Logger(label: "app") { _ in handler }
    Logger.shared.level = .warn
    expectEqual(Logger.shared.logLevel, .warning)
    SharedLogger.forRealms.info("no")
    SharedLogger.forRealms.error("yes")
    expectEqual(handler.entries.map { "\($0.message)" }, ["yes"])
    Logger.shared.logLevel = .notice
    expectEqual(Logger.shared.level, .info)
    Logger.shared.level = .off
    expectEqual(Logger.shared.logLevel, .critical)
  }

  @Test func `The level of a logger is set through a constant, for all copies`() {
    let logger = Logger(level: .info) { _, _ in }
    logger.level = .error
    expectTrue(logger.level == .error && logger.logLevel == .error)
    let copy = logger
    copy.level = .off
    expectEqual(logger.level, .off)
    // `logLevel`, swift-log's name for the level, applies to one value.
    var other = logger
    other.logLevel = .debug
    expectTrue(other.level == .debug && logger.level == .off)
    expectIssue("Set its 'logLevel', or make it with 'Logger(level:function:)'.") {
      Logger(label: "swift-log's own").level = .debug
    }
  }

  @Test(arguments: LogLevel.allCases) func `Each level logs what is at most as detailed`(
    _ level: LogLevel
  ) {
    let heard = Heard()
    let logger = Logger(level: level) { heard.add($0, $1) }
    for event in Logger.Level.allCases { logger.log(level: event, "x") }
    let expected = Logger.Level.allCases.map { LogLevel($0) }.filter { $0 <= level }
    expectEqual(heard.lines(about: "x").map(\.0), expected)
    expectEqual(logger.level, level)
  }
}
