import StrataTestKit
import TestKit
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
    expectTrue(own != realm)
    let person = try #require(own.objects(Person.self).first)
    _ = try? await realm.asyncWrite {
      body(realm, person)
      if fails { throw CancellationError() }
    }
    guard !person.isInvalidated else { return ["deleted"] }
    let found = try #require(realm.objects(Person.self).first)
    expectTrue(found.name == person.name && Array(found.words) == Array(person.words))
    expectEqual(found.friend?.name, person.friend?.name)
    expectEqual(found.friends.map(\.name), person.friends.map(\.name))
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

/// Objects of the task's own realm, which are changed with an actor's transaction.
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
      expectEqual(person.name, "Eve")
      person.name += "!"
      expectEqual(person.name, "Eve!")
      expectEqual(realm.objects(Person.self).map(\.name), ["Eve!"])
    }
    expectEqual(shown, ["Eve!"])
  }

  @Test func `Lists and links are changed, and read as they will be`() async throws {
    let shown = try await keeper.change { realm, person in
      person.words.append(objectsIn: ["a", "b"])
      person.words[0] = "c"
      expectEqual(Array(person.words), ["c", "b"])
      person.friend = realm.create(Person.self, value: ["name": "Bob"])
      expectEqual(person.friend?.name, "Bob")
      person.friends.append(person)
      person.friends.append(Person(value: ["name": "Eve"]))
      expectEqual(person.friends.map(\.name), ["Ada", "Eve"])
      expectEqual(realm.objects(Person.self).count, 3)
    }
    expectEqual(shown, ["Ada", "c", "b", "friend Bob", "Ada", "Eve"])
  }

  @Test func `An object that was read before shows what the actor's realm changes`() async throws {
    let shown = try await keeper.change { realm, person in
      expectEqual(person.name, "Ada")
      let other = realm.objects(Person.self)[0]
      other.name = "Eve"
      expectEqual(person.name, "Eve")
      person.name += "!"
      expectEqual(other.name, "Eve!")
      other.name += "?"
    }
    expectEqual(shown, ["Eve!?"])
  }

  @Test func `Results show what the transaction has changed`() async throws {
    let shown = try await keeper.change { realm, person in
      guard let own = person.realm?.objects(Person.self) else { return }
      expectTrue(own.count == 1 && own[0].name == "Ada")
      realm.create(Person.self, value: ["name": "Bob"])
      for person in own { person.name += "!" }
      for index in own.indices { own[index].name += "?" }
      expectTrue(own.count == 2 && own.map(\.name) == ["Ada!?", "Bob!?"])
      expectTrue(own.last?.name == "Bob!?" && own.filter("name == 'Bob!?'").count == 1)
    }
    expectEqual(shown, ["Ada!?"])
  }

  @Test func `A loop that goes on in a transaction of the actor's shows what that changed`()
    async throws
  {
    let realm = try Realm(configuration: folder.configuration([Person.self]))
    try realm.write { for _ in 1..<500 { realm.create(Person.self) } }
    let names = try await keeper.changeInLoop()
    expectEqual(names, Array(repeating: "Eve", count: 9) + Array(repeating: "Eve!", count: 491))
  }

  @Test func `Everything is as before when the transaction fails`() async throws {
    let shown = try await keeper.change(fails: true) { realm, person in
      person.name = "Eve"
      person.words.append("a")
      person.friend = realm.create(Person.self, value: ["name": "Bob"])
      expectEqual(person.friend?.name, "Bob")
    }
    expectEqual(shown, ["Ada"])
  }

  @Test func `An object is linked to, and deleted`() async throws {
    let shown = try await keeper.change { realm, person in
      let other = realm.create(Person.self, value: ["name": "Bob"])
      other.friend = person
      expectEqual(other.friend?.name, "Ada")
      realm.delete(person)
      expectTrue(other.friend == nil && realm.objects(Person.self).map(\.name) == ["Bob"])
    }
    expectEqual(shown, ["deleted"])
  }
}
