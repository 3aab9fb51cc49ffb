import Dispatch
import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observed files that another program deletes, replaces or migrates. Observers receive the reason
/// why no more commits can come.
@Suite(.timeLimit(.minutes(20))) struct LostFileObservingTests {
  let folder: TestFolder
  let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    folder.isDamaged = true
    var configuration = folder.configuration(Observed.types)
    configuration.history = .init()
    self.configuration = configuration
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Observed.person(1)) }
  }

  enum Loss: CaseIterable {
    case deleted, moved, replaced, withoutWAL, inMovedFolder
  }

  private func lose(_ loss: Loss) throws {
    let path = folder.file.path
    switch loss {
    case .deleted: for suffix in ["", "-wal", "-shm"] { expectEqual(unlink(path + suffix), 0) }
    case .moved: expectEqual(rename(path, path + ".old"), 0)
    case .replaced:
      try Data(count: 512).write(to: URL(fileURLWithPath: path + ".new"))
      expectEqual(rename(path + ".new", path), 0)
    case .withoutWAL: expectEqual(unlink(path + "-wal"), 0)
    case .inMovedFolder: expectEqual(rename(folder.url.path, folder.url.path + ".moved"), 0)
    }
  }

  private func tidyUp() throws {
    for url in [folder.url, URL(fileURLWithPath: folder.url.path + ".moved")]
    where FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
  }

  private static func isLoss(_ error: any Error) -> Bool {
    (error as? Realm.Error)?.code == .fileNotFound
      && "\(error)".contains("replaced while it was open")
  }

  @Test(arguments: Loss.allCases, [true, false])
  func `Observers, loops and followers of the history hear that the file is gone`(
    loss: Loss, isWriter: Bool
  ) async throws {
    let realm = try await Realm.open(configuration: configuration)
    if isWriter { try realm.write { realm.add(Observed.person(2)) } }
    let people = realm.objects(Observed.Person.self)
    let (heard, ended, opened) = (Heard<Bool>(), Heard<Bool>(), Heard<Bool>())
    let token = people.observe(on: DispatchQueue(label: "observer")) { change in
      if case .error(let error) = change { heard.add(Self.isLoss(error)) }
    }
    let settings = configuration
    let loops = [
      Task {
        do {
          let realm = try await Realm.open(configuration: settings)
          for try await _ in realm.objects(Observed.Person.self).changes() { opened.add(true) }
        } catch {
          ended.add(Self.isLoss(error))
        }
      },
      Task {
        do {
          let realm = try await Realm.open(configuration: settings)
          let token = try realm.historyToken
          opened.add(true)
          for try await _ in realm.history(following: token) {}
        } catch {
          ended.add(Self.isLoss(error))
        }
      },
    ]
    _ = try await opened.arrival(of: 2, seconds: 60)
    // They wait for what comes next by then.
    try await Task.sleep(for: .milliseconds(300))
    expectTrue(heard.all.isEmpty && ended.all.isEmpty)
    try lose(loss)
    try await expectEqual(heard.arrival(of: 1, seconds: 60), [true])
    try await expectEqual(ended.arrival(of: 2, seconds: 60), [true, true])
    for loop in loops { loop.cancel() }
    token.invalidate()
    try tidyUp()
  }

  @Test func `A file that is away for a moment is observed further`() async throws {
    let realm = try await Realm.open(configuration: configuration)
    let heard = Heard<Change>()
    let token = realm.objects(Observed.Person.self).observe(on: DispatchQueue(label: "observer")) {
      heard.add(Change($0))
    }
    try await expectEqual(heard.arrival(of: 1), [.initial(1)])
    let path = folder.file.path
    for _ in 0..<20 {
      expectEqual(rename(path, path + ".away"), 0)
      expectEqual(rename(path + ".away", path), 0)
      try await Task.sleep(for: .milliseconds(20))
    }
    try realm.write { realm.add(Observed.person(2)) }
    try await expectEqual(heard.arrival(of: 2), [.initial(1), .update(2, [], [1], [])])
    token.invalidate()
  }

  @Test func `A thread that refreshes hears that another program has migrated the file`() throws {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    let token = realm.objects(Observed.Person.self).observe { heard.add(Change($0)) }
    realm.refresh()
    expectEqual(heard.all, [.initial(1)])
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    try other.write { db in
      try db.execute(
        sql: """
          INSERT INTO strata_schema_version (version, schema, migrated_at)
          SELECT 9, schema, migrated_at FROM strata_schema_version
          """)
    }
    try other.close()
    for _ in 0..<10 { withKnownIssue(isIntermittent: true) { _ = realm.refresh() } }
    expectEqual(heard.all.count, 2)
    guard case .error(let text) = heard.all.last else {
      Issue.record("\(heard.all)")
      return
    }
    expectTrue(text.contains("Unsupported schema changes were made by another client or process"))
    token.invalidate()
  }
}
