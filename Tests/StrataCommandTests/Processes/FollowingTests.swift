import Foundation
import Testing

@testable import StrataCommand

/// `strata follow` with a program in the place of Litestream, which never ends by itself.
@Suite struct FollowingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    let program = """
      #!/bin/bash
      ulimit -S -f unlimited
      if [ "$1" = ltx ]; then echo $$ > question; else
        cp people.sqlite "$6"; echo 0000000000000005 > "$6-txid"; echo $$ > restore
      fi
      exec sleep 600

      """
    try Data(program.utf8).write(to: folder.url("program"))
    chmod(folder.url("program").path, 0o755)
  }

  /// The number of a process that has written it.
  private func process(_ name: String) throws -> pid_t? {
    guard try folder.names.contains(name) else { return nil }
    let text = try String(contentsOf: folder.url(name), encoding: .utf8)
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func wait(until isDone: () throws -> Bool) rethrows -> Bool {
    let limit = ContinuousClock.now + .seconds(30)
    while try !isDone() {
      guard ContinuousClock.now < limit else { return false }
      usleep(10_000)
    }
    return true
  }

  private func follow() throws -> Process {
    let follower = Process()
    follower.executableURL = Tool.executable
    follower.arguments = ["follow", "file:///source", "replica", "--litestream", "./program"]
    follower.currentDirectoryURL = folder.url
    follower.standardInput = FileHandle.nullDevice
    follower.standardOutput = FileHandle.nullDevice
    follower.standardError = FileHandle.nullDevice
    try follower.run()
    return follower
  }

  @Test func `No process of it goes on when it has ended`() throws {
    let follower = try follow()
    let hasBegun = try wait {
      try process("question") != nil && process("restore") != nil
        && FileManager.default.fileExists(atPath: folder.url("replica/current").path)
    }
    #expect(hasBegun)
    let numbers = [try process("question"), try process("restore")].compactMap(\.self)
    defer { for number in numbers { kill(number, SIGKILL) } }
    let start = ContinuousClock.now
    follower.terminate()
    follower.waitUntilExit()
    // It is asked to end, and need not be killed after five seconds.
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(follower.terminationReason == .exit)
    #expect(follower.terminationStatus == 0)
    #expect(numbers.count == 2)
    for number in numbers { #expect(wait { kill(number, 0) != 0 }, "\(number) goes on.") }
  }

  @Test func `A disk that is full when it begins is waited for, and leaves no process`() throws {
    let follower = Process()
    follower.executableURL = URL(fileURLWithPath: "/bin/bash")
    follower.arguments = [
      "-c",
      "trap '' XFSZ; ulimit -S -f 0; exec \"$0\" follow file:///source replica --litestream ./program",
      Tool.executable.path,
    ]
    follower.currentDirectoryURL = folder.url
    let errors = Pipe()
    follower.standardInput = FileHandle.nullDevice
    follower.standardOutput = FileHandle.nullDevice
    follower.standardError = errors
    try follower.run()
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.hasPrefix("strata: The follower can't read 'file:///source': '"), "\(said)")
    #expect(said.contains("/child' can't be written: File too large.\n"), "\(said)")
    #expect(follower.isRunning)
    #expect(try process("restore") == nil)
    follower.terminate()
    follower.waitUntilExit()
    #expect(follower.terminationReason == .exit)
    #expect(follower.terminationStatus == 0)
  }

  #if os(Linux)
    @Test func `Each process that it had to replace leaves no open file`() throws {
      let follower = try follow()
      defer {
        follower.terminate()
        follower.waitUntilExit()
      }
      let files = "/proc/\(follower.processIdentifier)/fd"
      func pipes() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: files).count {
          readlink("\(files)/\($0)")?.hasPrefix("pipe:") == true
        }
      }
      var counts: [Int] = []
      for _ in 0..<3 {
        #expect(try wait { try process("restore") != nil })
        usleep(300_000)
        counts.append(try pipes())
        let number = try #require(try process("restore"))
        unlink(folder.url("restore").path)
        kill(number, SIGKILL)
      }
      #expect(counts == [counts[0], counts[0], counts[0]])
    }

    private func readlink(_ path: String) -> String? {
      do {
        return try FileManager.default.destinationOfSymbolicLink(atPath: path)
      } catch {
        // It was closed meanwhile.
        return nil
      }
    }
  #endif
}
