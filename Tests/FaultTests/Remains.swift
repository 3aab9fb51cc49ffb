import Foundation
import Synchronization

/// The files that killed processes leave: whether they are old or new, and whether the next process
/// can finish.
///
/// Most statements before a commit leave the same bytes; equal files are checked once.
final class Remains: Sendable {
  private let scenario: Scenario
  private let known = Mutex<[[Data]: Scenario.State]>([:])

  init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// - Throws: ``Wrong`` when the files are neither old nor new, or can't be used.
  func state(in folder: Folder) throws -> Scenario.State {
    // The index of the WAL is created again by the first opening of the file.
    let bytes = try ["", "-wal"].map { end -> Data in
      let path = folder.file.path + end
      guard FileManager.default.fileExists(atPath: path) else { return Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    if let state = known.withLock({ $0[bytes] }) { return state }
    let state = try scenario.state(of: folder.file)
    try finish(folder, after: state)
    known.withLock { $0[bytes] = state }
    return state
  }

  private func finish(_ folder: Folder, after kill: Scenario.State) throws {
    // A transaction of a program that is done would be done twice.
    if scenario.job == "write", kill == .after { return }
    let ending = try Worker.run(scenario.job, folder)
    guard ending.events != nil else { throw Wrong("the next process fails: \(ending)") }
    if scenario.job == "convert" { try checkPlace(folder) }
    let state = try scenario.state(of: folder.file)
    guard state == .after || scenario.before == scenario.after else {
      throw Wrong("the next process leaves the file as it was")
    }
  }

  /// A conversion never changes the old file, and the next one removes what a killed one left.
  private func checkPlace(_ folder: Folder) throws {
    let leftovers = try folder.leftovers()
    guard leftovers.isEmpty else { throw Wrong("the next process leaves \(leftovers)") }
    guard try scenario.keepsOldFile(in: folder) else { throw Wrong("the old file is changed") }
  }
}
