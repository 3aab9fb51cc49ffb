import Foundation
import RealmSwift
import Synchronization
import Testing

@Suite struct TaskListTests {
  let file = ProgramFile()

  private func filled() async throws -> TaskList {
    let list = try await TaskList(fileURL: file.url)
    _ = try await list.add("Buy paint", to: "House", minutes: 30)
    _ = try await list.add(
      "Call the roofer", to: "House", priority: .high, minutes: 10, steps: ["Find number", "Call"])
    _ = try await list.add("Read", to: "Books", priority: .low)
    return list
  }

  @Test func `Items are open until they are finished`() async throws {
    let list = try await filled()
    #expect(await list.open(in: "House") == ["Call the roofer", "Buy paint"])
    #expect(await list.untouched() == ["Call the roofer"])
    let id = try await list.add("Sweep", to: "House", priority: .low, minutes: 20)
    #expect(try await list.finish(id))
    #expect(try await list.finish(UUID()) == false)
    #expect(await list.open(in: "House").count == 2)
    #expect(try await list.removeDone() == 1)
    let effort = await list.effort()
    #expect(effort.minutes == 40)
    #expect(effort.longest == 30)
    #expect(effort.average == 20)
  }

  @Test func `Items move between projects`() async throws {
    let list = try await filled()
    let id = try await list.add("Dust shelves", to: "House")
    try await list.move(id, to: "Books")
    #expect(await list.open(in: "Books") == ["Dust shelves", "Read"])
    #expect(await list.open(in: "House").contains("Dust shelves") == false)
    #expect(await list.open(in: "Garden").isEmpty)
    #expect(
      await list.byPriority()
        == ["3: Call the roofer", "2: Buy paint, Dust shelves", "1: Read"])
  }

  @Test func `Many tasks write at the same time`() async throws {
    let list = try await filled()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { _ = try await list.add("Item \(number)", to: "Bulk") }
      }
      let url = file.url
      group.addTask {
        let realm = try await Realm.open(configuration: TaskList.configuration(url))
        try realm.write {
          let project = realm.create(TodoProject.self, value: ["name": "Bulk"], update: .modified)
          project.items.append(TodoItem(value: ["title": "From outside"]))
        }
      }
      try await group.waitForAll()
    }
    #expect(await list.open(in: "Bulk").count == 9)
  }

  @Test func `A project is handed to another task`() async throws {
    let list = try await filled()
    let reference = try #require(await list.reference(to: "House"))
    let url = file.url
    let titles = try await Task.detached {
      let realm = try Realm(configuration: TaskList.configuration(url))
      let project = try #require(realm.resolve(reference))
      return Array(project.freeze().items.map(\.title))
    }.value
    #expect(titles == ["Buy paint", "Call the roofer"])
  }

  @Test func `A watcher hears of what it asked for`() async throws {
    let list = try await filled()
    let heard = Heard()
    let token = await list.watch { heard.add($0) }
    let id = try await list.add("Paint", to: "House")
    try await eventually { heard.all.last == "4: -0 +1 ~0" }
    _ = try await list.finish(id)
    try await eventually { heard.all.last == "4: -0 +0 ~1" }
    #expect(heard.all.first == "3")
    token.invalidate()
  }

  @Test func `The first version's items have titles and priorities`() async throws {
    try FirstVersion.write(["!Pay rent", "Water plants"], to: file.url)
    let list = try await TaskList(fileURL: file.url)
    #expect(await list.byPriority() == ["3: Pay rent", "2: Water plants"])
    #expect(await list.reference(to: "Inbox") != nil)
    #expect(try schemaVersionAtURL(file.url) == 3)
  }

  private func eventually(_ condition: () -> Bool) async throws {
    for _ in 0..<30_000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("It has not become true within five minutes.")
  }
}

private final class Heard: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

private enum FirstVersion {
  class TodoItem: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
  }

  static func write(_ texts: [String], to url: URL) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: url, schemaVersion: 1, objectTypes: [TodoItem.self]))
    try realm.write {
      for text in texts { realm.create(TodoItem.self, value: ["text": text]) }
    }
  }
}
