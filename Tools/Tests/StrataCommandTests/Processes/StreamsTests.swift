import Foundation
import TestKit
import Testing

@testable import StrataCommand

/// The program with closed or full streams, signals, and limits, as shells and supervisors set
/// them.
@Suite struct StreamsTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  /// Runs a line of a shell in which `strata` is the program.
  private func shell(_ line: String) throws -> (status: Int32, output: String) {
    let output = Pipe()
    let process = Tool.process(
      ["-c", "strata() { \"$STRATA\" \"$@\"; }; \(line)"], of: URL(fileURLWithPath: "/bin/bash"),
      in: folder, environment: ["STRATA": Tool.executable.path], output: output, errors: output)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: ["2>&-", "2>/dev/full", "<&- >&- 2>&-"])
  func `An error that can't be written leaves the status as it is`(redirection: String) throws {
    try expectEqual(shell("strata info nothing \(redirection)").status, 66)
    try expectEqual(shell("strata check people.sqlite --quiet \(redirection)").status, 0)
  }

  @Test func `A closed stream is not taken for the file that is opened next`() throws {
    try folder.copyRealmFile("links", to: "links.realm")
    let before = try folder.contents()
    try expectEqual(shell("strata convert links.realm new.sqlite <&- >&- 2>&-").status, 0)
    try expectEqual(shell("strata convert links.realm new.sqlite <&- >&- 2>&-").status, 73)
    try expectEqual(shell("strata check new.sqlite --quiet").status, 0)
    try expectEqual(folder.contents().filter { $0.key != "new.sqlite" }, before)
  }

  @Test func `An output that is full is told in the words of the system`() throws {
    let outcome = try shell("strata schema people.sqlite >/dev/full")
    expectEqual(outcome.status, 74)
    expectEqual(
      outcome.output,
      "strata: The output can't be written (No space left on device). Check the file or the "
        + "program that receives it.\n")
  }

  @Test func `A limit for the length of files is told`() throws {
    let outcome = try shell("trap '' XFSZ; ulimit -f 40; strata backup people.sqlite copy.sqlite")
    expectEqual(outcome.status, 74)
    expectTrue(
      outcome.output.hasPrefix(
        "strata: The file 'people.sqlite' can't be copied to 'copy.sqlite': Realm file at path 'copy.sqlite': "
      ),
      "\(outcome)")
    expectFalse(outcome.output.contains("not an error"), "\(outcome)")
    expectTrue(
      outcome.output.contains("disk is full") || outcome.output.contains("raise that limit"),
      "\(outcome)")
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A limit for the length of files is told by what publishes, too`() throws {
    let outcome = try shell("trap '' XFSZ; ulimit -f 40; strata publish people.sqlite replica")
    expectEqual(outcome.status, 74)
    expectTrue(
      outcome.output.hasPrefix("strata: Realm file at path 'replica/."), "\(outcome)")
    expectTrue(
      outcome.output.contains("disk is full") || outcome.output.contains("raise that limit"),
      "\(outcome)")
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A folder for temporary files that isn't there is told`() throws {
    let outcome = try shell("TMPDIR=/nowhere strata studio people.sqlite --write --no-open")
    expectEqual(outcome.status, CommandStatus.cannotCreate.rawValue)
    expectEqual(
      outcome.output,
      "strata: '/nowhere': No private folder can be made there (No such file or directory). Set TMPDIR to a "
        + "folder that can be written.\n")
  }

  @Test func `A backup removes what a killed one has left, and nothing of one that is running`()
    throws
  {
    let left = ["copy.sqlite.copy-A", "copy.sqlite.copy-A-journal", "copy.sqlite.copy-A.lock"]
    let used = ["copy.sqlite.copy-B", "copy.sqlite.copy-B.lock"]
    for name in left + used { try Data("half".utf8).write(to: folder.url(name)) }
    let descriptor = open(folder.url("copy.sqlite.copy-B.lock").path, O_RDWR)
    defer { close(descriptor) }
    expectEqual(flock(descriptor, LOCK_EX), 0)
    try expectEqual(Tool.run(["backup", "people.sqlite", "copy.sqlite"], in: folder).status, 0)
    try expectEqual(folder.names, (["copy.sqlite", "people.sqlite"] + used).sorted())
  }

  // MARK: A file of Realm, which is read as a private copy

  /// A run of the command over a file of Realm whose copy goes to a folder of its own.
  private func question(_ arguments: [String], output: Pipe) throws -> (Process, copies: URL) {
    try folder.copyRealmFile("all-types", to: "default.realm")
    let copies = folder.url("copies")
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
    let process = Tool.process(
      arguments, in: folder, environment: ["TMPDIR": copies.path], output: output)
    return (process, copies)
  }

  private static let questions = [
    ["query", "default.realm", "Optional", "--ndjson"], ["query", "default.realm", "Optional"],
    ["export", "default.realm", "--class", "Optional"], ["export", "default.realm", "--postgres"],
    ["diff", "default.realm", "default.realm", "--data"],
  ]

  @Test(arguments: questions)
  func `A reader that goes away leaves no copy behind`(arguments: [String]) throws {
    let output = Pipe()
    try output.fileHandleForReading.close()
    let (process, copies) = try question(arguments, output: output)
    try process.run()
    process.waitUntilExit()
    // As of other programs: the end by a signal, which says nothing.
    expectEqual(process.terminationReason, .uncaughtSignal)
    expectEqual(process.terminationStatus, SIGPIPE)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: copies.path), [])
  }

  @Test func `A reader of the errors that goes away changes nothing`() throws {
    try folder.copyRealmFile("all-types", to: "default.realm")
    let line = "strata export default.realm --postgres -o all.sql --quiet"
    try expectEqual(shell("\(line) 2> >(exit 0); echo $?").output, "0\n")
    try expectTrue(folder.names.contains("all.sql"))
  }

  @Test(arguments: questions, [false, true])
  func `Control-C ends it, and leaves no copy behind`(
    arguments: [String], whileWriting: Bool
  ) throws {
    let output = Pipe()
    // The pipe is full, so that the first write waits.
    let descriptor = output.fileHandleForWriting.fileDescriptor
    expectEqual(fcntl(descriptor, F_SETFL, O_NONBLOCK), 0)
    while write(descriptor, "x", 1) == 1 {}
    expectEqual(fcntl(descriptor, F_SETFL, 0), 0)
    let (process, copies) = try question(arguments, output: output)
    try process.run()
    var names: [String] = []
    while names.isEmpty, process.isRunning {
      names = try FileManager.default.contentsOfDirectory(atPath: copies.path)
    }
    expectEqual(names.count, 1)
    // It is converting, or has come to its first write by then.
    if whileWriting { Thread.sleep(forTimeInterval: 0.5) }
    process.terminate()
    // The output is read after the process has ended.
    process.waitUntilExit()
    expectEqual(process.terminationReason, .exit)
    expectEqual(process.terminationStatus, CommandStatus.interrupted.rawValue)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: copies.path), [])
  }
}
