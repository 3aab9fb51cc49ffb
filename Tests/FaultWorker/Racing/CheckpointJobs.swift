import CPerturb
import Foundation
import GRDB
import Strata
import Synchronization

/// Programs whose checkpoints meet commits of others: with the library, and with SQL alone.
extension Job {
  static let checkpoints: [String: Job] = [
    "notes-write": writeNotes { try Notes($0) }, "notes-write-sql": writeNotes { try SQLNotes($0) },
    "notes-pause": pauseAtCheckpoint,
  ]

  class Note: Object {
    @Persisted var process = 0
    @Persisted var number = 0
    @Persisted var content = Data()
  }

  /// Large transactions, one after the other, until there is a file called `stop`; each must find
  /// what the one before has committed.
  private static func writeNotes(_ open: @escaping @Sendable (URL) throws -> any NoteFile) -> Job {
    Job(prepare: { _ in }) { file in
      let notes = try open(file)
      var number = 0
      while !Orders.mustStop(file) {
        number += 1
        try notes.write(number)
        usleep(UInt32.random(in: 0..<8_000))
        let last = try notes.last()
        guard last == number else { throw Lost(number: number, found: last) }
      }
      say("wrote \(number)")
    }
  }

  private struct Lost: Error {
    var number: Int
    var found: Int?
  }

  private static let hasPaused = Atomic<Bool>(false)

  /// Stops in the middle of its first checkpoint until it gets a line.
  private static let pauseAtCheckpoint = Job(prepare: { _ in }) { file in
    perturb_at_checkpoints {
      guard !Job.hasPaused.exchange(true, ordering: .relaxed) else { return }
      say("checkpointing")
      _ = readLine()
    }
    let notes = try Notes(file)
    for number in 1...40 { try notes.write(number) }
    say("wrote 40")
  }
}

private protocol NoteFile {
  /// Commits a large note, and deletes an old one, so that the file stays small.
  func write(_ number: Int) throws
  /// The number of the newest note of this process.
  func last() throws -> Int?
}

private let noteBytes = 200_000
private let keptNotes = 20

private struct Notes: NoteFile {
  let realm: Realm
  let process = Int(getpid())

  init(_ file: URL) throws {
    realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Job.Note.self]))
  }

  private var own: Results<Job.Note> {
    realm.objects(Job.Note.self).where { $0.process == process }
  }

  func write(_ number: Int) throws {
    try realm.write {
      realm.delete(own.where { $0.number == number - keptNotes })
      realm.create(
        Job.Note.self,
        value: ["process": process, "number": number, "content": Data(count: noteBytes)])
    }
  }

  func last() -> Int? { own.max(of: \.number) }
}

/// SQLite's own checkpoints, beside the commits of others.
private struct SQLNotes: NoteFile {
  let queue: DatabaseQueue
  let process = Int(getpid())

  init(_ file: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = NORMAL;
          CREATE TABLE IF NOT EXISTS Note(process, number, content);
          """)
    }
  }

  func write(_ number: Int) throws {
    try queue.write { db in
      try db.execute(
        sql: "DELETE FROM Note WHERE process = ? AND number = ?",
        arguments: [process, number - keptNotes])
      try db.execute(
        sql: "INSERT INTO Note VALUES (?, ?, zeroblob(?))", arguments: [process, number, noteBytes])
    }
  }

  func last() throws -> Int? {
    try queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT max(number) FROM Note WHERE process = ?", arguments: [process])
    }
  }
}
