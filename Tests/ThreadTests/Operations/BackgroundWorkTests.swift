import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

@Suite struct BackgroundWorkTests {
  private struct Failure: Error {}

  @Test func `Work is done in order on one other thread`() throws {
    let background = BackgroundWork()
    var threads: [Thread] = []
    for number in 0..<1_000 {
      _ = background.run {
        expectEqual(threads.count, number)
        threads.append(Thread.current)
      }
    }
    try background.wait()
    expectEqual(threads.count, 1_000)
    expectEqual(Set(threads).count, 1)
    expectTrue(threads.first != Thread.current)
  }

  @Test func `The caller continues in the meantime`() throws {
    let background = BackgroundWork()
    let isReleased = Flag()
    let first = background.run {}
    _ = background.run { isReleased.wait() }
    try background.wait(for: nil)
    try background.wait(for: first)
    expectTrue(background.isRunning)
    isReleased.set()
    try background.wait()
    expectFalse(background.isRunning)
  }

  @Test func `A failure reaches the waiting caller, and nothing starts after it`() throws {
    let background = BackgroundWork()
    _ = background.run { throw Failure() }
    let next = background.run { Issue.record("This is not begun.") }
    #expect(throws: Failure.self) { try background.wait(for: next) }
    #expect(throws: Failure.self) { try background.wait() }
    expectFalse(background.isRunning)
  }

  @Test func `Waiting without work returns at once`() throws {
    try BackgroundWork().wait()
  }

  #if os(Linux)
    @Test func `The thread ends with its owner`() throws {
      func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      for _ in 0..<2_000 {
        let background = BackgroundWork()
        _ = background.run {}
        try background.wait()
      }
      try expectTrue(threads() < 1_000)
    }
  #endif
}
