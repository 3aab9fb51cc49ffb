import Foundation
import Strata
import Testing

@Suite struct OrderSourceTests {
  let source: SourceRealm
  var people: Results<Person> { source.people }

  init() throws { source = try SourceRealm() }

  @Test func `Sorted`() {
    #expect(names(people.sorted(byKeyPath: "age")) == "Art Bob Ada")
    #expect(names(people.sorted(byKeyPath: "age", ascending: false)) == "Ada Bob Art")
    #expect(names(people.sorted(byKeyPath: "dog.name")) == "Art Ada Bob")
    #expect(names(people.sorted(by: \.age)) == "Art Bob Ada")
    #expect(names(people.sorted(by: \.name, ascending: false)) == "Bob Art Ada")
    #expect(names(people.sorted(by: \.dog?.name)) == "Art Ada Bob")
    #expect(names(people.sorted(by: [SortDescriptor(keyPath: "age")])) == "Art Bob Ada")
    #expect(names(people.sorted(by: [SortDescriptor(keyPath: \Person.name)])) == "Ada Art Bob")
    #expect(
      names(people.sorted(by: [SortDescriptor(keyPath: \Person.name, ascending: false), "age"]))
        == "Bob Art Ada")
    #expect(names(people.where { $0.age > 1 }.sorted(byKeyPath: "age")) == "Bob Ada")
    let dogs = people[0].dogs.sorted(byKeyPath: "name")
    #expect(dogs.map { $0.name } == ["Fifi", "Rex"])
    #expect(Array(people[0].scores.sorted(ascending: false)) == [3, 2, 1])
  }

  @Test func `Distinct`() {
    #expect(names(people.distinct(by: ["isDone"])) == "Ada Bob")
    #expect(names(people.distinct(by: [\Person.isDone])) == "Ada Bob")
    #expect(names(people.distinct(by: [\.isDone, \.kind])) == "Ada Bob Art")
    #expect(names(people.distinct(by: [\Person.dog?.name])) == "Ada Art")
    #expect(names(people.distinct(by: ["dog.name"])) == "Ada Art")
  }

  @Test func `Sections`() {
    let sections = people.sectioned(by: \.firstLetter, ascending: true)
    #expect(sections.allKeys == ["A", "B"] && sections.count == 2)
    for section in sections { #expect(section.allSatisfy { $0.firstLetter == section.key }) }
    #expect(sections[0].count == 2 && sections[0][1].name == "Art")
    #expect(sections[IndexPath(indexes: [1, 0])].name == "Bob")
    #expect(people.sectioned(by: \.firstLetter).allKeys == ["A", "B"])
    #expect(people.sectioned(by: \.age, ascending: false).allKeys == [36, 3, 1])
    #expect(
      people.sectioned(by: \.age, sortDescriptors: [SortDescriptor(keyPath: \Person.age)]).count
        == 3)
    #expect(
      people.sectioned(
        by: { $0.name.prefix(1) }, sortDescriptors: [SortDescriptor.init(keyPath: "name")]
      ).count == 2)
    #expect(
      people.sectioned(sortDescriptors: [SortDescriptor(keyPath: "name")]) { $0.firstLetter }.count
        == 2)
    #expect(people.where { $0.age > 1 }.sectioned(by: \.firstLetter).allKeys == ["A", "B"])
    #expect(people.sectioned(by: \.dog?.name).allKeys == ["Fifi", "Rex", nil])
    let typed: SectionedResults<String, Person> = sections
    let section: ResultsSection<String, Person> = typed[0]
    #expect(section.key == "A")
  }

  @Test func `Positions and pages`() {
    #expect(people.index(matching: { $0.name == "Bob" }) == 1)
    #expect(people.index(matching: { $0.name == "Eve" }) == nil)
    #expect(people[0].dogs.index(matching: { $0.name == "Fifi" }) == 1)
    #expect(names(people.limit(1, offset: 1)) == "Bob")
  }
}
