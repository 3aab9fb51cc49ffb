import StrataTestKit
import Testing

@testable import Strata

/// Objects of loops, which serve for other rows only where nobody has them.
@Suite struct ObjectBatchTests {
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
          realm.add([Owning(value: ["number": number])])
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
    #expect(person.number == number && person.name == "\(number)", sourceLocation: location)
    #expect(
      person.nickname == (number.isMultiple(of: 3) ? "n\(number)" : nil), sourceLocation: location)
    #expect(
      person.friend?.number == (number.isMultiple(of: 2) && number > 0 ? number - 1 : nil),
      sourceLocation: location)
  }

  private func addresses<Element: Object>(of results: Results<Element>) -> Int {
    var addresses: Set<ObjectIdentifier> = []
    for object in results { addresses.insert(ObjectIdentifier(object)) }
    return addresses.count
  }

  @Test func `The runtime's counts tell one reference from more, of each kind`() {
    let object = Unmanaged<ObjectBase>.passRetained(Person())
    #expect(ReferenceCounts.isOnlyReference(object))
    _ = object.retain()
    #expect(!ReferenceCounts.isOnlyReference(object))
    object.release()
    #expect(ReferenceCounts.isOnlyReference(object))
    object.release()
  }

  @Test func `A loop that keeps nothing makes as many objects as it reads at once`() throws {
    try withPeople { realm in
      #expect(addresses(of: realm.objects(Person.self)) < 300)
      for (number, person) in realm.objects(Person.self).enumerated() { check(person, is: number) }
      try realm.write {
        for (number, person) in realm.objects(Person.self).enumerated() {
          check(person, is: number)
        }
      }
    }
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
          #expect((holder.holder != nil) == (number % 8 == 5), "\(number)")
        }
        #expect(Set(array.map(\.number)).count == array.count)
        (array, dictionary, closures, weakOnes) = ([], [:], [], [])
      }
    }
  }

  @Test func `An unowned reference sees its object, and keeps it from serving again`() throws {
    struct Unowned { unowned let person: Person }
    try withPeople { realm in
      var kept: [Person] = []
      var unowned: [Unowned] = []
      for person in realm.objects(Person.self) where person.number.isMultiple(of: 7) {
        kept.append(person)
        unowned.append(Unowned(person: person))
      }
      for (index, reference) in unowned.enumerated() { check(reference.person, is: index * 7) }
    }
  }

  @Test func `Arrays, maps and references to other threads get objects of their own`() throws {
    try withPeople { realm in
      let people = Array(realm.objects(Person.self))
      for (number, person) in people.enumerated() { check(person, is: number) }
      #expect(Set(people.map { ObjectIdentifier($0) }).count == Self.count)
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

  @Test func `Objects that a loop changes or deletes don't serve again before they are written`()
    throws
  {
    try withPeople { realm in
      try realm.write {
        for person in realm.objects(Person.self) { person.name += "!" }
        for person in realm.objects(Person.self) where person.number.isMultiple(of: 5) {
          realm.delete(person)
        }
      }
      let rest = (0..<Self.count).filter { !$0.isMultiple(of: 5) }
      #expect(realm.objects(Person.self).map(\.number) == rest)
      #expect(realm.objects(Person.self).map(\.name) == rest.map { "\($0)!" })
    }
  }

  @Test func `Objects that have more than columns don't serve again`() throws {
    try withPeople { realm in
      var kept: [ObjectBase] = []
      for (number, object) in realm.objects(Counted.self).enumerated() {
        #expect(object.note.isEmpty)
        object.note = "\(number)"
      }
      for object in realm.objects(Owning.self) {
        object.friends.count == 0 ? () : kept.append(object)
      }
      for object in realm.objects(Ignoring.self) {
        #expect(object.draft == 7)
        object.draft = 8
      }
      #expect(kept.isEmpty)
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
