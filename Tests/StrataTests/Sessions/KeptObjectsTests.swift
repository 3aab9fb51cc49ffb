import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Objects of loops that the program keeps, changes or deletes.
@Suite struct KeptObjectsTests {
  class Person: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var name = ""
    @Persisted var nickname: String?
    @Persisted var friend: Person?
  }

  final class Counted: Object {
    @Persisted var number = 0
    var note = ""
  }

  final class Owning: Object {
    @Persisted var number = 0
    @Persisted var friends: List<Person>
  }

  final class Ignoring: Object {
    @Persisted var number = 0
    @Persisted var draft = 7
    override class func ignoredProperties() -> [String] { ["draft"] }
  }

  struct Stop: Error {}

  private static let count = 1_000

  private func withPeople(_ body: (Realm) throws -> Void) throws {
    try TestFolder().open([Person.self, Counted.self, Owning.self, Ignoring.self]) { realm in
      try realm.write {
        var last: Person?
        for number in 0..<Self.count {
          let person = Person(value: ["number": number, "name": "\(number)"])
          if number.isMultiple(of: 3) { person.nickname = "n\(number)" }
          if number.isMultiple(of: 2) { person.friend = last }
          realm.add(person)
          realm.add([Counted(value: ["number": number])])
          let owning = Owning(value: ["number": number])
          owning.friends.append(objectsIn: Array(repeating: person, count: number % 3))
          realm.add(owning)
          realm.add([Ignoring(value: ["number": number])])
          last = person
        }
      }
      try body(realm)
    }
  }

  private func check(
    _ person: Person, is number: Int, _ location: SourceLocation = #_sourceLocation
  ) {
    expectTrue(person.number == number && person.name == "\(number)", sourceLocation: location)
    expectEqual(
      person.nickname, (number.isMultiple(of: 3) ? "n\(number)" : nil), sourceLocation: location)
    expectEqual(
      person.friend?.number, (number.isMultiple(of: 2) && number > 0 ? number - 1 : nil),
      sourceLocation: location)
  }

  private struct Unowned {
    unowned let object: ObjectBase
  }

  @Test func `What a loop keeps in any way stays what it was`() throws {
    try withPeople { realm in
      var array: [Person] = []
      var dictionary: [Int: Person] = [:]
      var closures: [(Int, () -> Person)] = []
      var weakOnes: [(Int, WeakHolder)] = []
      func collect() {
        for (number, person) in realm.objects(Person.self).enumerated() {
          switch number % 8 {
          case 1: array.append(person)
          case 2: dictionary[number] = person
          case 3: closures.append((number, { person }))
          case 4: weakOnes.append((number, WeakHolder(holder: person)))
          case 5:
            array.append(person)
            weakOnes.append((number, WeakHolder(holder: person)))
          default: break
          }
        }
      }
      for isWriting in [false, true] {
        if isWriting { try realm.write { collect() } } else { collect() }
        for person in array { check(person, is: Int(person.name) ?? -1) }
        for (number, person) in dictionary { check(person, is: number) }
        for (number, closure) in closures { check(closure(), is: number) }
        for (number, holder) in weakOnes {
          if let person = holder.holder as? Person { check(person, is: number) }
          expectEqual((holder.holder != nil), (number % 8 == 5), "\(number)")
        }
        expectEqual(Set(array.map(\.number)).count, array.count)
        (array, dictionary, closures, weakOnes) = ([], [:], [], [])
      }
    }
  }

  @Test func `An unowned reference sees its object`() throws {
    try withPeople { realm in
      var kept: [Person] = []
      var unowned: [Unowned] = []
      for person in realm.objects(Person.self) where person.number.isMultiple(of: 7) {
        kept.append(person)
        unowned.append(Unowned(object: person))
      }
      for (index, reference) in unowned.enumerated() {
        check(try #require(reference.object as? Person), is: index * 7)
      }
    }
  }

  @Test func `Arrays, maps and references to other threads get objects of their own`() throws {
    try withPeople { realm in
      let people = Array(realm.objects(Person.self))
      for (number, person) in people.enumerated() { check(person, is: number) }
      expectEqual(Set(people.map { ObjectIdentifier($0) }).count, Self.count)
      let references = realm.objects(Person.self).prefix(300).map { ThreadSafeReference(to: $0) }
      for (number, reference) in references.enumerated() {
        check(try #require(realm.resolve(reference)), is: number)
      }
      let lazily = realm.objects(Person.self).lazy.filter { $0.number >= 900 }.map { $0 }
      for (index, person) in Array(lazily).enumerated() { check(person, is: 900 + index) }
    }
  }

  @Test func `Loops that break, throw and run in each other see their own rows`() throws {
    try withPeople { realm in
      let people = realm.objects(Person.self)
      var last: Person?
      for person in people {
        last = person
        if person.number == 200 { break }
      }
      check(try #require(last), is: 200)
      #expect(throws: Stop.self) {
        for person in people {
          last = person
          if person.number == 300 { throw Stop() }
        }
      }
      check(try #require(last), is: 300)
      for outer in people.filter("number IN {5, 150, 290}") {
        let number = outer.number
        for (index, inner) in people.enumerated() { check(inner, is: index) }
        check(outer, is: number)
      }
    }
  }

  @Test func `Objects that have more than columns are those of their rows`() throws {
    try withPeople { realm in
      for (number, object) in realm.objects(Counted.self).enumerated() {
        expectTrue(object.note.isEmpty)
        object.note = "\(number)"
      }
      for (number, object) in realm.objects(Owning.self).enumerated() {
        expectEqual(object.friends.map(\.number), Array(repeating: number, count: number % 3))
      }
      for object in realm.objects(Ignoring.self) {
        expectEqual(object.draft, 7)
        object.draft = 8
      }
    }
  }

  @Test func `Observed and frozen objects are those of their rows`() throws {
    try withPeople { realm in
      var tokens: [NotificationToken] = []
      var observed: [Person] = []
      for person in realm.objects(Person.self) where person.number % 100 == 50 {
        tokens.append(person.observe { (_: ObjectChange<Person>) in })
        observed.append(person)
      }
      for (index, person) in observed.enumerated() { check(person, is: index * 100 + 50) }
      let frozen = realm.freeze().objects(Person.self)
      for (number, person) in frozen.enumerated() { check(person, is: number) }
      for token in tokens { token.invalidate() }
    }
  }
}
