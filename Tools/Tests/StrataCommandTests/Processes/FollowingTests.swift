import Foundation
import TestKit
import Testing

@testable import StrataCommand

/// `strata follow` with a fake Litestream, which never ends by itself.
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

  private func start(
    _ arguments: [String], of program: URL = Tool.executable, errors: Pipe? = nil
  ) throws -> Process {
    let process = Tool.process(
      arguments, of: program, in: folder, errors: errors ?? FileHandle.nullDevice)
    try process.run()
    return process
  }

  private func follow() throws -> Process {
    try start(["follow", "file:///source", "replica", "--litestream", "./program"])
  }

  @Test func `Without Litestream nothing is made, and the status says what is missing`() throws {
    let given = try Tool.run(
      ["follow", "file:///source", "replica", "--litestream", "./none"], in: folder)
    expectEqual(
      given,
      Tool.Outcome(
        status: 69, output: "",
        errors:
          "strata: './none': This is no program. Give the path of Litestream with '--litestream'.\n"
      ))
    let process = Tool.process(
      ["follow", "file:///source", "replica"], in: folder, environment: ["PATH": folder.url.path])
    try process.run()
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 69)
    try expectFalse(folder.names.contains("replica"))
  }

  @Test func `No process of it goes on when it has ended`() throws {
    let follower = try follow()
    let hasBegun = try blockUntil {
      try process("question") != nil && process("restore") != nil
        && FileManager.default.fileExists(atPath: folder.url("replica/current").path)
    }
    expectTrue(hasBegun)
    let numbers = [try process("question"), try process("restore")].compactMap(\.self)
    defer { for number in numbers { kill(number, SIGKILL) } }
    let start = ContinuousClock.now
    follower.terminate()
    follower.waitUntilExit()
    // It is asked to end, and need not be killed after five seconds.
    expectTrue(ContinuousClock.now - start < .seconds(4))
    expectEqual(follower.terminationReason, .exit)
    expectEqual(follower.terminationStatus, 0)
    expectEqual(numbers.count, 2)
    for number in numbers {
      expectTrue(blockUntil { kill(number, 0) != 0 }, "\(number) goes on.")
    }
  }

  @Test func `A disk that is full when it begins is waited for, and leaves no process`() throws {
    let errors = Pipe()
    let follower = try start(
      [
        "-c",
        "trap '' XFSZ; ulimit -S -f 0; exec \"$0\" follow file:///source replica --litestream ./program",
        Tool.executable.path,
      ], of: URL(fileURLWithPath: "/bin/bash"), errors: errors)
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    expectTrue(said.hasPrefix("strata: The follower can't read 'file:///source': '"), "\(said)")
    expectTrue(said.contains("/child' can't be written: File too large.\n"), "\(said)")
    expectTrue(follower.isRunning)
    try expectNil(process("restore"))
    follower.terminate()
    follower.waitUntilExit()
    expectEqual(follower.terminationReason, .exit)
    expectEqual(follower.terminationStatus, 0)
  }

  /// A follower whose program is given as the lines of its script.
  private func follow(_ lines: String, _ options: [String]) throws -> (Process, Pipe) {
    try Data("#!/bin/bash\n\(lines)\n".utf8).write(to: folder.url("program"))
    let errors = Pipe()
    let follower = try start(
      ["follow", "s3://bucket/people?key=secret", "replica", "--litestream", "./program"] + options,
      errors: errors)
    return (follower, errors)
  }

  private static let denied = """
    if [ "$1" = restore ]; then echo >> attempts; fi
    echo "Error: operation error S3: ListObjectsV2, https response error StatusCode: 403, RequestID: \
    $RANDOM$RANDOM, HostID: 9G+$RANDOM=, api error AccessDenied: Access Denied" >&2
    exit 1
    """

  private static let isDenied = """
    strata: The follower can't read 's3://bucket/people': operation error S3: ListObjectsV2, https response error \
    StatusCode: 403, api error AccessDenied: Access Denied. Check Litestream's credentials, which are in the \
    environment, and what they may read.

    """

  @Test func `Wrong credentials are told once, however often it tries`() throws {
    let (follower, errors) = try follow(Self.denied, [])
    let isRepeated = try blockUntil {
      try folder.names.contains("attempts")
        && String(contentsOf: folder.url("attempts"), encoding: .utf8).count >= 3
    }
    expectTrue(isRepeated)
    follower.terminate()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    follower.waitUntilExit()
    expectEqual(said.components(separatedBy: "strata: ").count, 2, "\(said)")
    expectTrue(said.contains(Self.isDenied), "\(said)")
    expectEqual(follower.terminationStatus, 0)
  }

  @Test func `Wrong credentials end one look, and are told once`() throws {
    let (follower, errors) = try follow(Self.denied, ["--once"])
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    follower.waitUntilExit()
    expectEqual(said.components(separatedBy: "strata: ").count, 2, "\(said)")
    expectTrue(said.hasSuffix(Self.isDenied), "\(said)")
    expectEqual(follower.terminationStatus, 74)
  }

  @Test func `A source that doesn't answer is told in one way`() throws {
    let (follower, errors) = try follow("exec sleep 600", ["--timeout", "1"])
    let first = errors.fileHandleForReading.availableData
    // Others would come in this time.
    usleep(3_500_000)
    follower.terminate()
    let rest = errors.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: first + rest, as: UTF8.self)
    follower.waitUntilExit()
    expectEqual(
      said,
      """
      strata: The follower can't read 's3://bucket/people': no answer for 1.0 s. Check the address of the source, \
      the network, and the server's certificate.

      """)
  }

  @Test func `A source that has no transactions any more is told`() throws {
    let (follower, errors) = try follow(
      """
      if [ "$1" = ltx ]; then echo '[]'; exit; fi
      cp people.sqlite "$6"; echo 0000000000000005 > "$6-txid"
      exec sleep 600
      """, ["--timeout", "1"])
    // It asks every ten seconds.
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    follower.terminate()
    follower.waitUntilExit()
    expectEqual(
      said,
      """
      strata: The follower can't read 's3://bucket/people': it has no transactions any more. Check that \
      'litestream replicate' sends to this place, and that the address is right.

      """)
    try expectTrue(folder.names.contains("replica"))
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
        try expectTrue(blockUntil { try process("restore") != nil })
        usleep(300_000)
        counts.append(try pipes())
        let number = try #require(try process("restore"))
        unlink(folder.url("restore").path)
        kill(number, SIGKILL)
      }
      expectEqual(counts, [counts[0], counts[0], counts[0]])
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
