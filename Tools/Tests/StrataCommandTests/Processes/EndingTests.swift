import Foundation
import Strata
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// Commands that Control-C or a signal interrupts: no incomplete file stays behind.
@Suite(.serialized) struct EndingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.execute(
      """
      INSERT INTO Person (fullName, age) SELECT 'Person number ' || i, i % 90 FROM
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n)
      """, in: "people.sqlite")
  }

  /// Runs the command, and ends it when the condition holds. Retries if the command was faster.
  private func end(
    _ arguments: [String], with number: Int32 = SIGTERM, when isTime: (CommandFolder) -> Bool
  ) throws -> Tool.Outcome {
    let before = try folder.names
    var outcome = Tool.Outcome(status: 0, output: "", errors: "")
    for _ in 0..<100 {
      outcome = try endOnce(arguments, with: number, when: isTime)
      if outcome.status != 0 { break }
      for name in try folder.names where !before.contains(name) {
        try FileManager.default.removeItem(at: folder.url(name))
      }
    }
    return outcome
  }

  private func endOnce(
    _ arguments: [String], with number: Int32, when isTime: (CommandFolder) -> Bool
  ) throws -> Tool.Outcome {
    let errors = Pipe()
    let process = Tool.process(arguments, in: folder, errors: errors)
    try process.run()
    while process.isRunning, !isTime(folder) {}
    kill(process.processIdentifier, number)
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool.Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -1, output: "",
      errors: String(decoding: text, as: UTF8.self))
  }

  private let ended = Tool.Outcome(
    status: 130, output: "", errors: "strata: Interrupted. Nothing was written.\n")

  @Test func `A backup ends while its pages are looked at`() throws {
    let size = try folder.size("people.sqlite")
    let outcome = try end(["backup", "people.sqlite", "copy.sqlite"]) { folder in
      guard folder.names(with: "copy.sqlite.copy-").contains(where: { folder.has($0, bytes: size) })
      else { return false }
      // The last pages are on the disk by then.
      usleep(10_000)
      return true
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A twin ends while its values are replaced, and a killed one is removed`() throws {
    let arguments = ["twin", "people.sqlite", "twin.sqlite"]
    // The copy is `.whole`; the twin itself is there once that is complete.
    func isReplacing(_ folder: CommandFolder) -> Bool {
      folder.names(with: "twin.sqlite.copy-").contains {
        !$0.hasSuffix(".whole") && !$0.hasSuffix(".lock") && !$0.hasSuffix("-journal")
      }
    }
    let outcome = try end(arguments, when: isReplacing)
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
    let killed = try end(arguments, with: SIGKILL, when: isReplacing)
    expectEqual(killed.status, -1)
    expectFalse(FileManager.default.fileExists(atPath: folder.url("twin.sqlite").path))
    expectTrue(folder.names(with: "twin.sqlite.copy-").count >= 2)
    try folder.execute("DELETE FROM Person WHERE _id > 10", in: "people.sqlite")
    try expectEqual(Tool.run(arguments, in: folder).status, 0)
    try expectEqual(folder.names, ["people.sqlite", "twin.sqlite"])
  }

  @Test func `A publication that ends leaves no folder`() throws {
    let outcome = try end(["publish", "people.sqlite", "new.replica"]) { folder in
      FileManager.default.subpaths(atPath: folder.url("new.replica").path)?
        .contains { $0.hasSuffix(".part") } == true
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A file that is restored where there is none is whole, or not there`() throws {
    try expectEqual(Tool.run(["backup", "people.sqlite", "copy.sqlite"], in: folder).status, 0)
    let outcome = try end(["restore", "copy.sqlite", "new.sqlite"]) { folder in
      !folder.names(with: "new.sqlite").isEmpty
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["copy.sqlite", "people.sqlite"])
    let killed = try end(["restore", "copy.sqlite", "new.sqlite"], with: SIGKILL) { folder in
      !folder.names(with: "new.sqlite").isEmpty
    }
    expectEqual(killed.status, -1)
    expectFalse(FileManager.default.fileExists(atPath: folder.url("new.sqlite").path))
    try expectEqual(Tool.run(["restore", "copy.sqlite", "new.sqlite"], in: folder).status, 0)
    try expectEqual(folder.names, ["copy.sqlite", "new.sqlite", "people.sqlite"])
    try expectEqual(Tool.run(["check", "new.sqlite"], in: folder).status, 0)
  }

  @Test func `A file that is replaced stays as it was`() throws {
    try expectEqual(Tool.run(["backup", "people.sqlite", "copy.sqlite"], in: folder).status, 0)
    var outcome = ended
    repeat {
      try FileManager.default.removeItem(at: folder.url("people.sqlite"))
      try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
      outcome = try endOnce(
        ["restore", "copy.sqlite", "people.sqlite", "--replace"], with: SIGTERM
      ) { folder in folder.names(with: "people.sqlite-").contains { folder.has($0, bytes: 1) } }
    } while outcome.status == 0
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["copy.sqlite", "people.sqlite"])
    try expectEqual(
      Tool.run(["query", "people.sqlite", "Person", "--count"], in: folder).output, "3\n")
  }

  @Test func `A link to a file that isn't there leads to the new one`() throws {
    expectEqual(symlink("elsewhere.sqlite", folder.url("link.sqlite").path), 0)
    let outcome = try Tool.run(["restore", "people.sqlite", "link.sqlite"], in: folder)
    expectEqual(outcome.status, 0, "\(outcome.errors)")
    try expectEqual(folder.names, ["elsewhere.sqlite", "link.sqlite", "people.sqlite"])
    let link = folder.url("link.sqlite").path
    try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: link), "elsewhere.sqlite")
  }

  @Test func `A file whose room is given back stays as it was`() throws {
    let outcome = try end(["compact", "people.sqlite"]) { folder in
      folder.has("people.sqlite-wal", bytes: 1_000_000)
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
    try expectEqual(Tool.run(["check", "people.sqlite"], in: folder).status, 0)
  }

  @Test func `An import is taken back, also while it waits for its input`() throws {
    expectEqual(mkfifo(folder.url("input").path, 0o600), 0)
    // Open for both, so that opening it waits for no other end.
    let input = open(folder.url("input").path, O_RDWR)
    defer { close(input) }
    let rows = Array(("fullName,age\n" + String(repeating: "Eve,3\n", count: 2000)).utf8)
    expectEqual(write(input, rows, rows.count), rows.count)
    var pieces = 1
    let outcome = try end(["import", "people.sqlite", "input", "--class", "Person"]) { _ in
      var waiting: Int32 = 0
      guard ioctl(input, UInt(FIONREAD), &waiting) == 0, waiting == 0 else { return false }
      // The second one is read in the transaction.
      if pieces < 2, write(input, rows, rows.count) == rows.count { pieces += 1 }
      return pieces == 2 && ioctl(input, UInt(FIONREAD), &waiting) == 0 && waiting == 0
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["input", "people.sqlite"])
    try expectEqual(
      Tool.run(["query", "people.sqlite", "Person", "--count"], in: folder).output, "300003\n")
  }

  @Test func `An import leaves no half of the copy that it makes before`() throws {
    try Data("fullName,age\nEve,3\n".utf8).write(to: folder.url("input"))
    let arguments = ["import", "people.sqlite", "input", "--class", "Person", "--backup"]
    let outcome = try end(arguments) { folder in
      !folder.names(with: "", in: "people-backups").isEmpty
    }
    expectEqual(outcome, ended)
    expectEqual(folder.names(with: "", in: "people-backups"), [])
  }

  @Test func `A copy that was killed is removed by the next one, under another name, too`() throws {
    let killed = try end(["backup", "people.sqlite"], with: SIGKILL) { folder in
      folder.names(with: "", in: "people-backups").contains { !$0.hasSuffix(".lock") }
    }
    expectEqual(killed.status, -1)
    expectTrue(folder.names(with: "", in: "people-backups").count >= 2)
    for name in ["people-v5-mine.copy-A.lock", "people-v5-20261121T101502.250Z.sqlite.lock"] {
      try Data().write(to: folder.url("people-backups").appendingPathComponent(name))
    }
    try expectEqual(Tool.run(["backup", "people.sqlite"], in: folder).status, 0)
    expectEqual(folder.names(with: "", in: "people-backups").count, 3)
  }

  @Test func `An export of all classes leaves no folder with some of them`() throws {
    let outcome = try end(["export", "people.sqlite", "-o", "out"]) { folder in
      folder.names(with: "Address.csv", in: "out") != []
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A folder of an export keeps what others have put there`() throws {
    let outcome = try end(["export", "people.sqlite", "-o", "out"]) { folder in
      guard folder.names(with: "Address.csv", in: "out") != [] else { return false }
      close(open(folder.url("out/mine").path, O_CREAT | O_WRONLY, 0o600))
      return true
    }
    expectEqual(outcome.status, 130)
    expectEqual(folder.names(with: "", in: "out"), ["mine"])
  }

  // MARK: Reading

  private static let questions = [
    ["query", "people.sqlite", "Person", "--csv"],
    ["export", "people.sqlite", "--class", "Person"],
    ["query", "people.sqlite", "Person where fullName CONTAINS[c] 'x' sort -fullName"],
  ]

  @Test(arguments: questions) func `A question leaves no file of SQLite's`(
    arguments: [String]
  ) throws {
    let outcome = try end(arguments) { folder in folder.has("people.sqlite-shm", bytes: 1) }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test(arguments: questions.prefix(2))
  func `A command whose reader doesn't read can be ended`(
    arguments: [String]
  ) throws {
    let output = Pipe()
    let process = Tool.process(arguments, in: folder, output: output)
    try process.run()
    // The pipe is full soon.
    Thread.sleep(forTimeInterval: 1)
    expectTrue(process.isRunning)
    process.terminate()
    let hasEnded = blockUntil { !process.isRunning }
    if !hasEnded { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    expectTrue(hasEnded)
    expectEqual(process.terminationStatus, CommandStatus.interrupted.rawValue)
    try expectEqual(folder.names, ["people.sqlite"])
    try output.fileHandleForReading.close()
  }

  @Test func `A check ends in the middle of a step`() throws {
    let cancellation = Cancellation()
    let configuration = Realm.Configuration(fileURL: folder.url("people.sqlite"), objectTypes: [])
    var subjects: [String] = []
    #expect(throws: CancellationError.self) {
      try Realm.problems(for: configuration, cancellation) { progress in
        subjects.append(progress.subject)
        cancellation.cancel()
      }
    }
    expectEqual(subjects, ["pages"])
  }

  // MARK: Keys

  private func encrypt() throws -> [String] {
    try Data((0..<64).map { UInt8($0) }).write(to: folder.url("key.bin"))
    let outcome = try Tool.run(
      ["rekey", "people.sqlite", "secret.sqlite", "--new-key-file", "key.bin"], in: folder)
    expectEqual(outcome.status, 0, "\(outcome)")
    return ["rekey", "secret.sqlite", "plain.sqlite", "--key-file", "key.bin", "--decrypt"]
  }

  @Test(arguments: [["--class", "Person"], ["--postgres"]])
  func `What a killed export has left is removed by the next one`(options: [String]) throws {
    let arguments = ["export", "people.sqlite", "-o", "people.txt"] + options
    let killed = try end(arguments, with: SIGKILL) { folder in
      !folder.names(with: ".people.txt.").isEmpty
    }
    expectEqual(killed.status, -1)
    expectEqual(folder.names(with: ".people.txt.").count, 1)
    // Files that look like it, and aren't, are left alone.
    try Data().write(to: folder.url(".people.txt.swp"))
    try expectEqual(Tool.run(arguments, in: folder).status, 0)
    expectEqual(folder.names(with: ".people.txt."), [".people.txt.swp"])
  }

  @Test(.enabled(if: Realm.canEncrypt), arguments: [".whole", "-journal"])
  func `No half of a file that gets another key stays`(suffix: String) throws {
    let arguments = try encrypt()
    let outcome = try end(arguments) { folder in
      folder.names(with: "plain.sqlite.").contains { $0.hasSuffix(suffix) }
    }
    expectEqual(outcome, ended)
    try expectEqual(folder.names, ["key.bin", "people.sqlite", "secret.sqlite"])
  }

  @Test(.enabled(if: Realm.canEncrypt))
  func `What a killed one has left is removed by the next one`() throws {
    let arguments = try encrypt()
    let killed = try end(arguments, with: SIGKILL) { folder in
      folder.names(with: "plain.sqlite.").contains { $0.hasSuffix(".whole") }
    }
    expectEqual(killed.status, -1)
    expectTrue(folder.names(with: "plain.sqlite.").contains { $0.hasSuffix(".whole") })
    try expectEqual(Tool.run(arguments, in: folder).status, 0)
    try expectEqual(folder.names, ["key.bin", "people.sqlite", "plain.sqlite", "secret.sqlite"])
  }
}

extension CommandFolder {
  /// The names that begin so; none where there is no folder.
  fileprivate func names(with start: String, in name: String = ".") -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: url(name).path)
        .filter { $0.hasPrefix(start) }
    } catch {
      return []
    }
  }

  fileprivate func size(_ name: String) throws -> Int { try Data(contentsOf: url(name)).count }

  /// Whether there is a file with at least `bytes` bytes.
  fileprivate func has(_ name: String, bytes: Int) -> Bool {
    var status = stat()
    return stat(url(name).path, &status) == 0 && status.st_size >= bytes
  }
}
