import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// The numbers of objects in the list of classes.
@Suite struct CountTests {
  private let folder: TestFolder
  private let reader: FileReader

  init() throws {
    folder = try Zoo.folder()
    reader = Zoo.reader(folder)
  }

  private func counts(_ version: Int) async throws -> [String: Int?] {
    Dictionary(
      uniqueKeysWithValues: try await reader.counts(version: version).map {
        ($0.className, $0.count)
      })
  }

  @Test func `Objects are counted once a version`() async throws {
    let first: [String: Int?] = ["Animal": 2, "Home": 1, "Keeper": 2, "Room": 1]
    try await expectEqual(counts(1), first)
    try folder.execute("DELETE FROM Keeper WHERE _id = 2")
    try await expectEqual(counts(1), first, "nothing was counted")
    try await expectEqual(counts(2)["Keeper"], 1)
    try await expectEqual(counts(2)["Animal"], 2)
  }

  @Test func `A file that is opened again is counted again`() async throws {
    _ = try await counts(1)
    try folder.execute("DELETE FROM Keeper WHERE _id = 2")
    await reader.close()
    try await expectEqual(counts(1)["Keeper"], 1)
  }

  @Test func `A commit is in the counts that are asked after its event`() async throws {
    let file = try await StudioFile(folder.file.path, key: nil, isWritable: false)
    func keepers() async throws -> Int? {
      try await file.slowReader.counts(version: await file.watch.version)
        .first { $0.className == "Keeper" }?.count
    }
    try await expectEqual(keepers(), 2)
    var events = await file.watch.events().makeAsyncIterator()
    try folder.execute("DELETE FROM Keeper WHERE _id = 2")
    await expectEqual(events.next(), .commit(version: 2))
    try await expectEqual(keepers(), 1)
    try await file.close("The test has ended.")
  }
}
