import Dispatch
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observation of collections on a queue: the notifications, and their time.
@Suite struct ObservingCollectionsTests {
  let folder: TestFolder
  let realm: Realm
  let queue = DispatchQueue(label: "observers")
  let heard = Heard<Change>()

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
  }

  private var people: Results<Observed.Person> { realm.objects(Observed.Person.self) }

  /// Writes, and waits for what the observer hears of it.
  private func hear(_ count: Int, _ body: () throws -> Void) throws -> [Change] {
    let before = heard.all.count
    try realm.write(body)
    return Array(heard.wait(for: before + count).dropFirst(before))
  }

  /// Makes sure that nothing is on its way: what was observed first is told before what comes now.
  private func settle() throws {
    let last = Heard<Change>()
    let token = realm.objects(Observed.Dog.self).observe(on: queue) { last.add(Change($0)) }
    expectEqual(last.wait(for: 1).count, 1)
    queue.sync {}
    token.invalidate()
  }

  @Test(.needsHook) func `The first call has the collection, later ones what changed`() throws {
    try realm.write { realm.add(Observed.person(1, "Ada", age: 30)) }
    let token = people.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(1)])
    try expectEqual(
      hear(1) { realm.add(Observed.person(2, "Bob", age: 20)) }, [.update(2, [], [1], [])])
    try expectEqual(hear(1) { people[0].name = "Eve" }, [.update(2, [], [], [0])])
    try expectEqual(
      hear(1) {
        realm.delete(people[0])
        realm.add(Observed.person(3))
        realm.objects(Observed.Person.self).where { $0.id == 2 }[0].age = 21
      }, [.update(2, [0], [1], [1])])
    // The value that it had.
    try expectEqual(hear(1) { people[0].age = 21 }, [.update(2, [], [], [0])])
    try expectEqual(hear(1) { realm.deleteAll() }, [.update(0, [0, 1], [], [])])
    expectTrue(token.invalidate())
    expectFalse(token.invalidate())
    try realm.write { realm.add(Observed.person(9)) }
    try settle()
    expectEqual(heard.all.count, 6)
  }

  @Test func `A row that moves in sorted results is deleted and inserted`() throws {
    try realm.write { for id in 0..<10 { realm.add(Observed.person(id, "n\(id)", age: id * 10)) } }
    let sorted = people.sorted(byKeyPath: "age")
    let token = sorted.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(10)])
    try expectEqual(hear(1) { sorted[0].age = 45 }, [.update(10, [0], [4], [])])
    // The object changes, and keeps its position.
    try expectEqual(hear(1) { sorted[9].age = 99 }, [.update(10, [], [], [9])])
    // Two change places: one of them moves.
    try expectEqual(
      hear(1) {
        sorted.where { $0.age == 10 }[0].age = 21
      }, [.update(10, [0], [1], [])])
    token.invalidate()
  }

  @Test func `Filtered results tell what comes and goes`() throws {
    try realm.write { for id in 0..<10 { realm.add(Observed.person(id, age: id)) } }
    let token = people.where { $0.age >= 5 }.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(5)])
    try expectEqual(hear(1) { people[0].age = 7 }, [.update(6, [], [0], [])])
    try expectEqual(hear(1) { people[5].age = 1 }, [.update(5, [1], [], [])])
    try realm.write { people[1].age = 2 }
    try settle()
    expectEqual(heard.all.count, 3)
    token.invalidate()
  }

  @Test func `Conditions and orders through links follow the other class`() throws {
    try realm.write {
      for id in 0..<3 {
        let person = Observed.person(id)
        person.dog = Observed.Dog(value: ["name": ["b", "c", "d"][id]])
        realm.add(person)
      }
    }
    let token = people.where { $0.dog.name != "x" }.sorted(byKeyPath: "dog.name")
      .observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(3)])
    try expectEqual(hear(1) { people[0].dog?.name = "z" }, [.update(3, [0], [2], [])])
    try expectEqual(hear(1) { people[1].dog?.name = "x" }, [.update(2, [0], [], [])])
    token.invalidate()
  }

  @Test func `Limited and distinct results tell the difference`() throws {
    try realm.write { for id in 0..<5 { realm.add(Observed.person(id, age: id / 2)) } }
    let limited = Heard<Change>()
    let token = people.distinct(by: ["age"]).observe(on: queue) { [heard] in heard.add(Change($0)) }
    let other = people.sorted(byKeyPath: "age", ascending: false).limit(2).observe(on: queue) {
      limited.add(Change($0))
    }
    expectEqual(heard.wait(for: 1), [.initial(3)])
    expectEqual(limited.wait(for: 1), [.initial(2)])
    try expectEqual(hear(1) { people[0].age = 9 }, [.update(4, [], [1], [0])])
    expectEqual(limited.wait(for: 2).last, .update(2, [1], [0], []))
    token.invalidate()
    other.invalidate()
  }

  @Test func `A row that crosses a limit is told to what follows the limit`() throws {
    try realm.write { for id in 0..<6 { realm.add(Observed.person(id, "n", age: id * 10)) } }
    let first = people.sorted(byKeyPath: "age").limit(3)
    let kinds: [(Results<Observed.Person>, Heard<Change>)] = [
      (first.filter("name == 'n'"), Heard()), (first.where { $0.name == "n" }, Heard()),
      (first.sorted(byKeyPath: "name"), Heard()), (first.sorted(byKeyPath: "age"), Heard()),
    ]
    let tokens = kinds.map { results, heard in results.observe(on: queue) { heard.add(Change($0)) }
    }
    for (_, heard) in kinds { expectEqual(heard.wait(for: 1), [.initial(3)]) }
    try realm.write { realm.add(Observed.person(100, "n", age: 5)) }
    expectEqual(kinds[0].1.wait(for: 2).last, .update(3, [2], [1], []))
    expectEqual(kinds[1].1.wait(for: 2).last, .update(3, [2], [1], []))
    expectEqual(kinds[2].1.wait(for: 2).last, .update(3, [2], [1], []))
    expectEqual(kinds[3].1.wait(for: 2).last, .update(3, [2], [1], []))
    try realm.write { people.where { $0.id == 0 }[0].age = 99 }
    expectEqual(kinds[0].1.wait(for: 3).last, .update(3, [0], [2], []))
    for token in tokens { token.invalidate() }
  }

  @Test(.needsHook) func `Lists report edits`() throws {
    let ada = Observed.person(1)
    try realm.write {
      realm.add(ada)
      ada.numbers.append(objectsIn: [1, 2, 3, 4])
    }
    let token = ada.numbers.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(4)])
    try expectEqual(hear(1) { ada.numbers[1] = 2 }, [.update(4, [], [], [1])])
    try expectEqual(hear(1) { ada.numbers.move(from: 0, to: 3) }, [.update(4, [0], [3], [])])
    try expectEqual(
      hear(1) {
        ada.numbers.removeAll()
        ada.numbers.append(2)
      }, [.update(1, [0, 1, 2, 3], [0], [])])
    try expectEqual(
      hear(1) {
        ada.numbers.insert(5, at: 0)
        ada.numbers.removeLast()
        ada.numbers.append(objectsIn: [6, 7])
      }, [.update(3, [0], [0, 1, 2], [])])
    // SQL: the shortest difference.
    try expectEqual(
      hear(1) {
        try realm.withDatabase { try $0.execute(sql: "DELETE FROM Person_numbers WHERE value = 6") }
      }, [.update(2, [1], [], [])])
    try expectEqual(hear(1) { realm.delete(ada) }, [.update(0, [0, 1], [], [])])
    try realm.write { realm.add(Observed.person(2)) }
    try settle()
    expectEqual(heard.all.count, 7)
    token.invalidate()
  }

  @Test func `Edits and what SQLite does to a list are told together`() throws {
    let ada = Observed.person(1)
    let rex = Observed.Dog(value: ["name": "Rex"])
    try realm.write {
      ada.dogs.append(objectsIn: [Observed.Dog(), rex, Observed.Dog()])
      realm.add(ada)
    }
    let token = ada.dogs.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(3)])
    try expectEqual(
      hear(1) {
        ada.dogs.append(Observed.Dog())
        realm.delete(rex)
      }, [.update(3, [1], [2], [])])
    token.invalidate()
  }

  @Test func `A list hears of its objects, and of what they lead to`() throws {
    let ada = Observed.person(1)
    let rex = Observed.Dog(value: ["name": "Rex"])
    try realm.write {
      rex.collar = Observed.Collar(value: ["color": "red"])
      ada.dogs.append(objectsIn: [Observed.Dog(), rex, rex])
      realm.add(ada)
    }
    let token = ada.dogs.observe(on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(3)])
    try expectEqual(hear(1) { rex.name = "Max" }, [.update(3, [], [], [1, 2])])
    try expectEqual(hear(1) { rex.collar?.color = "blue" }, [.update(3, [], [], [1, 2])])
    try expectEqual(hear(1) { realm.delete(rex) }, [.update(1, [1, 2], [], [])])
    token.invalidate()
  }

  @Test func `Sets and linking objects tell what changed`() throws {
    let ada = Observed.person(1)
    let rex = Observed.Dog(value: ["name": "Rex"])
    try realm.write {
      ada.tags.insert(objectsIn: ["b", "d"])
      ada.dogs.append(rex)
      realm.add(ada)
    }
    let owners = Heard<Change>()
    let token = ada.tags.observe(on: queue) { [heard] in heard.add(Change($0)) }
    let other = rex.owners.observe(on: queue) { owners.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(2)])
    expectEqual(owners.wait(for: 1), [.initial(1)])
    try expectEqual(
      hear(1) {
        ada.tags.insert("c")
        ada.tags.remove("d")
      }, [.update(2, [1], [1], [])])
    // The set is a property of an owner.
    expectEqual(owners.wait(for: 2).last, .update(1, [], [], [0]))
    try realm.write {
      let bob = Observed.person(2)
      bob.dogs.append(rex)
      realm.add(bob)
    }
    expectEqual(owners.wait(for: 3).last, .update(2, [], [1], []))
    try realm.write { people[1].name = "Bob" }
    expectEqual(owners.wait(for: 4).last, .update(2, [], [], [1]))
    token.invalidate()
    other.invalidate()
  }

  @Test func `Maps report keys`() throws {
    let ada = Observed.person(1)
    let rex = Observed.Dog(value: ["name": "Rex"])
    try realm.write {
      ada.dogsByName["r"] = rex
      ada.dogsByName["s"] = Observed.Dog()
      realm.add(ada)
    }
    let maps = Heard<[[String]]>()
    let token = ada.dogsByName.observe(on: queue) { change in
      switch change {
      case .initial(let map): maps.add([["initial", "\(map.count)"]])
      case .update(_, let deletions, let insertions, let modifications):
        maps.add([deletions, insertions, modifications])
      case .error(let error): maps.add([["\(error)"]])
      }
    }
    expectEqual(maps.wait(for: 1), [[["initial", "2"]]])
    try realm.write { rex.name = "Max" }
    expectEqual(maps.wait(for: 2).last, [[], [], ["r"]])
    try realm.write {
      ada.dogsByName["a"] = rex
      ada.dogsByName["s"] = nil
    }
    let changed = try #require(maps.wait(for: 3).last)
    expectEqual(changed[1], ["a"])
    try realm.write { realm.delete(rex) }
    expectEqual(maps.wait(for: 4).last, [[], [], ["a", "r"]])
    token.invalidate()
  }

  @Test func `Key paths say what counts`() throws {
    let ada = Observed.person(1, "Ada", age: 30)
    let rex = Observed.Dog(value: ["name": "Rex"])
    try realm.write {
      ada.dogs.append(rex)
      realm.add(ada)
    }
    let names = Heard<Change>()
    let lists = Heard<Change>()
    let dogNames = Heard<Change>()
    let all = Heard<Change>()
    let tokens = [
      people.observe(keyPaths: ["name"], on: queue) { names.add(Change($0)) },
      people.observe(keyPaths: ["dogs"], on: queue) { lists.add(Change($0)) },
      people.observe(keyPaths: [\.name, \.dog?.name], on: queue) { dogNames.add(Change($0)) },
      people.observe(keyPaths: ["*"], on: queue) { all.add(Change($0)) },
    ]
    for heard in [names, lists, dogNames, all] { expectEqual(heard.wait(for: 1), [.initial(1)]) }
    try realm.write { ada.age = 31 }
    expectEqual(all.wait(for: 2).last, .update(1, [], [], [0]))
    try realm.write { rex.name = "Max" }
    try realm.write { ada.name = "Eve" }
    expectEqual(names.wait(for: 2).last, .update(1, [], [], [0]))
    expectEqual(all.wait(for: 3).last, .update(1, [], [], [0]))
    try realm.write { ada.dogs.append(rex) }
    expectEqual(lists.wait(for: 2).last, .update(1, [], [], [0]))
    try settle()
    expectEqual(names.all.count, 2)
    expectEqual(lists.all.count, 2)
    expectEqual(dogNames.all.count, 2)
    expectEqual(all.all.count, 4)
    for token in tokens { token.invalidate() }
  }

  @Test func `Commits of another process are told as well`() throws {
    try realm.write { for id in 0..<5 { realm.add(Observed.person(id, age: id)) } }
    let token = people.sorted(byKeyPath: "age").observe(on: queue) { [heard] in
      heard.add(Change($0))
    }
    expectEqual(heard.wait(for: 1), [.initial(5)])
    try folder.execute("UPDATE Person SET age = 10 WHERE id = 0; DELETE FROM Person WHERE id = 3")
    expectEqual(heard.wait(for: 2).last, .update(4, [0, 3], [3], []))
    try expectEqual(hear(1) { people[0].age = 1 }, [.update(4, [3], [0], [])])
    token.invalidate()
  }

  @Test func `A text in other bytes that looks the same is a change of its property`() throws {
    try realm.write { realm.add(Observed.person(1, "\u{e9}")) }
    let token = people.observe(keyPaths: ["name"], on: queue) { [heard] in heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(1)])
    try folder.execute("UPDATE Person SET name = 'e' || char(769)")
    expectEqual(heard.wait(for: 2).last, .update(1, [], [], [0]))
    token.invalidate()
  }

  @Test func `A token of a transaction doesn't hear of it`() throws {
    try realm.write { realm.add(Observed.person(1)) }
    let other = Heard<Change>()
    let token = people.observe(on: queue) { [heard] in heard.add(Change($0)) }
    _ = heard.wait(for: 1)
    let results = people
    let own = results.observe { other.add(Change($0)) }
    realm.refresh()
    expectEqual(other.all, [.initial(1)])
    try realm.write(withoutNotifying: [own]) { realm.add(Observed.person(2)) }
    expectEqual(heard.wait(for: 2).last, .update(2, [], [1], []))
    realm.refresh()
    expectEqual(other.all, [.initial(1)])
    try realm.write { realm.add(Observed.person(3)) }
    realm.refresh()
    expectEqual(other.all, [.initial(1), .update(3, [], [2], [])])
    token.invalidate()
    own.invalidate()
  }
}
