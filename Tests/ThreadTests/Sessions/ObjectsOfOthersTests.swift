import StrataTestKit
import Testing

@testable import Strata

private final class Person: Object {
  @Persisted var name = ""
  @Persisted var friend: Person?
  @Persisted var friends: List<Person>
  @Persisted var words: List<String>
}

/// An actor whose methods open realms of their tasks.
private actor Keeper {
  private let configuration: Realm.Configuration
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func open() async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  /// Changes an object of the task's own realm in a transaction of the actor's.
  func change(fails: Bool = false, _ body: (Realm, Person) -> Void) async throws -> [String] {
    guard let realm else { return [] }
    let own = try Realm(configuration: configuration)
    #expect(own != realm)
    let person = try #require(own.objects(Person.self).first)
    _ = try? await realm.asyncWrite {
      body(realm, person)
      if fails { throw CancellationError() }
    }
    guard !person.isInvalidated else { return ["deleted"] }
    let found = try #require(realm.objects(Person.self).first)
    #expect(found.name == person.name && Array(found.words) == Array(person.words))
    #expect(found.friend?.name == person.friend?.name)
    #expect(found.friends.map(\.name) == person.friends.map(\.name))
    let friend = person.friend.map { ["friend \($0.name)"] } ?? []
    return [person.name] + person.words + friend + person.friends.map(\.name)
  }
}

/// In a transaction of an actor the objects of the task's own realm are changed with it.
@Suite("Objects of another realm of the place") struct ObjectsOfOthersTests {
  let folder: TestFolder
  private let keeper: Keeper

  init() async throws {
    folder = try TestFolder()
    let configuration = folder.configuration([Person.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Person(value: ["name": "Ada"])) }
    keeper = Keeper(configuration)
    try await keeper.open()
  }

  @Test func `Properties are changed, and read as they will be`() async throws {
    let shown = try await keeper.change { realm, person in
      person.name = "Eve"
      #expect(person.name == "Eve")
      person.name += "!"
      #expect(person.name == "Eve!")
      #expect(realm.objects(Person.self).map(\.name) == ["Eve!"])
    }
    #expect(shown == ["Eve!"])
  }

  @Test func `Lists and links are changed, and read as they will be`() async throws {
    let shown = try await keeper.change { realm, person in
      person.words.append(objectsIn: ["a", "b"])
      person.words[0] = "c"
      #expect(Array(person.words) == ["c", "b"])
      person.friend = realm.create(Person.self, value: ["name": "Bob"])
      #expect(person.friend?.name == "Bob")
      person.friends.append(person)
      person.friends.append(Person(value: ["name": "Eve"]))
      #expect(person.friends.map(\.name) == ["Ada", "Eve"])
      #expect(realm.objects(Person.self).count == 3)
    }
    #expect(shown == ["Ada", "c", "b", "friend Bob", "Ada", "Eve"])
  }

  @Test func `Everything is as before when the transaction fails`() async throws {
    let shown = try await keeper.change(fails: true) { realm, person in
      person.name = "Eve"
      person.words.append("a")
      person.friend = realm.create(Person.self, value: ["name": "Bob"])
      #expect(person.friend?.name == "Bob")
    }
    #expect(shown == ["Ada"])
  }

  @Test func `An object is linked to, and deleted`() async throws {
    let shown = try await keeper.change { realm, person in
      let other = realm.create(Person.self, value: ["name": "Bob"])
      other.friend = person
      #expect(other.friend?.name == "Ada")
      realm.delete(person)
      #expect(other.friend == nil && realm.objects(Person.self).map(\.name) == ["Bob"])
    }
    #expect(shown == ["deleted"])
  }
}
