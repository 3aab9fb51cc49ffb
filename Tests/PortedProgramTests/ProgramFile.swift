import Foundation
import Testing

/// The file of a program in a test, in a folder that is removed with it.
final class ProgramFile: Sendable {
  let url: URL
  private let folder: URL

  init() {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-program-\(UUID().uuidString)", isDirectory: true)
    url = folder.appendingPathComponent("program.sqlite")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      Issue.record("The folder of the test can't be made: \(error)")
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("The folder of the test can't be removed: \(error)")
    }
  }
}
