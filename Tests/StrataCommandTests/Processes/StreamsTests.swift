import Foundation
import Testing

@testable import StrataCommand

/// The program with streams that are closed or full, signals, and limits, as shells and supervisors
/// give them.
@Suite struct StreamsTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  /// Runs a line of a shell in which `strata` is the program.
  private func shell(_ line: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "strata() { \"$STRATA\" \"$@\"; }; \(line)"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["STRATA": Tool.executable.path]) { _, new in new }
    process.currentDirectoryURL = folder.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: ["2>&-", "2>/dev/full", "<&- >&- 2>&-"])
  func `An error that can't be written leaves the status as it is`(redirection: String) throws {
    #expect(try shell("strata info nothing \(redirection)").status == 66)
    #expect(try shell("strata check people.sqlite --quiet \(redirection)").status == 0)
  }

  @Test func `A closed stream is not taken for the file that is opened next`() throws {
    try folder.copyRealmFile("links", to: "links.realm")
    let before = try folder.contents()
    #expect(try shell("strata convert links.realm new.sqlite <&- >&- 2>&-").status == 0)
    #expect(try shell("strata convert links.realm new.sqlite <&- >&- 2>&-").status == 73)
    #expect(try shell("strata check new.sqlite --quiet").status == 0)
    #expect(try folder.contents().filter { $0.key != "new.sqlite" } == before)
  }

  @Test func `An output that is full is told in the words of the system`() throws {
    let outcome = try shell("strata schema people.sqlite >/dev/full")
    #expect(outcome.status == 74)
    #expect(
      outcome.output
        == "strata: The output can't be written (No space left on device). Check where it goes.\n")
  }

  @Test func `A limit for the length of files is told`() throws {
    let outcome = try shell("trap '' XFSZ; ulimit -f 40; strata backup people.sqlite copy.sqlite")
    #expect(outcome.status == 74)
    #expect(!outcome.output.contains("not an error"), "\(outcome)")
    #expect(
      outcome.output.contains("disk is full") || outcome.output.contains("raise that limit"),
      "\(outcome)")
    #expect(try folder.names == ["people.sqlite"])
  }

  @Test func `A backup removes what a killed one has left, and nothing of one that is running`()
    throws
  {
    let left = ["copy.sqlite.copy-A", "copy.sqlite.copy-A-journal", "copy.sqlite.copy-A.lock"]
    let used = ["copy.sqlite.copy-B", "copy.sqlite.copy-B.lock"]
    for name in left + used { try Data("half".utf8).write(to: folder.url(name)) }
    let descriptor = open(folder.url("copy.sqlite.copy-B.lock").path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(try Tool.run(["backup", "people.sqlite", "copy.sqlite"], in: folder).status == 0)
    #expect(try folder.names == (["copy.sqlite", "people.sqlite"] + used).sorted())
  }
}
