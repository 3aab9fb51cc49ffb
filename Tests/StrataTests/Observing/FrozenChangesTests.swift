import Dispatch
import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Observed.Person

/// Frozen changes, which keep a collection that matches their positions.
@Suite struct FrozenChangesTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
  }

  @Test func `A loop that waits keeps the collection of its change`() async throws {
    try realm.write { realm.add((0..<3).map { Observed.person($0, "\($0)") }) }
    let people = realm.objects(Person.self).sorted(byKeyPath: "name")
    var changes = people.changes().makeAsyncIterator()
    guard case .initial(let first)? = try await changes.next()?.frozen() else {
      Issue.record("there is no first state")
      return
    }
    try realm.write {
      realm.add(Observed.person(9, "9"))
      realm.delete(people[0])
    }
    let change = try #require(try await changes.next()).frozen()
    // As other code of the same place does during an `await`.
    try realm.write { realm.deleteAll() }
    realm.refresh()
    guard case .update(let members, let deletions, let insertions, let modifications) = change
    else {
      Issue.record("\(change)")
      return
    }
    expectTrue(people.isEmpty && members.isFrozen && first.isFrozen)
    expectTrue(first.map(\.name) == ["0", "1", "2"] && members.map(\.name) == ["1", "2", "9"])
    expectTrue(deletions == [0] && insertions == [2] && modifications == [])
    expectEqual(members[insertions[0]].name, "9")
    expectEqual(change.modificationsInNewVersion, [])
  }

  @Test func `Changes of maps, sections and objects are frozen`() throws {
    let ada = try realm.write {
      let ada = Observed.person(1, "Ada", age: 30)
      ada.scores["a"] = 1
      ada.dogsByName["Rex"] = Observed.Dog(value: ["name": "Rex"])
      realm.add(ada)
      return ada
    }
    var maps: [RealmMapChange<Map<String, Int>>] = []
    var sections: [SectionedResultsChange<SectionedResults<Int, Person>>] = []
    var objects: [ObjectChange<Person>] = []
    let tokens = [
      ada.scores.observe { maps.append($0.frozen()) },
      realm.objects(Person.self).sectioned(by: \.age).observe { sections.append($0.frozen()) },
      ada.observe { objects.append($0.frozen()) },
    ]
    realm.refresh()
    let rex = try #require(ada.dogsByName["Rex"] ?? nil)
    try realm.write {
      ada.scores["b"] = 2
      ada.age = 31
      ada.dog = rex
      ada.any = .object(rex)
    }
    realm.refresh()
    for token in tokens { token.invalidate() }
    try realm.write { realm.deleteAll() }
    guard maps.count == 2, case .update(let map, _, let insertions, _) = maps[1],
      sections.count == 2, case .initial(let before) = sections[0],
      case .update(let after, _, _, _, let new, let old) = sections[1],
      objects.count == 1, case .change(let object, let properties) = objects[0]
    else {
      Issue.record("\(maps) \(sections) \(objects)")
      return
    }
    expectTrue(map.isFrozen && insertions == ["b"] && map["b"] == 2)
    expectTrue(before.allKeys == [30] && after.allKeys == [31])
    expectTrue(new == [0] && old == [0])
    expectTrue(object.isFrozen && object.age == 31 && object.name == "Ada")
    expectEqual(properties.map(\.name), ["age", "dog", "scores", "any"])
    let dog = try #require(properties[1].newValue as? Observed.Dog)
    expectTrue(dog.isFrozen && dog.name == "Rex" && properties[1].oldValue == nil)
    expectTrue(properties[0].oldValue as? Int == 30 && properties[0].newValue as? Int == 31)
    let any = try #require(properties[3].newValue as? Observed.Dog)
    expectTrue(any.isFrozen && any.name == "Rex" && properties[3].oldValue == nil)
  }

  @Test func `What is gone isn't frozen, and nothing is reported`() throws {
    let ada = try realm.write {
      let ada = Observed.person(1)
      ada.numbers.append(1)
      realm.add(ada)
      return ada
    }
    var lists: [RealmCollectionChange<List<Int>>] = []
    var objects: [ObjectChange<Person>] = []
    let tokens = [
      ada.numbers.observe { lists.append($0.frozen()) },
      ada.observe { objects.append($0.frozen()) },
    ]
    realm.refresh()
    try realm.write { realm.delete(ada) }
    realm.refresh()
    guard case .update(let list, [0], [], [])? = lists.last, case .deleted? = objects.last else {
      Issue.record("\(lists) \(objects)")
      return
    }
    expectTrue(list.isEmpty && list.isInvalidated && !list.isFrozen)
    for token in tokens { token.invalidate() }
  }
}
