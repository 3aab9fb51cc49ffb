import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The code of docs/history.md: it equals `HistoryGuide.swift`, and works as the text says.
@Suite(.needsHook) struct HistoryGuideTests {
  @Test func `The guide shows what is compiled`() throws {
    try CompiledGuide("history.md", "HistoryGuide.swift").expectCompiled(atLeast: 5)
  }

  private func add(_ number: Int, _ realm: Realm) throws {
    try realm.write {
      realm.create(
        Customer.self,
        value: ["number": number, "name": "Ada \(number)", "email": "ada\(number)@example.com"])
    }
  }

  @Test func `An outbox has a letter for each new customer, once`() throws {
    let file = try TestFile()
    let realm = try Realm(configuration: configuration(of: file.url))
    try add(1, realm)
    try add(2, realm)
    for _ in 0..<3 { try fillOutbox(realm) }
    expectEqual(realm.objects(Letter.self).map(\.text), ["Welcome, Ada 1!", "Welcome, Ada 2!"])
    expectEqual(realm.objects(Letter.self).map(\.to), ["ada1@example.com", "ada2@example.com"])
  }

  @Test func `An index follows`() async throws {
    let file = try TestFile()
    let realm = try await Realm.open(configuration: configuration(of: file.url))
    let index = SearchIndex()
    try add(1, realm)
    try add(2, realm)
    try await updateIndex(index, realm)
    await expectEqual(index.names, [1: "Ada 1", 2: "Ada 2"])
    try realm.write {
      realm.object(ofType: Customer.self, forPrimaryKey: 1)!.name = "Eve"
      realm.delete(realm.object(ofType: Customer.self, forPrimaryKey: 2)!)
    }
    try await updateIndex(index, realm)
    await expectEqual(index.names, [1: "Eve"])
  }

  @Test func `An index is made again after a restore`() async throws {
    let file = try TestFile()
    let index = SearchIndex()
    let backup = file.url.appendingPathExtension("backup")
    do {
      let realm = try await Realm.open(configuration: configuration(of: file.url))
      try add(1, realm)
      try Realm.makeBackup(at: backup, for: realm.configuration)
      try add(2, realm)
      try await updateIndex(index, realm)
      await expectEqual(index.names.count, 2)
    }
    try FileManager.default.removeItem(at: file.url)
    try FileManager.default.moveItem(at: backup, to: file.url)
    let realm = try await Realm.open(configuration: configuration(of: file.url))
    try await updateIndex(index, realm)
    await expectEqual(index.names, [1: "Ada 1"])
    try add(3, realm)
    try await updateIndex(index, realm)
    await expectEqual(index.names, [1: "Ada 1", 3: "Ada 3"])
  }

  @Test func `A trail has what happens`() async throws {
    let file = try TestFile()
    let realm = try await Realm.open(configuration: configuration(of: file.url))
    let token = try realm.historyToken
    try add(1, realm)
    try realm.write(author: "Eve") { realm.delete(realm.objects(Customer.self)) }
    let log = AuditLog()
    let configuration = configuration(of: file.url)
    let task = Task {
      try await audit(try await Realm.open(configuration: configuration), after: token, log)
    }
    while await log.lines.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    try await task.value
    let lines = await log.lines
    expectTrue(lines[0].hasPrefix("orders-server "))
    expectTrue(lines[0].hasSuffix(": Customer 1 inserted"))
    expectTrue(lines[1].hasPrefix("Eve "))
    expectTrue(lines[1].contains("ada1@example.com"))
  }
}
