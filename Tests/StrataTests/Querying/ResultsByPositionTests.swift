import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Objects of results by their positions.
@Suite struct ResultsByPositionTests {
  class Person: Object {
    @Persisted var number = 0
    @Persisted var name = ""
    @Persisted var friend: Person?
  }

  private static let count = 1_000

  private func withPeople(
    gaps: Bool = false, _ body: (TestFolder, Realm, Results<Person>) throws -> Void
  ) throws {
    let folder = try TestFolder()
    try folder.open([Person.self]) { realm in
      try realm.write {
        for number in 0..<Self.count {
          if gaps, number.isMultiple(of: 3) {
            realm.delete(realm.create(Person.self, value: ["number": -1]))
          }
          realm.create(Person.self, value: ["number": number, "name": "\(number)"])
        }
      }
      try body(folder, realm, realm.objects(Person.self))
    }
  }

  private func check(
    _ person: Person, is number: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectTrue(
      person.number == number && person.name == "\(number)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func `Each position has its object, in any order of asking`(gaps: Bool) throws {
    try withPeople(gaps: gaps) { _, _, people in
      for position in 0..<Self.count { check(people[position], is: position) }
      for position in (0..<Self.count).reversed() { check(people[position], is: position) }
      for step in 0..<Self.count { check(people[step * 7 % Self.count], is: step * 7 % Self.count) }
      check(people[Self.count - 1], is: Self.count - 1)
      expectEqual(people.firstIndex { $0.number == 500 }, 500)
    }
  }

  @Test(arguments: [false, true])
  func `What the program keeps stays what it was`(gaps: Bool) throws {
    try withPeople(gaps: gaps) { _, _, people in
      var kept: [Int: Person] = [:]
      var closures: [() -> (Int, Person)] = []
      for position in 0..<Self.count {
        let person = people[position]
        check(person, is: position)
        if position.isMultiple(of: 3) { kept[position] = person }
        if position.isMultiple(of: 7) { closures.append { (position, person) } }
        weak let seen = person
        if position.isMultiple(of: 5) { expectTrue(seen === person) }
      }
      for (position, person) in kept { check(person, is: position) }
      for closure in closures {
        let (position, person) = closure()
        check(person, is: position)
      }
    }
  }

  @Test func `A weak reference to one that nothing keeps is nil, or the same row`() throws {
    try withPeople { _, _, people in
      struct Weak { weak var person: Person? }
      let references = (0..<Self.count).map { Weak(person: people[$0]) }
      for (position, reference) in references.enumerated() {
        if let person = reference.person { check(person, is: position) }
      }
    }
  }

  @Test func `Changes by position in a transaction are those of the objects`() throws {
    try withPeople { _, realm, people in
      try realm.write {
        for position in 0..<Self.count {
          people[position].number += 1
          people[position].name = "\(position + 1)"
        }
      }
      for position in 0..<Self.count { check(people[position], is: position + 1) }
    }
  }

  @Test func `Rows that come and go are seen at once, also those of other programs`() throws {
    try withPeople { folder, realm, people in
      check(people[10], is: 10)
      try realm.write { realm.delete(people[5]) }
      check(people[10], is: 11)
      expectEqual(people.count, Self.count - 1)
      try folder.execute("DELETE FROM Person WHERE number < 5")
      realm.refresh()
      check(people[0], is: 6)
      try realm.write {
        check(people[1], is: 7)
        realm.delete(people[0])
        check(people[0], is: 7)
        realm.create(Person.self, value: ["number": 5_000, "name": "5000"])
        check(people[people.count - 1], is: 5_000)
      }
      check(people[people.count - 1], is: 5_000)
    }
  }

  @Test func `Two results, and links of their objects, do not disturb each other`() throws {
    try withPeople { _, realm, people in
      try realm.write {
        for position in 1..<Self.count { people[position].friend = people[position - 1] }
      }
      let reversed = people.sorted(byKeyPath: "number", ascending: false)
      for position in 1..<Self.count {
        check(reversed[Self.count - 1 - position], is: position)
        check(people[position], is: position)
        if let friend = people[position].friend { check(friend, is: position - 1) }
      }
    }
  }

  @Test func `Identities at the ends of all numbers are found`() throws {
    let folder = try TestFolder()
    try folder.open([Person.self]) { realm in try realm.write { realm.create(Person.self) } }
    try folder.execute(
      """
      DELETE FROM Person;
      INSERT INTO Person (_id, number, name) VALUES
        (\(Int64.min), 0, '0'), (\(Int64.max), 1, '1');
      """)
    try folder.open([Person.self]) { realm in
      let people = realm.objects(Person.self)
      check(people[0], is: 0)
      check(people[1], is: 1)
    }
  }
}
