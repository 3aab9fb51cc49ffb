import Foundation

/// A folder for the files of one run.
final class Workspace {
  let folder: URL
  /// The working copy, which is replaced for each run.
  private let file: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-benchmarks-\(UUID().uuidString)")
    file = folder.appendingPathComponent("work.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("\(folder.path) can't be removed: \(error.localizedDescription)")
    }
  }

  /// Runs a contestant once, on its own copy of the file.
  func run(_ contestant: Contestant, of item: Case, rows: Int) throws -> Trial {
    let count = contestant.rows(of: rows)
    let trial = Trial(file: try copy(of: item.base, rows: count), rows: count)
    try contestant.run(trial)
    try checkIsClosed(trial.file)
    return trial
  }

  /// Makes a copy of a base file. The base file is made at its first use.
  func copy(of base: BaseFile, rows: Int) throws -> URL {
    let original = folder.appendingPathComponent("\(base.name)-\(rows).sqlite")
    if !exists(original) {
      try base.make(original, rows: rows)
      try checkIsClosed(original)
    }
    if exists(file) { try FileManager.default.removeItem(at: file) }
    try FileManager.default.copyItem(at: original, to: file)
    // Otherwise the first commit would wait for the copy to reach the disk.
    let handle = try FileHandle(forUpdating: file)
    try handle.synchronize()
    try handle.close()
    // Sets an older date: with a recent one, the library can't know whether another process changed
    // the file after it was made.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file.path)
    return file
  }

  /// Checks that the file is closed. Otherwise its newest rows are in a WAL, and the time of the
  /// checkpoint isn't measured.
  private func checkIsClosed(_ file: URL) throws {
    let log = URL(fileURLWithPath: file.path + "-wal")
    guard !exists(log) else { throw Unexpected("\(file.path) is still open") }
  }

  private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
