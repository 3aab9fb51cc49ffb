import Foundation
import Strata
import TestKit
import Testing

@testable import StrataExample

private typealias Person = PetOwnersV5.Person

/// The table that follows a file.
@Suite struct WatchedTableTests {
  private typealias Line = WatchedTable.Line

  @Test func `What was deleted stays once more, and what came or changed is marked`() {
    var table = WatchedTable()
    table.show([["a"], ["b"], ["c"]])
    #expect(table.lines.map(WatchedTable.text) == ["  a", "  b", "  c"])
    table.show(
      [["new"], ["B"], ["c"], ["d"]], deletions: [0], insertions: [0, 3], modifications: [1])
    #expect(table.lines.map(WatchedTable.text) == ["- a", "+ new", "~ B", "  c", "+ d"])
    table.show([], deletions: [0, 1, 2, 3], insertions: [], modifications: [])
    #expect(table.lines.map(\.mark) == [.deleted, .deleted, .deleted, .deleted])
    table.show([["e"]], deletions: [], insertions: [0], modifications: [])
    #expect(table.lines == [Line(mark: .inserted, cells: ["e"])])
  }

  @Test func `Columns are as wide as what is in them, and a long table ends early`() {
    var table = WatchedTable()
    table.show([["Ada", "36"], ["Bob the Builder", "7"], ["Eve", "40"]])
    #expect(
      table.columns(["name", "age"], most: 2) == [
        "  name             age", "  Ada              36", "  Bob the Builder  7",
        "  … and 1 more",
      ])
  }
}

/// The example as a child process, while others write.
@Suite(.timeLimit(.minutes(40))) struct WatchTests {
  @Test func `It tells what this process and SQLite's own tool write, until it is interrupted`()
    throws
  {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.url.appendingPathComponent("people.sqlite")
    let realm = try Realm(configuration: PetOwnersV5.configuration(file))
    try realm.write {
      realm.add(Person(value: ["fullName": "Ada", "age": 36] as [String: Any]))
      realm.add(Person(value: ["fullName": "Eve", "age": 40] as [String: Any]))
    }

    let watcher = try WatchProcess(file)
    #expect(watcher.lines(2) == ["  Ada  36    ", "  Eve  40    "])
    let bob = try realm.write { realm.create(Person.self, value: ["fullName": "Bob"]) }
    #expect(watcher.lines(1) == ["+ Bob  0    "])
    try realm.write { bob.pets.append(PetOwnersV5.Pet(value: ["name": "Rex"])) }
    #expect(watcher.lines(1) == ["~ Bob  0  Rex (dog)  "])
    try realm.write { realm.delete(bob) }
    #expect(watcher.lines(1) == ["- Bob  0  Rex (dog)  "])
    if WatchProcess.sqlite != nil {
      try WatchProcess.execute("UPDATE Person SET age = 41 WHERE fullName = 'Eve'", file)
      #expect(watcher.lines(1) == ["~ Eve  41    "])
      try WatchProcess.execute("UPDATE Person SET fullName = 'Zoe' WHERE fullName = 'Ada'", file)
      #expect(watcher.lines(2) == ["- Ada  36    ", "+ Zoe  36    "])
    }
    #expect(watcher.interrupt() == 0)
  }

  @Test func `A file that isn't there is refused`() throws {
    let watcher = try WatchProcess(URL(fileURLWithPath: "/nowhere.sqlite"))
    #expect(
      watcher.lines(1) == ["There is no file '/nowhere.sqlite'. 'write-fixtures' makes some."])
    #expect(watcher.end() == 1)
  }
}

/// `StrataExample watch` in another process.
private final class WatchProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ file: URL) throws {
    process.executableURL = Self.executable
    process.arguments = ["watch", file.path]
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  private static let executable = BuiltProgram.url("StrataExample")

  static let sqlite = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent("sqlite3") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// Changes a file as any other program would.
  static func execute(_ sql: String, _ file: URL) throws {
    let process = Process()
    process.executableURL = sqlite
    process.arguments = ["-cmd", ".timeout 5000", file.path, sql]
    process.environment = ProcessInfo.processInfo.environment.filter { name, _ in
      // The tool has its own library.
      name != "LD_LIBRARY_PATH"
    }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// The next lines.
  func lines(_ count: Int) -> [String] {
    (0..<count).map { _ in
      var bytes: [UInt8] = []
      while let byte = output.fileHandleForReading.readData(ofLength: 1).first,
        byte != UInt8(ascii: "\n")
      { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  func interrupt() -> Int32 {
    process.interrupt()
    return end()
  }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
