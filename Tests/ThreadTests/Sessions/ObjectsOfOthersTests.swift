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

  /// Goes through the objects of the task's own realm, begins a transaction of the actor's at the
  /// tenth, changes all, and adds to the names of the rest.
  func changeInLoop() throws -> [String] {
    guard let realm else { return [] }
    let own = try Realm(configuration: configuration)
    var count = 0
    for person in own.objects(Person.self) {
      count += 1
      if count == 10 {
        realm.beginWrite()
        realm.objects(Person.self).setValue("Eve", forKey: "name")
      }
      if count >= 10 { person.name += "!" }
    }
    try realm.commitWrite()
    return own.objects(Person.self).map(\.name)
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

  @Test func `An object that was read before shows what the actor's realm changes`() async throws {
    let shown = try await keeper.change { realm, person in
      #expect(person.name == "Ada")
      let other = realm.objects(Person.self)[0]
      other.name = "Eve"
      #expect(person.name == "Eve")
      person.name += "!"
      #expect(other.name == "Eve!")
      other.name += "?"
    }
    #expect(shown == ["Eve!?"])
  }

  @Test func `Results show what the transaction has changed`() async throws {
    let shown = try await keeper.change { realm, person in
      guard let own = person.realm?.objects(Person.self) else { return }
      #expect(own.count == 1 && own[0].name == "Ada")
      realm.create(Person.self, value: ["name": "Bob"])
      for person in own { person.name += "!" }
      for index in own.indices { own[index].name += "?" }
      #expect(own.count == 2 && own.map(\.name) == ["Ada!?", "Bob!?"])
      #expect(own.last?.name == "Bob!?" && own.filter("name == 'Bob!?'").count == 1)
    }
    #expect(shown == ["Ada!?"])
  }

  @Test func `A loop that goes on in a transaction of the actor's shows what that changed`()
    async throws
  {
    let realm = try Realm(configuration: folder.configuration([Person.self]))
    try realm.write { for _ in 1..<500 { realm.create(Person.self) } }
    let names = try await keeper.changeInLoop()
    #expect(names == Array(repeating: "Eve", count: 9) + Array(repeating: "Eve!", count: 491))
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
