import Foundation
import TestKit
import Testing

extension Faults {
  /// Files and folders that the process may not read or write.
  @Suite(.serialized) struct PermissionTests {
    /// The permissions of the file and its folder, each as the user in question finds them.
    struct Case: Sendable, CustomTestStringConvertible {
      var file: mode_t?
      var folder: mode_t
      var testDescription: String {
        "\(file.map { String($0, radix: 8) } ?? "none") in \(String(folder, radix: 8))"
      }
    }

    @Test(arguments: [
      Case(file: 0o000, folder: 0o777), Case(file: 0o444, folder: 0o777),
      Case(file: 0o666, folder: 0o555), Case(file: 0o444, folder: 0o555),
      Case(file: 0o666, folder: 0o000), Case(file: nil, folder: 0o555),
      Case(file: nil, folder: 0o000),
    ])
    func `Opening for writing is refused when it is opened`(item: Case) throws {
      let folder = try folder(item)
      let ending = try run("other-opens", folder)
      expectFalse(ending.output.contains("opened"))
      expectTrue(ending.output.contains(Self.denied(folder)), "\(ending)")
      try expectEqual(folder.leftovers(), [])
    }

    @Test(arguments: [
      Case(file: 0o000, folder: 0o777), Case(file: 0o444, folder: 0o000),
    ])
    func `What may not be read is refused by each way to look`(item: Case) throws {
      let folder = try folder(item)
      for job in ["other-reads", "other-asks"] {
        chmod(folder.url.path, item.folder)
        let ending = try run(job, folder)
        expectTrue(ending.output.contains(Self.denied(folder)), "\(ending)")
      }
    }

    @Test(arguments: [
      Case(file: 0o444, folder: 0o555), Case(file: 0o444, folder: 0o777),
      Case(file: 0o666, folder: 0o555), Case(file: 0o666, folder: 0o777),
    ])
    func `A file that may be read can be read and asked, and nothing is left behind`(
      item: Case
    ) throws {
      let folder = try folder(item)
      let reading = try run("other-reads", folder)
      expectTrue(reading.output.contains("rows 120\nagain 120\n"), "\(reading)")
      try expectAnswers(try run("other-asks", folder))
      try expectEqual(folder.names(), ["test.sqlite"])
    }

    @Test func `A replica needs no right to write to its folder`() throws {
      let folder = try folder(Case(file: 0o444, folder: 0o755))
      let ending = try run("other-shows-a-replica", folder)
      expectTrue(
        ending.output.contains("rows 120 of 1\nfrozen 120\nfiles [\"1.sqlite\", \"current\"]\n"),
        "\(ending)")
      chmod(folder.url.appendingPathComponent("replica").path, 0o755)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("replica"))
    }

    @Test func `A file that another process writes to is read with what is in its WAL`() throws {
      let folder = try folder(Case(file: 0o644, folder: 0o777))
      let holder = try Worker("run", "hold", folder)
      expectEqual(holder.line(), "ready")
      chmod(folder.url.path, 0o555)
      defer { chmod(folder.url.path, 0o755) }
      let reading = try run("other-reads", folder)
      expectTrue(reading.output.contains("rows 121\nagain 121\n"), "\(reading)")
      try expectAnswers(try run("other-asks", folder))
      holder.proceed()
      expectTrue(holder.ending().events != nil)
      try expectEqual(folder.accounts(), 121)
    }

    @Test func `A folder that may no longer be entered is a missing permission, until it may`()
      throws
    {
      let folder = try folder(Case(file: 0o644, folder: 0o755))
      let ending = try run("other-is-locked-out", folder)
      let path = folder.file.path
      let refusals = """
        refused true The file at path '\(path)' can't be reached any more: Permission denied. Allow the \
        program to enter its folder again, and repeat the transaction.
        refused true The file at path '\(path)' can't be reached any more: Permission denied. Allow the \
        program to enter its folder again, and repeat the transaction.
        done
        """
      expectTrue(ending.output.hasPrefix(refusals), "\(ending)")
      try expectEqual(folder.accounts(), 122)
    }

    @Test func `The copy of a seed that may only be read can be written`() throws {
      let folder = try Scenario.of("seed").newFolder()
      chmod(folder.url.path, 0o777)
      chmod(folder.url.appendingPathComponent("seed").path, 0o444)
      let ending = try run("other-seeds", folder)
      expectTrue(ending.events != nil && !ending.output.contains("failed"), "\(ending)")
      try expectEqual(folder.accounts(), 121)
      try expectEqual(folder.mode(of: "test.sqlite"), 0o644)
    }

    @Test(arguments: [0o600, 0o640, 0o666] as [mode_t])
    func `A copy, and what is restored from it, are as private as the file`(mode: mode_t) throws {
      let folder = try folder(Case(file: mode, folder: 0o755))
      let isRoot = geteuid() == 0
      if isRoot { expectEqual(chown(folder.file.path, 65_534, 65_534), 0) }
      try expectTrue(run("migrate-with-backup", folder).events != nil)
      let copies = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("test-backups").path)
      let copy = "test-backups/\(try #require(copies.first))"
      try expectEqual(folder.mode(of: copy), mode)
      try expectEqual(folder.mode(of: "test.sqlite"), mode)
      // The file replaces nothing, a file, and an invalid file.
      for content in [nil, Data("x".utf8), Data(repeating: 1, count: 5_000)] {
        for name in ["test.sqlite-wal", "test.sqlite-shm"] { unlink(folder.path(of: name)) }
        if let content {
          try content.write(to: folder.file)
          chmod(folder.file.path, mode)
          if isRoot { expectEqual(chown(folder.file.path, 65_534, 65_534), 0) }
        } else {
          unlink(folder.file.path)
        }
        let ending = try run("restore", folder)
        expectTrue(ending.events != nil && !ending.output.contains("failed"), "\(ending)")
        try expectEqual(folder.mode(of: "test.sqlite"), mode, "\(String(describing: content))")
        try expectEqual(folder.accounts(), 120)
        for name in ["test.sqlite", copy] where isRoot {
          try expectEqual(folder.owner(of: name), 65_534)
        }
      }
    }

    private static func denied(_ folder: Folder) -> String {
      "failed PermissionDenied: Failed to open Realm file at path '\(folder.file.path)': Permission "
        + "denied. Please use a path where your app has read-write permissions."
    }

    private func expectAnswers(_ ending: Worker.Ending) throws {
      for answer in ["version 0", "history 1", "problems []", "plan 1"] {
        expectTrue(ending.output.contains("\(answer)\n"), "\(ending)")
      }
    }

    /// Runs a job, and then lets the test look at the folder again.
    private func run(_ job: String, _ folder: Folder) throws -> Worker.Ending {
      let ending = try Worker.run(job, folder)
      chmod(folder.url.path, 0o755)
      return ending
    }

    private func folder(_ item: Case) throws -> Folder {
      let folder = try Scenario.of(item.file == nil ? "create" : "migrate").newFolder()
      if let mode = item.file { chmod(folder.file.path, mode) }
      chmod(folder.url.path, item.folder)
      return folder
    }
  }
}

extension Folder {
  fileprivate func path(of name: String) -> String { url.appendingPathComponent(name).path }

  fileprivate func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  fileprivate func mode(of name: String) throws -> mode_t { try status(of: name).st_mode & 0o777 }

  fileprivate func owner(of name: String) throws -> uid_t { try status(of: name).st_uid }

  private func status(of name: String) throws -> stat {
    var status = stat()
    guard stat(path(of: name), &status) == 0 else { throw POSIXError(.ENOENT) }
    return status
  }
}
