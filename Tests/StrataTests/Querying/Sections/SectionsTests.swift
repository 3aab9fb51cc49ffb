import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite struct SectionsTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([SectionModels.Person.self]))
    try realm.write {
      for (name, age) in [("Bob", 40), ("Ada", 36), ("Cleo", 36), ("Art", 1)] {
        realm.add(SectionModels.Person(value: ["name": name, "age": age] as [String: Any]))
      }
    }
  }

  var people: Results<SectionModels.Person> { realm.objects(SectionModels.Person.self) }
  typealias Sections<Key: Hashable> = SectionedResults<Key, SectionModels.Person>

  func text<Key>(_ sections: Sections<Key>) -> [String] {
    sections.map { section in "\(section.key): \(section.map(\.name).joined(separator: " "))" }
  }

  @Test func `Objects are in sections by a property, in its order`() {
    expectEqual(text(people.sectioned(by: \.age)), ["1: Art", "36: Ada Cleo", "40: Bob"])
    expectEqual(
      text(people.sectioned(by: \.age, ascending: false)), ["40: Bob", "36: Ada Cleo", "1: Art"])
    expectEqual(people.sectioned(by: \.age).allKeys, [1, 36, 40])
  }

  @Test func `A key may be computed of a property`() {
    expectEqual(
      text(people.sectioned(by: \.firstLetter, ascending: true)),
      [
        "A: Ada Art", "B: Bob", "C: Cleo",
      ])
  }

  @Test func `Descriptors order the objects of a section`() {
    expectEqual(
      text(
        people.sectioned(
          by: \.firstLetter, sortDescriptors: [.init(keyPath: "name", ascending: false)])),
      [
        "C: Cleo", "B: Bob", "A: Art Ada",
      ])
    expectEqual(
      text(
        people.sectioned(
          by: \.age, sortDescriptors: ["age", .init(keyPath: "name", ascending: false)])),
      [
        "1: Art", "36: Cleo Ada", "40: Bob",
      ])
  }

  @Test func `A closure makes keys of whole objects`() {
    expectEqual(
      text(people.sectioned(by: { $0.age > 10 }, sortDescriptors: ["age"])),
      [
        "false: Art", "true: Ada Cleo Bob",
      ])
    expectEqual(
      text(people.sectioned(sortDescriptors: ["name"]) { $0.name.count }),
      [
        "3: Ada Art Bob", "4: Cleo",
      ])
  }

  @Test func `Nil is a key`() throws {
    try realm.write { people[0].nick = "b" }
    let sections = people.sectioned(by: \.nick)
    expectTrue(sections.allKeys == [nil, "b"] && sections[0].count == 3)
  }

  @Test func `Values of a list are in sections by a closure`() throws {
    try realm.write { people[0].scores.append(objectsIn: [5, 1, 4, 2]) }
    let sections = people[0].scores.sectioned(by: { $0.isMultiple(of: 2) })
    expectTrue(
      sections.map { Array($0) } == [[1, 5], [2, 4]] && sections.allKeys == [false, true])
    try realm.write { people[0].scores.append(7) }
    expectEqual(sections.map { Array($0) }, [[1, 5, 7], [2, 4]])
    expectEqual(
      people[0].scores.sectioned(by: { $0 > 3 }, ascending: false).map { Array($0) },
      [
        [7, 5, 4], [2, 1],
      ])
  }

  @Test func `Objects in no realm are in sections too`() {
    let list = List<SectionModels.Person>()
    list.append(objectsIn: people.map { SectionModels.Person(value: $0) })
    let sections = list.sectioned(by: \.firstLetter)
    expectEqual(text(sections), ["A: Ada Art", "B: Bob", "C: Cleo"])
    list.removeLast()
    expectEqual(text(sections), ["A: Ada", "B: Bob", "C: Cleo"])
  }

  @Test func `Sections and their elements are found by their positions`() {
    let sections = people.sectioned(by: \.firstLetter)
    expectTrue(sections.count == 3 && sections[1].key == "B" && sections[1].id == "B")
    expectTrue(sections[0][1].name == "Art" && sections[0].last?.name == "Art")
    var path = IndexPath(item: 0, section: 2)
    expectTrue(path == IndexPath(indexes: [2, 0]) && path == IndexPath(row: 0, section: 2))
    expectEqual(sections[path].name, "Cleo")
    path.section = 0
    path.item = 1
    expectTrue(path.section == 0 && path.item == 1 && path.row == 1)
    expectEqual(sections[path].name, "Art")
    path.row = 0
    expectEqual(sections[path].name, "Ada")
    expectTrue(sections.first?.count == 2 && sections.last?.key == "C")
    expectTrue(sections.realm == realm && sections[0].realm == realm)
    expectTrue(sections == sections && sections[0] == sections[0] && sections[0] != sections[1])
    expectTrue(sections != people.sectioned(by: \.firstLetter))
    expectTrue(!sections.isInvalidated && !sections[0].isInvalidated)
  }

  @Test func `Sections show what was committed, and inside of write what was done so far`() throws {
    let sections = people.sectioned(by: \.firstLetter)
    let letterB = sections[1]
    try realm.write {
      people[0].name = "Dora"
      expectEqual(text(sections), ["A: Ada Art", "C: Cleo", "D: Dora"])
      people[0].name = "Ann"
      expectEqual(text(sections), ["A: Ada Ann Art", "C: Cleo"])
      expectTrue(letterB.isEmpty && letterB.isInvalidated)
      realm.add(SectionModels.Person(value: ["name": "Bill"]))
      expectTrue(letterB.map(\.name) == ["Bill"] && !letterB.isInvalidated)
      realm.delete(Array(people.suffix(1)))
      expectTrue(letterB.isEmpty && sections.allKeys == ["A", "C"])
    }
    expectEqual(sections.allKeys, ["A", "C"])
    let other = try Realm(configuration: folder.configuration([SectionModels.Person.self]))
    try other.write { other.deleteAll() }
    realm.refresh()
    expectTrue(sections.isEmpty && sections.allKeys == [])
  }

  @Test func `What a transaction that fails has done is gone from sections`() {
    struct Failure: Error {}
    let sections = people.sectioned(by: \.firstLetter)
    #expect(throws: Failure.self) {
      try realm.write {
        people[0].name = "Xenia"
        expectEqual(sections.allKeys, ["A", "C", "X"])
        throw Failure()
      }
    }
    expectEqual(sections.allKeys, ["A", "B", "C"])
  }

  @Test func `A loop over a section visits the objects that it had at the beginning`() throws {
    let section = people.sectioned(by: \.firstLetter)[0]
    var names: [String] = []
    try realm.write {
      for person in section {
        names.append(person.name)
        person.name = "Z"
      }
    }
    expectTrue(names == ["Ada", "Art"] && section.isEmpty)
  }

  @Test func `Sections without an order are a mistake`() throws {
    let none =
      "Can not section Results with empty sortDescriptor parameter. Give one for the property that "
      + "the key of a section comes from."
    expectIssue(none) { expectTrue(people.sectioned(by: \.age, sortDescriptors: []).isEmpty) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        people[0].age = 99
        _ = people.sectioned(sortDescriptors: []) { $0.age }
      }
    }
    expectTrue(error?.message == none && people[0].age == 40)
  }

  @Test func `The order of sections begins with the property of the key`() {
    expectIssue(
      "The section key path must match the primary sort descriptor. The key is 'age', and the "
        + "objects are sorted by 'name': begin with a descriptor for 'age'."
    ) { expectTrue(people.sectioned(by: \.age, sortDescriptors: ["name", "age"]).isEmpty) }
  }

  @Test func `A key path that reads no property can't order sections`() {
    expectIssue("A key path of 'Person' with values of type 'Int' is not a property") {
      expectTrue(people.sectioned(by: \.constant).isEmpty)
    }
    expectEqual(people.sectioned(by: \.constant, sortDescriptors: ["name"]).allKeys, [3])
  }

  @Test func `Sections describe their elements`() {
    let text = "\(people.sectioned(by: \.firstLetter))"
    expectTrue(text.hasPrefix("SectionedResults<String, Person> (\n\t[0] ResultsSection<"))
    expectTrue(text.contains("name = Cleo;"))
    expectTrue("\(people.sectioned(by: \.age)[0])".hasPrefix("ResultsSection<Int, Person> 1 ("))
  }

  @Test func `A position out of range stops the process`() async {
    let path = folder.url.path
    await #expect(processExitsWith: .failure) { [path = path as String] in
      // The process that stops can't remove a folder of its own.
      let folder = TestFolder(ofParent: path)
      let realm = try Realm(configuration: folder.configuration([SectionModels.Person.self]))
      _ = realm.objects(SectionModels.Person.self).sectioned(by: \.age)[9]
    }
  }
}

enum SectionModels {
  final class Person: Object {
    @Persisted var name = ""
    @Persisted var nick: String?
    @Persisted var age = 0
    @Persisted var scores: List<Int>

    var firstLetter: String { String(name.prefix(1)) }
    var constant: Int { 3 }
  }
}
