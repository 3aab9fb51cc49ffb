import Dispatch
import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Invalid conditions and orders: they find nothing, and their observers aren't notified.
@Suite struct ObservingMistakesTests {
  let folder: TestFolder
  let realm: Realm
  let queue = DispatchQueue(label: "observers")

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
  }

  private var people: Results<Observed.Person> { realm.objects(Observed.Person.self) }

  /// Deeper than SQLite reads.
  private static let tooDeep = (0..<80).reduce("age == 1") { text, number in
    "(\(text)) \(number % 2 == 0 ? "AND" : "OR") age == \(number)"
  }

  enum Mistake: CaseIterable {
    case name, type, depth, sort, distinct, filterAfterMistake, limitAfterMistake

    func results(_ people: Results<Observed.Person>) -> Results<Observed.Person> {
      switch self {
      case .name: people.filter("nope == 3")
      case .type: people.filter("age == 'three'")
      case .depth: people.filter(ObservingMistakesTests.tooDeep)
      case .sort: people.sorted(byKeyPath: "nope")
      case .distinct: people.distinct(by: ["nope"])
      case .filterAfterMistake:
        people.filter("nope == 3").filter("age >= 0").sorted(byKeyPath: "age")
      case .limitAfterMistake: people.sorted(byKeyPath: "nope").limit(3).filter("age >= 0")
      }
    }
  }

  private func mistaken<Value>(_ body: () -> Value) throws -> Value {
    var value: Value?
    withKnownIssue { value = body() }
    return try #require(value)
  }

  /// Commits of one row and of many, beside which observers of the whole class hear of each.
  private func write(_ all: Heard<Change>) throws {
    try realm.write { realm.add(Observed.person(1, age: 30)) }
    expectEqual(all.wait(for: 2).last, .update(1, [], [0], []))
    try realm.write { people[0].age = 31 }
    expectEqual(all.wait(for: 3).last, .update(1, [], [], [0]))
    try realm.write { for id in 2..<9 { realm.add(Observed.person(id, age: id)) } }
    expectEqual(all.wait(for: 4).count, 4)
    try realm.write { realm.deleteAll() }
    expectEqual(all.wait(for: 5).count, 5)
    queue.sync {}
  }

  @Test(arguments: Mistake.allCases)
  func `Observers of a mistake hear that it finds nothing, and no more`(mistake: Mistake) throws {
    let results = try mistaken { mistake.results(people) }
    let (heard, all) = (Heard<Change>(), Heard<Change>())
    let tokens = [
      results.observe(on: queue) { heard.add(Change($0)) },
      people.observe(on: queue) { all.add(Change($0)) },
      results.sectioned(by: \.age).observe(on: queue) { change in
        if case .initial(let sections) = change {
          heard.add(.initial(sections.count))
        } else {
          heard.add(.error("\(change)"))
        }
      },
    ]
    expectEqual(all.wait(for: 1), [.initial(0)])
    try write(all)
    expectEqual(heard.all, [.initial(0), .initial(0)])
    expectTrue(results.isEmpty && results.count == 0 && Array(results).isEmpty)
    expectTrue(results.first == nil && results.sum(of: \.age) == 0)
    for token in tokens { token.invalidate() }
  }

  @Test func `Observers of mistakes in lists, sets and linking objects hear of nothing`() throws {
    let (ada, rex) = (Observed.person(0), Observed.Dog(value: ["name": "Rex"]))
    try realm.write {
      ada.dogs.append(rex)
      ada.numbers.append(1)
      realm.add(ada)
    }
    let (heard, all) = (Heard<Change>(), Heard<Change>())
    let dogs = try mistaken { ada.dogs.filter("nope == 3") }
    let owners = try mistaken { rex.owners.filter("agee >= 18") }
    let numbers = try mistaken { ada.numbers.filter("nope == 3") }
    let tags = try mistaken { ada.tags.sorted(byKeyPath: "nope") }
    let tokens = [
      dogs.observe(on: queue) { heard.add(Change($0)) },
      owners.observe(on: queue) { heard.add(Change($0)) },
      numbers.observe(on: queue) { heard.add(Change($0)) },
      tags.observe(on: queue) { heard.add(Change($0)) },
      ada.dogs.observe(on: queue) { all.add(Change($0)) },
    ]
    expectEqual(all.wait(for: 1), [.initial(1)])
    try realm.write { ada.dogs.append(Observed.Dog()) }
    expectEqual(all.wait(for: 2).last, .update(2, [], [1], []))
    try realm.write {
      ada.numbers.append(2)
      ada.tags.insert("a")
      rex.name = "Max"
    }
    expectEqual(all.wait(for: 3).count, 3)
    queue.sync {}
    expectEqual(heard.all, Array(repeating: .initial(0), count: 4))
    for token in tokens { token.invalidate() }
  }

  @Test func `A server's loop over a user's condition goes on after a mistake`() async throws {
    let results = try mistaken { people.filter("agee >= 18") }
    let heard = Heard<Change>()
    let configuration = folder.configuration(Observed.types)
    var changes = results.changes().makeAsyncIterator()
    if let first = try await changes.next() { heard.add(Change(first)) }
    try inThread(configuration) { realm in
      try realm.write { realm.add(Observed.person(1, age: 30)) }
      try realm.write { realm.add(Observed.person(2, age: 31)) }
    }
    realm.refresh()
    expectEqual(heard.all, [.initial(0)])
    expectTrue(results.isEmpty)
  }

  @Test func `A class that the realm lacks has no objects, also for observers`() throws {
    let results = try mistaken { realm.objects(V0.Keyed.self) }
    let heard = Heard<Change>()
    withKnownIssue {
      let token = results.observe(on: queue) { heard.add(Change($0)) }
      expectFalse(token.invalidate())
    }
    expectTrue(results.isEmpty)
  }
}
