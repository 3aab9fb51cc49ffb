#if os(Linux)
  import Foundation
  import GRDB
  import TestKit
  import Testing

  extension Faults {
    /// The power fails at any moment of a job. The disk has kept any part of the writes that were
    /// not synchronized.
    @Suite(.serialized) struct PowerCutTests {
      @Test(arguments: [
        "migrate", "migrate-no-block", "write", "create", "free-changes", "start-over", "compact",
        "seed", "convert", "begin-history", "consume", "restore-over",
      ])
      func `The file is as before or as after, and the next process goes on`(job: String) throws {
        let scenario = try Scenario.of(job)
        let cuts = try PowerCuts(job, in: scenario.newFolder())
        let servers = try JobServers(job)
        try cuts.tryAll(5_000, sample: 80) { remains in
          let file = remains.folder.file
          let state = try scenario.state(of: file)
          if job == "convert", try !scenario.keepsOldFile(in: remains.folder) {
            throw Wrong("the old file is changed")
          }
          guard state == .after || !remains.isDone || scenario.before == scenario.after else {
            throw Wrong("the job was done, and its result is lost")
          }
          if job == "write", state == .after { return }
          try servers.run(file)
          guard try scenario.state(of: file) == .after || scenario.before == scenario.after else {
            throw Wrong("the next process leaves the file as it was")
          }
        }
      }

      @Test(arguments: ["count", "count-with-history"])
      func `A beginning of the commits is there, with all that was synchronized`(job: String)
        throws
      {
        let cuts = try PowerCuts(job, in: prepared(job))
        let servers = try JobServers("\(job)-on")
        try cuts.tryAll(12_000, sample: 150) { remains in
          let count = try Self.count(in: remains.folder.file)
          let promised = remains.marks.count { $0 == "count" }
          guard remains.synchronizedMarks...promised + 1 ~= count else {
            throw Wrong("\(count) of \(promised) commits, and \(remains.synchronizedMarks) synced")
          }
          guard count == 60 || !remains.isDone else { throw Wrong("a closed file has \(count)") }
          try servers.run(remains.folder.file)
          try expectEqual(Self.count(in: remains.folder.file), count + 3)
        }
      }

      /// Returns to where the file has counted.
      ///
      /// - Throws: ``Wrong`` if its parts disagree.
      private static func count(in file: URL) throws -> Int {
        let queue = try DatabaseQueue(path: file.path, configuration: FileDump.configuration)
        let count = try queue.inDatabase { db in
          let problems = try FileDump.problems(db)
          guard problems.isEmpty else { throw Wrong("SQLite reports \(problems)") }
          let steps = try Int.fetchAll(db, sql: "SELECT count FROM Step ORDER BY count")
          guard steps == Array(1..<steps.count + 1) else { throw Wrong("steps are \(steps)") }
          for row in try Row.fetchAll(db, sql: "SELECT number, count, content FROM Counter") {
            let (number, count, content): (Int, Int, Data) = (row[0], row[1], row[2])
            let expected = steps.last { $0 % 4 == number } ?? 0
            let bytes = expected == 0 ? 0 : 26_000 + expected * 10
            guard count == expected, content == Data(repeating: UInt8(count % 256), count: bytes)
            else { throw Wrong("counter \(number) is \(count) after \(steps.count) steps") }
          }
          if try db.tableExists("strata_history") {
            let entries =
              try Int.fetchOne(
                db, sql: "SELECT count(*) FROM strata_history WHERE changes LIKE '%Step%'") ?? 0
            guard entries == steps.count else {
              throw Wrong("the history has \(entries) of \(steps.count) steps")
            }
          }
          return steps.count
        }
        try queue.close()
        return count
      }

      @Test(arguments: ["migrate", "write", "start-over", "compact"])
      func `The same holds for a file with a WAL`(job: String) throws {
        let scenario = try Scenario.of(job, hot: true)
        let cuts = try PowerCuts(job, in: scenario.newFolder())
        try cuts.tryAll(4_000, sample: 80) { remains in
          let state = try scenario.state(of: remains.folder.file)
          guard state == .after || !remains.isDone || scenario.before == scenario.after else {
            throw Wrong("the job was done, and its result is lost")
          }
        }
      }

      @Test(arguments: [
        "restore-missing", "restore-beside-log", "restore-damaged", "restore-damaged-beside-log",
      ])
      func `A restored file is whole, or nothing is restored`(job: String) throws {
        let folder = try prepared(job)
        let damaged = try Folder.files(in: folder.url)["test.sqlite"]
        let cuts = try PowerCuts(job, in: folder)
        let expected = try FileDump.read(folder.file)
        expectFalse(expected.lines.isEmpty)
        try cuts.tryAll(4_000, sample: 80) { remains in
          // SQLite may move the WAL into what is no database.
          let content = try Folder.files(in: remains.folder.url)["test.sqlite"]
          if content?.prefix(16) == damaged?.prefix(16), !remains.isDone { return }
          let dump = try FileDump.read(remains.folder.file)
          guard dump == expected else {
            throw Wrong("it is \(dump.problems)\n\(dump.difference(from: expected))")
          }
        }
      }

      @Test func `A restored file has the restoration in its history, or is as it was`() throws {
        let scenario = try Scenario.of("restore-over-history")
        let cuts = try PowerCuts("restore-over-history", in: scenario.newFolder())
        try cuts.tryAll(4_000, sample: 80) { remains in
          let state = try scenario.state(of: remains.folder.file)
          guard state == .after || !remains.isDone else { throw Wrong("the result is lost") }
          let entries = try remains.folder.number(
            "SELECT count(*) FROM strata_history WHERE kind = 'restored'")
          guard entries == (state == .after ? 1 : 0) else {
            throw Wrong("the file is \(state), with \(entries ?? 0) restorations in its history")
          }
        }
      }

      private func prepared(_ job: String) throws -> Folder {
        let folder = try Folder()
        let ending = try Worker("prepare", job, folder).ending()
        guard ending.status == 0 else { throw Scenario.Unexpected(ending: ending) }
        return folder
      }

      @Test(arguments: ["back-up", "copy", "migrate-with-backup"])
      func `Copies are whole or absent, and there when they were promised`(job: String) throws {
        let cuts = try PowerCuts(job, in: prepared(job))
        let expected = try Self.copies(in: cuts.end)
        let end = try FileDump.read(cuts.end.file)
        expectFalse(expected.isEmpty)
        try cuts.tryAll(4_000, sample: 100) { remains in
          let copies = try Self.copies(in: remains.folder)
          for (name, dump) in copies where dump != expected[name] {
            throw Wrong("\(name) is not whole: \(dump.problems)")
          }
          for name in remains.marks where name != "done" && copies[name] == nil {
            throw Wrong("\(name) was promised, and isn't there")
          }
          guard job == "migrate-with-backup", copies.isEmpty else { return }
          guard try FileDump.read(remains.folder.file) != end else {
            throw Wrong("it is migrated, without the backup")
          }
        }
      }

      @Test func `Readers find a whole publication, and never an older one than was published`()
        throws
      {
        let cuts = try PowerCuts("publish", in: Scenario.of("migrate").newFolder())
        let expected = try Self.copies(in: cuts.end)
        expectEqual(expected.count, 1)
        let published = try FileDump.read(cuts.end.file)
        try cuts.tryAll(4_000, sample: 100) { remains in
          let copies = try Self.copies(in: remains.folder)
          for (name, dump) in copies where dump != published {
            throw Wrong("\(name) is not whole: \(dump.problems)")
          }
          let current = remains.folder.url.appendingPathComponent("replica/current")
          guard FileManager.default.fileExists(atPath: current.path) else {
            if remains.marks.isEmpty { return }
            throw Wrong("nothing is published after \(remains.marks)")
          }
          let name = try String(contentsOf: current, encoding: .utf8).dropLast()
          guard copies["replica/\(name).sqlite"] != nil else { throw Wrong("\(name) is missing") }
          let promised = remains.marks.last { $0 != "done" } ?? ""
          guard "replica/\(name).sqlite" >= promised else {
            throw Wrong("\(name) is older than \(promised)")
          }
        }
      }

      @Test func `A promoted file is whole, and its folder knows of it`() throws {
        let cuts = try PowerCuts("promote", in: prepared("promote"))
        try cuts.tryAll(4_000, sample: 100) { remains in
          let file = remains.folder.url.appendingPathComponent("promoted.sqlite")
          guard FileManager.default.fileExists(atPath: file.path) else {
            if remains.marks.isEmpty { return }
            throw Wrong("it was promised, and isn't there")
          }
          let dump = try FileDump.read(file)
          guard dump.problems.isEmpty else { throw Wrong("it is not whole: \(dump.problems)") }
          let record = remains.folder.url.appendingPathComponent("replica/promoted")
          let origin = try DatabaseQueue(path: file.path).read { db in
            try String.fetchOne(db, sql: "SELECT format('%016x', mark) FROM strata_origin")
          }
          let known = try String(contentsOf: record, encoding: .utf8)
          guard known.contains("\"origin\":\"\(origin ?? "none")\"") else {
            throw Wrong("the folder doesn't know of it: \(known)")
          }
        }
      }

      @Test func `A copy whose folder is not synchronized is lost`() throws {
        let cuts = try PowerCuts("copy", in: Scenario.of("migrate").newFolder())
        try withKnownIssue {
          try cuts.withoutFolderSyncs.tryAll(400, sample: 100) { remains in
            let copies = try Self.copies(in: remains.folder)
            guard copies.count == 1 || remains.marks.isEmpty else { throw Wrong("it is lost") }
          }
        } matching: {
          "\($0)".contains("it is lost") || "\($0)".contains("more points")
        }
      }

      @Test func `A closed file in a new folder is there`() throws {
        let cuts = try PowerCuts("create-in-folder", in: Folder())
        let expected = try Self.copies(in: cuts.end)
        expectEqual(Array(expected.keys), ["one/two/new.sqlite"])
        try cuts.tryAll(2_000, sample: 40) { remains in
          if remains.marks.isEmpty { return }
          guard try Self.copies(in: remains.folder) == expected else { throw Wrong("it is lost") }
        }
      }

      /// The copies in the folder and in its subfolders, by their paths.
      private static func copies(in folder: Folder) throws -> [String: FileDump] {
        var result: [String: FileDump] = [:]
        let names = FileManager.default.enumerator(atPath: folder.url.path)
        while let name = names?.nextObject() as? String {
          guard name != "test.sqlite", name.hasSuffix(".sqlite") else { continue }
          result[name] = try FileDump.read(folder.url.appendingPathComponent(name))
        }
        return result
      }
    }
  }
#endif
